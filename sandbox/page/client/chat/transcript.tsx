// The open channel's messages.
import { Fragment } from "preact";
import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { MessageRow } from "../message/message-row.tsx";
import { PendingRow } from "../message/pending-row.tsx";
import { areMessagesThere, messages } from "../state/messages.ts";
import { goToEnd } from "../state/layers.ts";
import { pending } from "../state/pending.ts";
import { channelId } from "../state/session.ts";
import { Announcer } from "./announcer.tsx";
import { Beginning } from "./beginning.tsx";
import { placePending } from "./place-pending.ts";
import { arrangeRows } from "./rows.ts";
import { useFollowing } from "./use-following.ts";
import { useJump } from "./use-jump.ts";
import { walkMessages } from "./walk-messages.ts";
import { formatTimestamp } from "../text/timestamp.ts";
import { Icon } from "../kit/icon.tsx";

export function Transcript() {
  const channel = channelId.value;
  return <ChannelTranscript key={channel} channel={channel} />;
}

function ChannelTranscript({ channel }: { readonly channel: string }) {
  const all = messages.value;
  const list = useRef<HTMLDivElement>(null);
  const { isFollowing, toEnd } = useFollowing(list);
  const rows = useMemo(() => arrangeRows(all), [all]);
  const waiting = pending.value.filter((one) => one.channelId === channel);
  const { below, atEnd } = placePending(waiting, all);
  useLayoutEffect(toEnd, [rows, waiting.length]);
  useJump(list, all);
  const current = all.at(-1)?.id;
  return (
    <div ref={list} class="transcript" tabIndex={-1}>
      <div class="transcript-content">
        {areMessagesThere.value && <Beginning />}
        <ol class="messages" aria-label="Messages" onKeyDown={walkMessages}>
          {rows.map((row) =>
            row.type === "day" ? (
              <DayLine key={row.key} atMs={row.atMs} />
            ) : (
              <Fragment key={row.message.id}>
                <MessageRow
                  message={row.message}
                  isCompact={row.isCompact}
                  isCurrent={row.message.id === current}
                />
                {below.get(row.message.id)?.map((one) => (
                  <PendingRow key={one.key} pending={one} />
                ))}
              </Fragment>
            ),
          )}
          {atEnd.map((one) => (
            <PendingRow key={one.key} pending={one} />
          ))}
        </ol>
      </div>
      <Announcer messages={all} areThere={areMessagesThere.value} />
      {!isFollowing.value && <JumpToEnd onJump={goToEnd} />}
    </div>
  );
}

/** Between two days. */
function DayLine({ atMs }: { readonly atMs: number }) {
  return (
    <li class="day-line">
      <span>{formatTimestamp(atMs / 1000, "D", 0)}</span>
    </li>
  );
}

/** Offered to whoever reads further up. */
function JumpToEnd({ onJump }: { readonly onJump: () => void }) {
  return (
    <button type="button" class="jump-to-end" onClick={onJump}>
      You’re looking at older messages
      <span>
        Jump to present <Icon name="down" />
      </span>
    </button>
  );
}
