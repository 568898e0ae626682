// Who said it, and when.
import type { ChatMessage } from "../../../control/chat/api.ts";
import { Icon } from "../kit/icon.tsx";
import { nowMs } from "../state/clock.ts";
import { lookOf } from "../state/people.ts";
import { formatTimestamp } from "../text/timestamp.ts";

const SILENT = 1 << 12;
const CROSSPOSTED = 1 << 0;
const DAY_MS = 86_400_000;

interface HeaderProps {
  readonly message: ChatMessage;
  /** For screen readers only. */
  readonly isHidden: boolean;
}

export function MessageHeader({ message, isHidden }: HeaderProps) {
  const { id, author, createdAtMs, flags } = message;
  const { tint } = lookOf(author.id, author.name);
  return (
    <header class={isHidden ? "hidden" : "message-header row"} id={`message-${id}-author`}>
      <strong class={`tinted ${tint}`}>{author.name}</strong>
      {author.bot && <span class="app-tag">App</span>}
      <time class="subtext" dateTime={new Date(createdAtMs).toISOString()} title={whole(createdAtMs)}>
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

/** In place of the picture; shown while the message is pointed at. */
export function CompactTime({ atMs }: { readonly atMs: number }) {
  return (
    <time class="compact-time soft" aria-hidden="true" title={whole(atMs)}>
      {formatTimestamp(atMs / 1000, "t", 0)}
    </time>
  );
}

export function EditedMark({ editedAtMs }: { readonly editedAtMs: number | undefined }) {
  return editedAtMs === undefined ? null : (
    <span class="subtext" title={`Edited ${whole(editedAtMs)}`}>
      (edited)
    </span>
  );
}

const whole = (atMs: number) => formatTimestamp(atMs / 1000, "F", 0);

function isToday(atMs: number): boolean {
  const now = nowMs();
  return Math.abs(now - atMs) < DAY_MS && new Date(now).getDate() === new Date(atMs).getDate();
}
