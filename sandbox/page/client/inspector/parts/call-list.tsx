// Calls to a stand-in, the latest first.
import type { ComponentChildren } from "preact";
import type { ServiceCall } from "../../../../control/api/services.ts";
import { Status } from "./status.tsx";
import { formatTime } from "./words.ts";

interface CallListProps<T extends ServiceCall> {
  readonly calls: readonly T[];
  /** What only this service says of a call. */
  readonly more?: (call: T) => ComponentChildren;
}

export function CallList<T extends ServiceCall>({ calls, more }: CallListProps<T>) {
  if (calls.length === 0) {
    return <p class="subtext">No calls yet.</p>;
  }
  return (
    <ol class="lines" aria-label="Calls, latest first">
      {calls
        .map((call, index) => (
          <li key={index} class="call row">
            <time class="mono soft">{formatTime(call.atMs)}</time>
            <span class={`mono method ${call.method.toLowerCase()}`}>{call.method}</span>
            <span class="rest subtext">
              {call.fault !== null && <span class="alarm">met {call.fault} </span>}
              {more?.(call)}
            </span>
            <Status status={call.status} tookMs={call.tookMs} />
            <span class="call-path mono">{call.path}</span>
          </li>
        ))
        .toReversed()}
    </ol>
  );
}
