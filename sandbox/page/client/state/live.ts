// The sandbox's event stream. The browser reconnects automatically.
import { signal } from "@preact/signals";
import type { InspectorEvent, PageEvent } from "../../../control/api/events.ts";

export const isDisconnected = signal(false);

type StreamEvent = PageEvent | InspectorEvent;

const listeners = new Set<(event: StreamEvent) => void>();
const reconnectListeners = new Set<() => void>();

export function connect(): void {
  const stream = new EventSource("_sandbox/events");
  stream.addEventListener("open", () => {
    if (isDisconnected.value) {
      reconnectListeners.forEach((listener) => listener());
    }
    isDisconnected.value = false;
  });
  stream.addEventListener("error", () => {
    isDisconnected.value = true;
  });
  for (const name of ["message", "inspector"]) {
    stream.addEventListener(name, ({ data }) => {
      // The page and the sandbox share this type and run from the same sources.
      const event = JSON.parse(String(data)) as StreamEvent;
      listeners.forEach((listener) => listener(event));
    });
  }
}

/** Calls the listener for events of one type, for as long as the page is open. */
export function listen<T extends StreamEvent["type"]>(
  type: T,
  listener: (event: Extract<StreamEvent, { readonly type: T }>) => void,
): void {
  const isWanted = (event: StreamEvent): event is Extract<StreamEvent, { readonly type: T }> =>
    event.type === type;
  listeners.add((event) => {
    if (isWanted(event)) {
      listener(event);
    }
  });
}

/** Calls the listener when the stream is back after a break, during which events may have been missed. */
export function onReconnect(listener: () => void): void {
  reconnectListeners.add(listener);
}
