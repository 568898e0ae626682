import type { JSX } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import type { ChatMessage } from "../../../control/chat/api.ts";
import { stepOf } from "../kit/option-list.tsx";
import { Tail } from "../kit/tail.tsx";
import { MessageRow, PendingRow } from "../message/message-row.tsx";
import { jumpTarget, scrollRequests } from "../state/layers.ts";
import { areMessagesLoaded, messages } from "../state/messages.ts";
import { pending } from "../state/actions.ts";
import { channelId, memberName } from "../state/session.ts";
import { formatTimestamp } from "../text/timestamp.ts";
import { Announcer } from "./announcer.tsx";
import { Beginning } from "./beginning.tsx";
import { arrangeRows } from "./rows.ts";

export function Transcript() {
  const channel = channelId.value;
  const all = messages.value;
  const rows = useMemo(() => arrangeRows(all), [all]);
  useJump(all);
  const current = all.at(-1)?.id;
  return (
    <Tail key={channel} class="transcript" jump="Jump to present" end={scrollRequests.value}>
      {areMessagesLoaded.value && <Beginning />}
      <ol class="messages" aria-label="Messages" onKeyDown={walkMessages}>
        {rows.map((row) =>
          row.type === "day" ? (
            <li key={row.key} class="day-line row">
              <span>{formatTimestamp(row.atMs / 1000, "D", 0)}</span>
            </li>
          ) : (
            <MessageRow
              key={row.message.id}
              message={row.message}
              isCompact={row.isCompact}
              isCurrent={row.message.id === current}
            />
          ),
        )}
        {pending.value
          .filter((one) => one.channelId === channel && one.member === memberName.value)
          .map((one) => (
            <PendingRow key={one.key} pending={one} />
          ))}
      </ol>
      <Announcer messages={all} areLoaded={areMessagesLoaded.value} />
    </Tail>
  );
}

const LIT_MS = 2000;

/** Scrolls to the message in `jumpTarget` and highlights it, as soon as it has been loaded. */
function useJump(all: readonly ChatMessage[]): void {
  const target = jumpTarget.value;
  useEffect(() => {
    const node = target === undefined ? null : document.getElementById(`message-${target}`);
    if (node !== null) {
      jumpTarget.value = undefined;
      node.scrollIntoView({ block: "center" });
      node.focus({ preventScroll: true });
      node.classList.add("lit");
      setTimeout(() => node.classList.remove("lit"), LIT_MS);
    }
  }, [target, all]);
}

/** Moves between messages with the arrow keys. Keys pressed inside a message are left to it. */
function walkMessages(event: JSX.TargetedKeyboardEvent<HTMLElement>): void {
  const { key, target, currentTarget } = event;
  const all = [...currentTarget.querySelectorAll<HTMLElement>(":scope > .message[tabindex]")];
  const at = all.findIndex((one) => one === target);
  const next = at < 0 ? undefined : stepOf(key, at, all.length);
  if (next !== undefined) {
    event.preventDefault();
    all[next]?.focus();
  }
}
