// One call or event: what it was, how it ended, what was found wrong; opened, all that was said.
import { useId, useMemo } from "preact/hooks";
import type { Finding, GatewayEvent, RestCall, TrafficEntry } from "../../../../control/api/traffic.ts";
import { Icon } from "../../kit/icon.tsx";
import { PathText } from "../parts/path-text.tsx";
import { Status } from "../parts/status.tsx";
import { formatTime } from "../parts/words.ts";
import { TrafficBody } from "./traffic-body.tsx";

/** As many as there are tints in tokens.css. */
const TINTS = 6n;

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
    <li class={`traffic-row ${markOf(entry)}`}>
      <button
        type="button"
        class="traffic-line"
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

/** Whether something was found, and a colour that all of an interaction have in common. */
function markOf({ findings, interactionId }: TrafficEntry): string {
  const severity = findings.some((finding) => finding.severity === "error") ? "error" : findings[0]?.severity;
  const tint = interactionId === null ? "" : `tint-${Number(BigInt(interactionId) % TINTS) + 1}`;
  return `${severity === undefined ? "" : `found-${severity}`} ${tint}`;
}

function Line({ entry }: { readonly entry: TrafficEntry }) {
  return (
    <>
      <time class="call-time soft">{formatTime(entry.atMs)}</time>
      {entry.kind === "rest" ? <RestWords call={entry} /> : <GatewayWords event={entry} />}
      {entry.findings.map((finding, index) => (
        <FindingLine key={index} finding={finding} />
      ))}
    </>
  );
}

function RestWords({ call }: { readonly call: RestCall }) {
  return (
    <>
      <span class="call-words rest">
        <span class={`method ${call.method.toLowerCase()}`}>{call.method}</span>{" "}
        <PathText path={call.route} />
        {call.files > 0 && (
          <span class="files-mark soft" title="Files sent">
            <Icon name="file" />
            {call.files}
            <span class="hidden"> {call.files === 1 ? "file" : "files"}</span>
          </span>
        )}
      </span>
      <Status status={call.status} tookMs={call.tookMs} />
    </>
  );
}

function GatewayWords({ event: { direction, name, shard } }: { readonly event: GatewayEvent }) {
  const isToBot = direction === "to-bot";
  return (
    <>
      <span class="call-words rest">
        <span class="method event">
          <Icon name={isToBot ? "arrow-down" : "up"} />
          <span class="hidden">{isToBot ? "to the bot:" : "from the bot:"}</span>
        </span>{" "}
        <span class="call-path">{name}</span>
      </span>
      {shard !== null && <span class="shard">shard {shard}</span>}
    </>
  );
}

function FindingLine({ finding: { severity, code, message } }: { readonly finding: Finding }) {
  return (
    <span class={`finding ${severity}`}>
      <Icon name={severity === "error" ? "alarm" : "eye"} />
      <span>
        <strong>{code}</strong> {message}
      </span>
    </span>
  );
}
