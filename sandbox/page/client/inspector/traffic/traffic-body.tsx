// All of one entry, fetched when it is opened and once more when it has ended.
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { TrafficDetails, TrafficEntry } from "../../../../control/api/traffic.ts";
import { ask } from "../../api/request.ts";
import { wordsOf } from "../../state/acts.ts";
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
  const places = entry.findings.filter(({ place }) => place !== null && place !== "");
  return (
    <div ref={body} class="traffic-body" id={id}>
      <dl>
        {entry.kind === "rest" && (
          <>
            <dt>Path</dt>
            <dd>
              <code>{entry.path}</code>
            </dd>
          </>
        )}
        {places.map(({ code, place }, index) => (
          <Fact key={index} name={code} words={`at ${place}`} />
        ))}
        {files.map(({ name, sizeBytes }) => (
          <Fact key={name} name="File" words={`${name}, ${formatSize(sizeBytes)}`} />
        ))}
        {entry.interactionId !== null && (
          <>
            <dt>Interaction</dt>
            <dd>
              <code>{entry.interactionId}</code>{" "}
              {lookedAt.value !== entry.interactionId && (
                <button
                  type="button"
                  class="link-button"
                  onClick={() => {
                    lookedAt.value = entry.interactionId ?? undefined;
                  }}
                >
                  Show only its calls
                </button>
              )}
            </dd>
          </>
        )}
      </dl>
      {problem.value !== "" && <p class="empty">{problem.value}</p>}
      {sent !== null && <JsonView title={entry.kind === "rest" ? "Sent" : "Said"} value={sent} />}
      {answered !== null && <JsonView title="Answered" value={answered} />}
      {details.value !== undefined && sent === null && answered === null && (
        <p class="empty">There's no more to show.</p>
      )}
    </div>
  );
}

function Fact({ name, words }: { readonly name: string; readonly words: string }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{words}</dd>
    </>
  );
}
