// Gateway events and REST calls as they happen, the latest last.
import { useSignal } from "@preact/signals";
import { Icon } from "../kit/icon.tsx";
import { IconButton } from "../kit/icon-button.tsx";
import { Tail } from "../kit/tail.tsx";
import { reportFailure } from "../state/toast.ts";
import { clearTraffic, shownTraffic, trafficFilter } from "./traffic-state.ts";
import { useEffect, useId, useMemo, useRef } from "preact/hooks";
import type { TrafficDetails, TrafficEntry } from "../../../control/api/traffic.ts";
import { ask } from "../api/request.ts";
import { formatSize } from "../text/size.ts";
import { formatTime } from "./format.ts";
import { Path, Status } from "./parts.tsx";

export function TrafficPanel() {
  const opened = useSignal<number | undefined>(undefined);
  const turn = (id: number) => {
    opened.value = opened.value === id ? undefined : id;
  };
  return (
    <div class="traffic">
      <div class="panel">
        <div class="input row">
          <Icon name="search" />
          <input
            class="rest"
            type="search"
            aria-label="Filter"
            placeholder="Filter by path, event, status, error…"
            value={trafficFilter.value}
            onInput={({ currentTarget }) => {
              trafficFilter.value = currentTarget.value;
            }}
          />
          <IconButton icon="trash" label="Clear" onClick={() => void reportFailure(clearTraffic())} />
        </div>
      </div>
      <Tail class="traffic-list" jump="Follow the latest">
        <ol aria-label="Gateway events and REST calls, latest last">
          {shownTraffic.value.map((entry) => (
            <TrafficRow key={entry.id} entry={entry} isOpen={entry.id === opened.value} onTurn={turn} />
          ))}
        </ol>
        {shownTraffic.value.length === 0 && <p class="panel subtext">Nothing to show. Run a command.</p>}
      </Tail>
    </div>
  );
}

interface TrafficRowProps {
  readonly entry: TrafficEntry;
  readonly isOpen: boolean;
  readonly onTurn: (id: number) => void;
}

function TrafficRow({ entry, isOpen, onTurn }: TrafficRowProps) {
  const id = useId();
  // There are hundreds of lines, so each is rendered again only if its entry changes.
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
      {isOpen && <Body id={id} entry={entry} />}
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
            <span class="method">{entry.method}</span> <Path path={entry.route} />
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

/** The details of an entry. They are fetched when it is opened, and again when the call has ended. */
function Body({ id, entry }: { readonly id: string; readonly entry: TrafficEntry }) {
  const details = useSignal<TrafficDetails | undefined>(undefined);
  const body = useRef<HTMLDivElement>(null);
  // Scrolls the opened details into view, not only the entry's line.
  useEffect(() => body.current?.parentElement?.scrollIntoView({ block: "nearest" }), [details.value]);
  useEffect(() => {
    const load = async () => {
      details.value = await ask<TrafficDetails>(`traffic/${entry.id}`);
    };
    void reportFailure(load());
  }, [entry]);
  const { sent = null, answered = null, files = [] } = details.value ?? {};
  const facts = [
    ...(entry.kind === "rest" ? [entry.path] : []),
    ...(entry.interactionId === null ? [] : [`interaction ${entry.interactionId}`]),
    ...entry.findings.flatMap(({ code, place }) => (place === null ? [] : [`${code} at ${place}`])),
    ...files.map(({ name, sizeBytes }) => `${name}, ${formatSize(sizeBytes)}`),
  ];
  return (
    <div ref={body} class="traffic-body panel" id={id}>
      {facts.map((fact) => (
        <p key={fact} class="mono">
          {fact}
        </p>
      ))}
      {sent !== null && <Json title="Sent" value={sent} />}
      {answered !== null && <Json title="Answered" value={answered} />}
    </div>
  );
}

function Json({ title, value }: { readonly title: string; readonly value: unknown }) {
  return (
    <section aria-label={title}>
      <h4 class="subtext">{title}</h4>
      <pre class="code card mono" tabIndex={0}>
        {typeof value === "string" ? value : JSON.stringify(value, null, 2)}
      </pre>
    </section>
  );
}
