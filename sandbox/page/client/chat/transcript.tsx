// The open channel's messages.
import { useMemo } from "preact/hooks";
import { Tail } from "../kit/tail.tsx";
import { MessageRow } from "../message/message-row.tsx";
import { PendingRow } from "../message/pending-row.tsx";
import { wantedEnd } from "../state/layers.ts";
import { areMessagesThere, messages } from "../state/messages.ts";
import { pending } from "../state/pending.ts";
import { channelId } from "../state/session.ts";
import { formatTimestamp } from "../text/timestamp.ts";
import { Announcer } from "./announcer.tsx";
import { Beginning } from "./beginning.tsx";
import { arrangeRows } from "./rows.ts";
import { useJump } from "./use-jump.ts";
import { walkMessages } from "./walk-messages.ts";

export function Transcript() {
  const channel = channelId.value;
  const all = messages.value;
  const rows = useMemo(() => arrangeRows(all), [all]);
  useJump(all);
  const current = all.at(-1)?.id;
  return (
    <Tail key={channel} class="transcript" jump="Jump to present" end={wantedEnd.value}>
      {areMessagesThere.value && <Beginning />}
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
          .filter((one) => one.channelId === channel)
          .map((one) => (
            <PendingRow key={one.key} pending={one} />
          ))}
      </ol>
      <Announcer messages={all} areThere={areMessagesThere.value} />
    </Tail>
  );
}
