// The last that was said between the bot and the local Discord, both ways, for whoever looks on.
import type { IncomingMessage, ServerResponse } from "node:http";
import { createCallWatch, type CallWatch } from "../http/call-watch.ts";
import type { GatewayFaultKind } from "./gateway/faults.ts";
import { keepAnswer, type KeptAnswer } from "./kept-answer.ts";
import type { RecordedRequest, Recorder } from "./record.ts";

/** A request, from its arrival on. */
export interface RestNote {
  readonly kind: "rest";
  readonly id: number;
  readonly atMs: number;
  readonly record: RecordedRequest;
  readonly interactionId: string | undefined;
  readonly answer: KeptAnswer;
  /** Real milliseconds; `undefined` while it is open. */
  tookMs: number | undefined;
}

/** Something said over the gateway. */
export interface GatewaySaid {
  readonly direction: "to-bot" | "from-bot";
  /** An event's or an operation's name; `CLOSE` for the end of a socket. */
  readonly name: string;
  /** `undefined` before IDENTIFY. */
  readonly shardId: number | undefined;
  readonly data: unknown;
  /** What befell it on demand; `moment`: somebody brought it about. */
  readonly fault: GatewayFaultKind | "moment" | undefined;
  /** An event for a session without a socket: it is kept for a RESUME. */
  readonly isKept: boolean;
}

export interface GatewayNote extends GatewaySaid {
  readonly kind: "gateway";
  readonly id: number;
  readonly atMs: number;
}

export type TrafficNote = RestNote | GatewayNote;

export interface Traffic {
  /** Oldest first. */
  readonly notes: readonly TrafficNote[];
  /** Of the requests. */
  readonly calls: CallWatch;
  /** Hears of each note, of a request's again when it is over. Returns what ends the hearing. */
  listen(listener: (note: TrafficNote) => void): () => void;
  forget(): void;
}

/** The traffic, and what the servers need of it. */
export interface InstalledTraffic extends Traffic {
  /** A request came in. One that is not the API's is passed over. */
  noteRequest(request: IncomingMessage, response: ServerResponse): void;
  noteGateway(said: GatewaySaid): void;
}

/** So many are kept: a morning of one bot, and no burden for a sandbox that runs for days. */
const KEPT_NOTES = 500;

/** `interactionOf` knows an interaction by its token. */
export function createTraffic(
  now: () => number,
  recorder: Pick<Recorder, "begin">,
  interactionOf: (token: string) => string | undefined,
): InstalledTraffic {
  const notes: TrafficNote[] = [];
  const listeners = new Set<(note: TrafficNote) => void>();
  const calls = createCallWatch();
  let lastId = 0;

  function tell(note: TrafficNote): void {
    for (const listener of listeners) {
      listener(note);
    }
  }

  function add(note: TrafficNote): void {
    notes.push(note);
    if (notes.length > KEPT_NOTES) {
      notes.shift();
    }
    tell(note);
  }

  return {
    notes,
    calls,
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    forget() {
      notes.length = 0;
    },
    noteRequest(request, response) {
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
        answer: keepAnswer(response),
        tookMs: undefined,
      };
      calls.begin(response, ({ tookMs }) => {
        note.tookMs = tookMs;
        tell(note);
      });
      add(note);
    },
    noteGateway(said) {
      add({ kind: "gateway", id: (lastId += 1), atMs: now(), ...said });
    },
  };
}
