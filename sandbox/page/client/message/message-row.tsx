// One message of the transcript, with its menu.
import { useMemo, useState } from "preact/hooks";
import type { ChatMessage } from "../../../control/chat/api.ts";
import { IconButton } from "../kit/icon-button.tsx";
import { openedMenu, type OpenedMenu } from "../state/layers.ts";
import { scene } from "../state/scene.ts";
import { MessageBody } from "./message-body.tsx";
import { menuEntries, replyToMessage } from "./message-menu.ts";

interface MessageRowProps {
  readonly message: ChatMessage;
  /** It follows another of the same person: without picture and name. */
  readonly isCompact: boolean;
  /** The one of the list that Tab reaches; the arrow keys lead to the others. */
  readonly isCurrent: boolean;
}

export function MessageRow({ message, isCompact, isCurrent }: MessageRowProps) {
  // Its buttons are drawn only while it is pointed at or has the focus: most of a long list never is.
  const [isPointed, setPointed] = useState(false);
  const openMenu = (at: OpenedMenu["at"]) => {
    const entries = menuEntries(message);
    if (entries.length > 0) {
      openedMenu.value = { label: `Message from ${message.author.name}`, at, entries };
    }
  };
  // Drawn anew only when the message itself is another: a long list stays quick.
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
      onPointerEnter={() => setPointed(true)}
      onPointerLeave={({ currentTarget }) => setPointed(currentTarget.contains(document.activeElement))}
      onFocusIn={() => setPointed(true)}
      onFocusOut={({ currentTarget, relatedTarget }) => {
        const isStillInside = relatedTarget instanceof Node && currentTarget.contains(relatedTarget);
        setPointed(isStillInside || currentTarget.matches(":hover"));
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
      {isPointed && !message.loading && <MessageTools message={message} onMenu={openMenu} />}
    </li>
  );
}

/** The buttons of a message that is pointed at. */
function MessageTools({ message: { id, ephemeral }, onMenu }: MessageToolsProps) {
  return (
    <div class="message-tools card row">
      {!ephemeral && <IconButton icon="reply" label="Reply" onClick={() => replyToMessage(id)} />}
      <IconButton
        icon="more"
        label="More"
        opens="menu"
        onClick={({ clientX, clientY }) => onMenu({ x: clientX, y: clientY })}
      />
    </div>
  );
}

interface MessageToolsProps {
  readonly message: ChatMessage;
  readonly onMenu: (at: OpenedMenu["at"]) => void;
}
