import { useComputed } from "@preact/signals";
import type { ChatMessage } from "../../../control/chat/api.ts";
import { Components } from "../components/component-view.tsx";
import { Avatar } from "../kit/avatar.tsx";
import { Markdown } from "../text/markdown-view.tsx";
import { AttachmentView } from "./picture.tsx";
import { ReplyLine, UsedLine } from "./reply-line.tsx";
import { Icon } from "../kit/icon.tsx";
import { nowMs, second } from "../state/clock.ts";
import { attempt, failedPress } from "../state/actions.ts";
import { profileOf } from "../state/people.ts";
import { formatTimestamp } from "../text/timestamp.ts";

/** The message flag with which only attachments that a component refers to are shown; without it, all are. */
const COMPONENTS_V2 = 1 << 15;

interface MessageBodyProps {
  readonly message: ChatMessage;
  readonly isCompact: boolean;
}

export function MessageBody({ message, isCompact }: MessageBodyProps) {
  const { id, author, content, attachments, components, flags } = message;
  const surface = { messageId: id, attachments };
  const loose = (flags & COMPONENTS_V2) === 0 ? attachments : [];
  return (
    <>
      {message.repliesTo !== undefined && <ReplyLine messageId={message.repliesTo} />}
      {message.used !== undefined && <UsedLine used={message.used} />}
      <div class="message-frame">
        {isCompact ? (
          <CompactTime atMs={message.createdAtMs} />
        ) : (
          <Avatar name={author.name} isBot={author.bot} />
        )}
        <div class="rest">
          <MessageHeader message={message} isHidden={isCompact} />
          {message.loading && <Thinking name={author.name} sinceMs={message.createdAtMs} />}
          {content !== "" && <Markdown text={content} />}
          {loose.map((attachment) => (
            <AttachmentView key={attachment.id} attachment={attachment} />
          ))}
          {components.length > 0 && (
            <div class="components">
              <Components value={components} surface={surface} />
            </div>
          )}
          <EditedMark editedAtMs={message.editedAtMs} />
          <MessageFooter message={message} />
        </div>
      </div>
    </>
  );
}

/** The lifetime of an interaction's token. A deferred answer can only arrive within it, so "is thinking…" ends then. */
const TOKEN_LIFE_MS = 15 * 60_000;

function Thinking({ name, sinceMs }: { readonly name: string; readonly sinceMs: number }) {
  const isOver = useComputed(() => second.value - sinceMs >= TOKEN_LIFE_MS);
  return isOver.value ? (
    <p class="alarm">The application did not respond.</p>
  ) : (
    <p class="soft">{name} is thinking…</p>
  );
}

function MessageFooter({ message: { id, ephemeral } }: { readonly message: ChatMessage }) {
  const failure = failedPress.value;
  return (
    <>
      {failure?.messageId === id && (
        <p class="message-note row alarm" role="alert">
          <Icon name="alarm" />
          {failure.problem}
        </p>
      )}
      {ephemeral && (
        <p class="message-note row subtext">
          <Icon name="eye" />
          Only you can see this ·{" "}
          <button type="button" class="link-button" onClick={() => attempt({ do: "dismiss", messageId: id })}>
            Dismiss message
          </button>
        </p>
      )}
    </>
  );
}

const SILENT = 1 << 12;
const CROSSPOSTED = 1 << 0;
const DAY_MS = 86_400_000;

interface HeaderProps {
  readonly message: ChatMessage;
  /** Whether only screen readers get the header. */
  readonly isHidden: boolean;
}

function MessageHeader({ message, isHidden }: HeaderProps) {
  const { id, author, createdAtMs, flags } = message;
  const { tint } = profileOf(author.id, author.name);
  return (
    <header class={isHidden ? "hidden" : "message-header row"} id={`message-${id}-author`}>
      <strong class={`tinted ${tint}`}>{author.name}</strong>
      {author.bot && <span class="app-tag">App</span>}
      <time class="subtext" dateTime={new Date(createdAtMs).toISOString()} title={fullTime(createdAtMs)}>
        {formatTimestamp(createdAtMs / 1000, isToday(createdAtMs) ? "t" : "s", 0)}
      </time>
      {(flags & SILENT) !== 0 && (
        <span class="subtext" title="Sent silently">
          <Icon name="silent" />
          <span class="hidden">Sent silently</span>
        </span>
      )}
      {(flags & CROSSPOSTED) !== 0 && <span class="subtext">Published</span>}
    </header>
  );
}

/** The time, which takes the place of the avatar while the pointer is over the message. */
function CompactTime({ atMs }: { readonly atMs: number }) {
  return (
    <time class="compact-time soft" aria-hidden="true" title={fullTime(atMs)}>
      {formatTimestamp(atMs / 1000, "t", 0)}
    </time>
  );
}

function EditedMark({ editedAtMs }: { readonly editedAtMs: number | undefined }) {
  return editedAtMs === undefined ? null : (
    <span class="subtext" title={`Edited ${fullTime(editedAtMs)}`}>
      (edited)
    </span>
  );
}

const fullTime = (atMs: number) => formatTimestamp(atMs / 1000, "F", 0);

function isToday(atMs: number): boolean {
  const now = nowMs();
  return Math.abs(now - atMs) < DAY_MS && new Date(now).getDate() === new Date(atMs).getDate();
}
