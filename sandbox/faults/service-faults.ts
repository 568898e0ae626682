// The faults of a stand-in: those of any server in the service's own words, and those that only this service has.
import type { IncomingMessage } from "node:http";
import { createFaults, type FaultAnswer, type FaultKind, type FaultOptions, type Faults } from "./faults.ts";

/** What a service's faults need from the server. The path of a request is the one in the ledger. */
export type FaultHooks = Required<Pick<FaultOptions<string>, "onInjected" | "pathOf">>;

export interface ServiceWords<Refusal extends string, Twist extends string> {
  /** Removed from paths before they are matched. */
  readonly prefix?: string;
  /** To a 500. */
  readonly broken: FaultAnswer;
  /** To the three 429s. `retryAfter` is in whole seconds. */
  readonly busy: (retryAfter: string) => FaultAnswer;
  /** What only this service refuses with. */
  readonly refusals: Readonly<Record<Refusal, FaultAnswer>>;
  /** Changes of what is done or answered, left to whoever answers. */
  readonly twists?: readonly Twist[];
}

export interface ServiceFaults<Kind extends string, Twist extends string> extends Faults<Kind> {
  /** How this request's answer is to be twisted, if at all. */
  twistOf(request: IncomingMessage): Twist | undefined;
}

export function createServiceFaults<Refusal extends string, Twist extends string = never>(
  hooks: FaultHooks,
  { prefix = "", broken, busy, refusals, twists = [] }: ServiceWords<Refusal, Twist>,
): ServiceFaults<Refusal | Twist, Twist> {
  const own: ReadonlyMap<string, FaultAnswer> = new Map(Object.entries<FaultAnswer>(refusals));
  const twistIn = (kind: FaultKind | Refusal | Twist | undefined) => twists.find((twist) => twist === kind);
  const faults = createFaults<Refusal | Twist>({
    ...hooks,
    prefix,
    answer(kind, retryAfterMs) {
      if (twistIn(kind) !== undefined) {
        return undefined;
      }
      const common = kind.startsWith("429") ? busy(String(Math.ceil(retryAfterMs / 1000))) : broken;
      return own.get(kind) ?? common;
    },
  });
  return { ...faults, twistOf: (request) => twistIn(faults.kindOf(request)) };
}

export function jsonAnswer(status: number, body: unknown): FaultAnswer {
  const headers = { "content-type": "application/json; charset=utf-8" };
  return { status, headers, body: JSON.stringify(body) };
}

/** A page of a gateway, as services answer with where something in front of them fails. */
export function pageAnswer(status: number, title: string): FaultAnswer {
  const body = `<html>\r\n<head><title>${title}</title></head>\r\n<body>\r\n<center><h1>${title}</h1></center>\r\n</body>\r\n</html>\r\n`;
  return { status, headers: { "content-type": "text/html" }, body };
}
