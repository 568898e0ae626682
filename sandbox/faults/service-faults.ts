// The faults of a stand-in: the common ones, answered as the service would answer, and those that only this service
// has.
import type { IncomingMessage } from "node:http";
import { createFaults, type FaultAnswer, type FaultKind, type FaultOptions, type Faults } from "./faults.ts";

/** The parts of the server that a service's faults use. `pathOf` returns a request's path in the ledger. */
export type FaultHooks = Required<Pick<FaultOptions<string>, "onInjected" | "pathOf">>;

export interface ServiceAnswers<Refusal extends string, Alteration extends string> {
  readonly prefix?: string;
  /** The answer to a 500. */
  readonly broken: FaultAnswer;
  /** The answer to the three 429s. `retryAfter` is in whole seconds. */
  readonly busy: (retryAfter: string) => FaultAnswer;
  readonly refusals: Readonly<Record<Refusal, FaultAnswer>>;
  /** Faults that change what a request does or how it is answered; the service's routes apply them. */
  readonly alterations?: readonly Alteration[];
}

export interface ServiceFaults<Kind extends string, Alteration extends string> extends Faults<Kind> {
  alterationOf(request: IncomingMessage): Alteration | undefined;
}

export function createServiceFaults<Refusal extends string, Alteration extends string = never>(
  hooks: FaultHooks,
  { prefix = "", broken, busy, refusals, alterations = [] }: ServiceAnswers<Refusal, Alteration>,
): ServiceFaults<Refusal | Alteration, Alteration> {
  const own: ReadonlyMap<string, FaultAnswer> = new Map(Object.entries<FaultAnswer>(refusals));
  const alterationIn = (kind: FaultKind | Refusal | Alteration | undefined) =>
    alterations.find((alteration) => alteration === kind);
  const faults = createFaults<Refusal | Alteration>({
    ...hooks,
    prefix,
    answer(kind, retryAfterMs) {
      if (alterationIn(kind) !== undefined) {
        return undefined;
      }
      const common = kind.startsWith("429") ? busy(String(Math.ceil(retryAfterMs / 1000))) : broken;
      return own.get(kind) ?? common;
    },
  });
  return { ...faults, alterationOf: (request) => alterationIn(faults.kindOf(request)) };
}

export function jsonAnswer(status: number, body: unknown): FaultAnswer {
  const headers = { "content-type": "application/json; charset=utf-8" };
  return { status, headers, body: JSON.stringify(body) };
}

/** An HTML error page, as a gateway sends it if something in front of a service fails. */
export function pageAnswer(status: number, title: string): FaultAnswer {
  const body = `<html>\r\n<head><title>${title}</title></head>\r\n<body>\r\n<center><h1>${title}</h1></center>\r\n</body>\r\n</html>\r\n`;
  return { status, headers: { "content-type": "text/html" }, body };
}
