// The sandbox's event stream. The browser connects again by itself.
import { signal } from "@preact/signals";
import type { InspectorEvent, PageEvent } from "../../../control/api/events.ts";

/** Whether the sandbox is heard. */
export const connection = signal<"connecting" | "open" | "lost">("connecting");

const listeners = new Set<(event: PageEvent) => void>();
const openings = new Set<() => void>();
let source: EventSource | undefined;

/** Begins to hear; call it once. */
export function connect(): void {
  const stream = new EventSource("_sandbox/events");
  source = stream;
  stream.addEventListener("open", () => {
    const isAgain = connection.value === "lost";
    connection.value = "open";
    if (isAgain) {
      openings.forEach((hear) => hear());
    }
  });
  stream.addEventListener("error", () => {
    connection.value = "lost";
  });
  stream.addEventListener("message", ({ data }) => {
    // The stream's own type, of the same build.
    const event = JSON.parse(String(data)) as PageEvent;
    listeners.forEach((hear) => hear(event));
  });
}

/** Hears events of one type for as long as the page is open. */
export function listen<T extends PageEvent["type"]>(
  type: T,
  hear: (event: Extract<PageEvent, { readonly type: T }>) => void,
): void {
  const isWanted = (event: PageEvent): event is Extract<PageEvent, { readonly type: T }> =>
    event.type === type;
  listeners.add((event) => {
    if (isWanted(event)) {
      hear(event);
    }
  });
}

/** Hears that the stream came back after a break, in which anything may have been missed. */
export function listenToReturn(hear: () => void): () => void {
  openings.add(hear);
  return () => openings.delete(hear);
}

/** Hears the inspector's events, after `connect`. Returns what ends it. */
export function hearInspector(hear: (event: InspectorEvent) => void): () => void {
  const stream = source;
  const take = ({ data }: MessageEvent) => {
    // As above.
    hear(JSON.parse(String(data)) as InspectorEvent);
  };
  stream?.addEventListener("inspector", take);
  return () => stream?.removeEventListener("inspector", take);
}
