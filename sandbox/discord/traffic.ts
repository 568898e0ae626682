// The most recent traffic between the bot and the local Discord in both directions, for the inspector.
import type { IncomingMessage, ServerResponse } from "node:http";
import { createCallWatch } from "../http/call-watch.ts";
import type { GatewayFaultKind } from "./gateway/faults.ts";
import type { RecordedRequest, Recorder } from "./record.ts";

/** A request to the API. It is noted on arrival, and completed when it ends. */
export interface RestNote {
  readonly kind: "rest";
  readonly id: number;
  readonly atMs: number;
  readonly record: RecordedRequest;
  readonly interactionId: string | undefined;
  readonly answer: ReturnType<typeof captureAnswer>;
  /** Real milliseconds; `undefined` while it is open. */
  tookMs: number | undefined;
}

export interface GatewayPayload {
  readonly direction: "to-bot" | "from-bot";
  /** The name of an event or operation; `CLOSE` for the end of a socket. */
  readonly name: string;
  /** `undefined` before IDENTIFY. */
  readonly shardId: number | undefined;
  readonly data: unknown;
  /** The injected fault; `on-demand` if it was sent on demand. */
  readonly fault: GatewayFaultKind | "on-demand" | undefined;
  /** Whether it was not sent but kept for a RESUME, because its session had no socket. */
  readonly isKept: boolean;
}

export interface GatewayNote extends GatewayPayload {
  readonly kind: "gateway";
  readonly id: number;
  readonly atMs: number;
}

export type TrafficNote = RestNote | GatewayNote;

/** How many notes are kept: enough for one bot's morning, and few enough for a sandbox that runs for days. */
const KEPT_NOTES = 500;

/** `interactionOf` finds an interaction by its token. */
export function createTraffic(
  now: () => number,
  recorder: Pick<Recorder, "begin">,
  interactionOf: (token: string) => string | undefined,
) {
  const notes: TrafficNote[] = [];
  const listeners = new Set<(note: TrafficNote) => void>();
  const calls = createCallWatch();
  let lastId = 0;

  function notify(note: TrafficNote): void {
    for (const listener of listeners) {
      listener(note);
    }
  }

  function add(note: TrafficNote): void {
    notes.push(note);
    if (notes.length > KEPT_NOTES) {
      notes.shift();
    }
    notify(note);
  }

  return {
    /** Oldest first. */
    notes,
    calls,
    /** Calls back on each note, and again when a request ends. */
    listen(listener: (note: TrafficNote) => void) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    forget() {
      notes.length = 0;
    },
    /** Notes a new request if it is for the API. */
    recordRequest(request: IncomingMessage, response: ServerResponse) {
      const record = recorder.begin(request, response);
      if (record === undefined) {
        return;
      }
      const [, resource, id, token = ""] = record.path.split("/");
      const note: RestNote = {
        kind: "rest",
        id: (lastId += 1),
        atMs: record.atMs,
        record,
        interactionId: resource === "interactions" ? id : interactionOf(token),
        answer: captureAnswer(response),
        tookMs: undefined,
      };
      calls.begin(response, ({ tookMs }) => {
        note.tookMs = tookMs;
        notify(note);
      });
      add(note);
    },
    recordPayload(payload: GatewayPayload) {
      add({ kind: "gateway", id: (lastId += 1), atMs: now(), ...payload });
    },
  };
}

const KEPT_BYTES = 64 * 1024;

function captureAnswer(response: ServerResponse) {
  const parts: Uint8Array[] = [];
  let left = KEPT_BYTES;
  let isCut = false;

  function keep(part: unknown): void {
    const bytes = typeof part === "string" ? Buffer.from(part) : part;
    if (bytes instanceof Uint8Array) {
      isCut ||= bytes.byteLength > left;
      parts.push(bytes.subarray(0, left));
      left -= Math.min(left, bytes.byteLength);
    }
  }

  const write = response.write.bind(response);
  const end = response.end.bind(response);
  // `write` has several signatures, all of which begin with the chunk; the other arguments are passed on unchanged.
  response.write = ((...given: unknown[]): unknown => {
    keep(given[0]);
    return Reflect.apply(write, response, given);
  }) as ServerResponse["write"];
  // As above.
  response.end = ((...given: unknown[]): unknown => {
    keep(given[0]);
    return Reflect.apply(end, response, given);
  }) as ServerResponse["end"];

  return {
    /** The beginning of the body as it was sent; empty if there was none. */
    text: () => Buffer.concat(parts).toString("utf8"),
    get isCut() {
      return isCut;
    },
  };
}
