// Calls to a stand-in, the latest first.
import type { ComponentChildren } from "preact";
import type { ServiceCall } from "../../../../control/api/services.ts";
import { PathText } from "./path-text.tsx";
import { Status } from "./status.tsx";
import { formatTime } from "./words.ts";

/** So many are drawn; the ledger has more. */
const DRAWN = 60;

interface CallListProps<T extends ServiceCall> {
  readonly calls: readonly T[];
  /** What only this service says of a call. */
  readonly more?: (call: T) => ComponentChildren;
}

export function CallList<T extends ServiceCall>({ calls, more }: CallListProps<T>) {
  const first = Math.max(0, calls.length - DRAWN);
  if (calls.length === 0) {
    return <p class="empty">No calls yet.</p>;
  }
  return (
    <ol class="calls" aria-label="Calls, latest first">
      {calls
        .slice(first)
        .map((call, index) => (
          <li key={first + index} class="call">
            <time class="call-time soft">{formatTime(call.atMs)}</time>
            <span class={`method ${call.method.toLowerCase()}`}>{call.method}</span>
            <span class="call-notes rest">
              {call.fault !== null && <span class="fault-mark">met {call.fault}</span>}
              {more?.(call)}
            </span>
            <Status status={call.status} tookMs={call.tookMs} />
            <PathText path={call.path} />
          </li>
        ))
        .toReversed()}
    </ol>
  );
}
