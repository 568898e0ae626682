// What becomes of one request that meets a fault.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Fault, FaultAnswer, FaultKind, Listener } from "./faults.ts";
import { listenUnheard } from "./listen-unheard.ts";

export interface Meeting<Kind extends string> {
  readonly fault: Fault<Kind>;
  /** Takes what waits to be let go. */
  readonly held: Set<() => void>;
  readonly listener: Listener;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly answer: (kind: FaultKind | Kind, retryAfterMs: number) => FaultAnswer | undefined;
}

/** Real milliseconds. */
const DEFAULT_DELAY_MS = 50;
const DEFAULT_RETRY_AFTER_MS = 20;

/** Answers the request, lets it be applied or neither, as the fault says. */
export function meetFault<Kind extends string>(meeting: Meeting<Kind>): void {
  const { fault, held, listener, request, response } = meeting;
  const words = () => meeting.answer(fault.do, fault.retryAfterMs ?? DEFAULT_RETRY_AFTER_MS);
  const applyThen = (then: (said: FaultAnswer) => void) => listenUnheard(listener, request, then);
  const drop = () => request.socket.resetAndDestroy();
  /** A client that has given up in the meantime took its body with it. */
  const apply = () => {
    if (!request.socket.destroyed) {
      listener(request, response);
    }
  };

  switch (fault.do) {
    case "500-after":
      applyThen((said) => send(response, words() ?? said));
      return;
    case "drop":
      drop();
      return;
    case "drop-after":
      applyThen(drop);
      return;
    case "hang":
      held.add(apply);
      return;
    case "hang-after":
      applyThen((said) => held.add(() => send(response, said)));
      return;
    case "slow": {
      const letGo = () => {
        clearTimeout(timer);
        held.delete(letGo);
        apply();
      };
      const timer = setTimeout(letGo, fault.delayMs ?? DEFAULT_DELAY_MS);
      held.add(letGo);
      return;
    }
    case "malformed":
      applyThen(({ status }) => {
        send(response, { status, headers: { "content-type": "application/json" }, body: '{"half": tru' });
      });
      return;
    case "truncated":
      applyThen((said) => sendHalf(response, said));
      return;
    default: {
      const refusal = words();
      if (refusal === undefined) {
        apply();
        return;
      }
      // The body must be read, or a keep-alive connection would break for another reason than asked.
      request.resume();
      request.once("end", () => send(response, refusal));
    }
  }
}

function send(response: ServerResponse, { status, headers, body }: FaultAnswer): void {
  const length = status === 204 ? {} : { "content-length": Buffer.byteLength(body) };
  response.writeHead(status, { ...headers, ...length });
  response.end(body);
}

/** Promises the whole body; an answer without one is lost altogether. */
function sendHalf(response: ServerResponse, { status, headers, body }: FaultAnswer): void {
  const bytes = typeof body === "string" ? Buffer.from(body) : body;
  if (bytes.length === 0) {
    response.destroy();
    return;
  }
  response.writeHead(status, { ...headers, "content-length": bytes.length });
  response.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => response.destroy());
}
