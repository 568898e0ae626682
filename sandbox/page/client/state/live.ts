// The sandbox's event stream. The browser connects again by itself.
import { signal } from "@preact/signals";
import type { InspectorEvent, PageEvent } from "../../../control/api/events.ts";

type Type = PageEvent["type"];
/** The member of the union that has this type, perhaps among others. */
type EventOf<T extends Type, E = PageEvent> = E extends { readonly type: infer U }
  ? T extends U
    ? E
    : never
  : never;

/** Whether the sandbox is heard. */
export const connection = signal<"connecting" | "open" | "lost">("connecting");

const listeners = new Map<string, Set<(event: PageEvent) => void>>();
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
    listeners.get(event.type)?.forEach((hear) => hear(event));
  });
}

/** Hears events of one type. Returns what ends it. */
export function listen<T extends Type>(type: T, hear: (event: EventOf<T>) => void): () => void {
  const heard = listeners.get(type) ?? new Set();
  listeners.set(type, heard);
  // Called with events of this type only: the map is by type.
  const any = hear as (event: PageEvent) => void;
  heard.add(any);
  return () => heard.delete(any);
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
