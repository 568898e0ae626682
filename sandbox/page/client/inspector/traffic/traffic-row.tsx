// One call or event: what it was, how it ended, what was found wrong; opened, all that was said.
import { useId, useMemo } from "preact/hooks";
import type { TrafficEntry } from "../../../../control/api/traffic.ts";
import { Icon } from "../../kit/icon.tsx";
import { Status } from "../parts/status.tsx";
import { formatTime } from "../parts/words.ts";
import { TrafficBody } from "./traffic-body.tsx";

interface TrafficRowProps {
  readonly entry: TrafficEntry;
  readonly isOpen: boolean;
  readonly onTurn: (id: number) => void;
}

export function TrafficRow({ entry, isOpen, onTurn }: TrafficRowProps) {
  const id = useId();
  // Drawn anew only when the entry itself is another: there are hundreds.
  const line = useMemo(() => <Line entry={entry} />, [entry]);
  return (
    <li>
      <button
        type="button"
        class="traffic-line call row"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => onTurn(entry.id)}
      >
        {line}
      </button>
      {isOpen && <TrafficBody id={id} entry={entry} />}
    </li>
  );
}

function Line({ entry }: { readonly entry: TrafficEntry }) {
  return (
    <>
      <time class="mono soft">{formatTime(entry.atMs)}</time>
      {entry.kind === "rest" ? (
        <>
          <span class="call-words mono rest">
            <span class={`method ${entry.method.toLowerCase()}`}>{entry.method}</span> {entry.route}
            {entry.files > 0 && <span class="soft"> with {entry.files === 1 ? "a file" : "files"}</span>}
          </span>
          <Status status={entry.status} tookMs={entry.tookMs} />
        </>
      ) : (
        <>
          <span class="call-words mono rest">
            <span class="method">{entry.direction === "to-bot" ? "to bot" : "from bot"}</span> {entry.name}
          </span>
          {entry.shard !== null && <span class="mono soft">shard {entry.shard}</span>}
        </>
      )}
      {entry.findings.map(({ severity, code, message }, index) => (
        <span key={index} class={`finding ${severity === "error" ? "alarm" : "warning"}`}>
          <Icon name={severity === "error" ? "alarm" : "eye"} /> <strong>{code}</strong> {message}
        </span>
      ))}
    </>
  );
}
