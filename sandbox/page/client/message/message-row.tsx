// A row of the transcript: a message with its menu, or a command that the bot has not acknowledged.
import { useMemo, useState } from "preact/hooks";
import type { ChatMessage } from "../../../control/chat/api.ts";
import { IconButton } from "../kit/icon-button.tsx";
import { type MenuEntry, openedMenu, type OpenedMenu } from "../state/layers.ts";
import { commands, personOf, scene } from "../state/scene.ts";
import { MessageBody } from "./message-body.tsx";
import { COMMAND_KINDS } from "../command/runnables.ts";
import { focusPlace, replyTo, TEXT } from "../composer/draft-state.ts";
import { showInteraction } from "../inspector/traffic-state.ts";
import { attempt, dropPending, type PendingCommand, runCommand } from "../state/actions.ts";
import { reportFailure } from "../state/toast.ts";
import { Avatar } from "../kit/avatar.tsx";
import { Icon } from "../kit/icon.tsx";
import { UsedLine } from "./reply-line.tsx";

interface MessageRowProps {
  readonly message: ChatMessage;
  /** The row then has no avatar and name, because it follows a message by the same person. */
  readonly isCompact: boolean;
  /** Whether Tab reaches this message; the arrow keys lead to the others. */
  readonly isCurrent: boolean;
}

export function MessageRow({ message, isCompact, isCurrent }: MessageRowProps) {
  // The buttons are rendered only while the message has the pointer or the focus, which most messages of a long list never have.
  const [isActive, setActive] = useState(false);
  const openMenu = (at: OpenedMenu["at"]) => {
    const entries = menuEntries(message);
    if (entries.length > 0) {
      openedMenu.value = { label: `Message from ${message.author.name}`, at, entries };
    }
  };
  // Rendered again only if the message changes, so that long lists stay fast.
  const body = useMemo(() => <MessageBody message={message} isCompact={isCompact} />, [message, isCompact]);
  const isForMe = message.pings.includes(scene.value?.me.id ?? "");
  const name = `message-${message.id}`;
  const look = [isCompact && "compact", isForMe && "mentions-me", message.ephemeral && "private"];
  return (
    <li
      id={name}
      class={["message", ...look].filter((one) => one !== false).join(" ")}
      tabIndex={isCurrent ? 0 : -1}
      aria-labelledby={`${name}-author`}
      onPointerEnter={() => setActive(true)}
      onPointerLeave={({ currentTarget }) => setActive(currentTarget.contains(document.activeElement))}
      onFocusIn={() => setActive(true)}
      onFocusOut={({ currentTarget, relatedTarget }) => {
        const isStillInside = relatedTarget instanceof Node && currentTarget.contains(relatedTarget);
        setActive(isStillInside || currentTarget.matches(":hover"));
      }}
      onContextMenu={(event) => {
        const isOnText =
          event.target instanceof Element && event.target.closest("a, input, textarea, video") !== null;
        if (!isOnText) {
          event.preventDefault();
          openMenu({ x: event.clientX, y: event.clientY });
        }
      }}
      onKeyDown={(event) => {
        if (event.target === event.currentTarget && event.key === "Enter") {
          event.preventDefault();
          const { left, top } = event.currentTarget.getBoundingClientRect();
          openMenu({ x: left, y: top });
        }
      }}
    >
      {body}
      {isActive && !message.loading && <MessageTools message={message} onMenu={openMenu} />}
    </li>
  );
}

function MessageTools({ message: { id, ephemeral }, onMenu }: MessageToolsProps) {
  return (
    <div class="message-tools card row">
      {!ephemeral && <IconButton icon="reply" label="Reply" onClick={() => replyToMessage(id)} />}
      <IconButton
        icon="more"
        label="More"
        opens="menu"
        onClick={({ currentTarget }) => {
          const { left, bottom } = currentTarget.getBoundingClientRect();
          onMenu({ x: left, y: bottom });
        }}
      />
    </div>
  );
}

interface MessageToolsProps {
  readonly message: ChatMessage;
  readonly onMenu: (at: OpenedMenu["at"]) => void;
}

function replyToMessage(messageId: string): void {
  replyTo.value = messageId;
  focusPlace(TEXT);
}

/** Includes the bot's message commands. Reads signals. */
function menuEntries(message: ChatMessage): MenuEntry[] {
  const { id, loading, ephemeral, interactionId, mayDelete } = message;
  const all: (MenuEntry & { readonly isOffered: boolean })[] = [
    { label: "Reply", icon: "reply", isOffered: !ephemeral, run: () => replyToMessage(id) },
    {
      label: "Inspect its calls",
      icon: "pulse",
      isOffered: interactionId !== undefined,
      run: () => showInteraction(interactionId ?? ""),
    },
    ...commands.value.map(({ name, kind }) => ({
      label: name,
      icon: "spark" as const,
      isOffered: kind === COMMAND_KINDS.message && !ephemeral,
      run: () => void reportFailure(runCommand(name, { do: "menu", messageId: id, entry: name })),
    })),
    {
      label: "Dismiss message",
      icon: "close",
      isOffered: ephemeral,
      run: () => attempt({ do: "dismiss", messageId: id }),
    },
    { label: "Delete message", icon: "trash", isOffered: mayDelete, run: () => deleteMessage(id) },
  ];
  return loading ? [] : all.filter(({ isOffered }) => isOffered);
}

function deleteMessage(messageId: string): void {
  if (confirm("Delete this message for everyone? It can't be restored.")) {
    attempt({ do: "delete", messageId });
  }
}

/** A command that waits for the bot's acknowledgement, or has failed without one. */
export function PendingRow({ pending: { key, what, problem, retry } }: { readonly pending: PendingCommand }) {
  const { botId = "", me } = scene.value ?? {};
  const bot = personOf(botId)?.name ?? "The bot";
  return (
    <li class="message">
      {me !== undefined && <UsedLine used={{ userId: me.id, command: what }} />}
      <div class="message-frame">
        <Avatar name={bot} isBot />
        <div class="rest">
          <header class="message-header row">
            <strong>{bot}</strong>
            <span class="app-tag">App</span>
          </header>
          {problem === undefined ? (
            <p class="soft">Sending command…</p>
          ) : (
            <>
              <p class="message-note row alarm" role="alert">
                <Icon name="alarm" />
                {problem}
              </p>
              <p class="message-note row subtext">
                <Icon name="eye" />
                Only you can see this ·{" "}
                <button type="button" class="link-button" onClick={retry}>
                  Try again
                </button>{" "}
                ·{" "}
                <button type="button" class="link-button" onClick={() => dropPending(key)}>
                  Dismiss message
                </button>
              </p>
            </>
          )}
        </div>
      </div>
    </li>
  );
}
