// All of one entry, fetched when it is opened and once more when it has ended.
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { TrafficDetails, TrafficEntry } from "../../../../control/api/traffic.ts";
import { ask, wordsOf } from "../../api/request.ts";
import { formatSize } from "../../text/size.ts";
import { JsonView } from "../parts/json-view.tsx";
import { lookedAt } from "./traffic-state.ts";

export function TrafficBody({ id, entry }: { readonly id: string; readonly entry: TrafficEntry }) {
  const details = useSignal<TrafficDetails | undefined>(undefined);
  const problem = useSignal("");
  const body = useRef<HTMLDivElement>(null);
  // What was just opened is to be seen, not only its first line.
  useEffect(() => body.current?.parentElement?.scrollIntoView({ block: "nearest" }), [details.value]);
  useEffect(() => {
    const load = async () => {
      details.value = await ask<TrafficDetails>(`traffic/${entry.id}`);
    };
    load().catch((error: unknown) => {
      problem.value = wordsOf(error);
    });
  }, [entry]);
  const { sent = null, answered = null, files = [] } = details.value ?? {};
  const { interactionId } = entry;
  const facts = [
    ...(entry.kind === "rest" ? [entry.path] : []),
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
      {interactionId !== null && (
        <p class="subtext">
          Interaction <span class="mono">{interactionId}</span>{" "}
          {lookedAt.value !== interactionId && (
            <button
              type="button"
              class="link-button"
              onClick={() => {
                lookedAt.value = interactionId;
              }}
            >
              Show only its calls
            </button>
          )}
        </p>
      )}
      {problem.value !== "" && <p class="alarm">{problem.value}</p>}
      {sent !== null && <JsonView title={entry.kind === "rest" ? "Sent" : "Said"} value={sent} />}
      {answered !== null && <JsonView title="Answered" value={answered} />}
      {details.value !== undefined && sent === null && answered === null && (
        <p class="subtext">There's no more to show.</p>
      )}
    </div>
  );
}
