// What the routes of the stand-in share.
import type { IncomingMessage } from "node:http";
import type { HttpBindings } from "@hono/node-server";
import type { Clock } from "../clock/clock.ts";
import type { Credentials } from "./credentials.ts";
import type { Twist } from "./faults.ts";
import type { Railway } from "./railway/board.ts";

/** Which fields the paths have that both dialects know; the current path is always public. */
export type AnswerDialect = "specification" | "public";

export interface StandInContext {
  readonly clock: Clock;
  readonly railway: Railway;
  readonly credentials: Credentials;
  /** Read at every request, so that it may change. */
  readonly dialect: () => AnswerDialect;
  /** e.g. `http://127.0.0.1:4000`, known once the server listens. */
  readonly baseUrl: () => string;
  readonly twistOf: (request: IncomingMessage) => Twist | undefined;
}

/** Hono's environment of the stand-in. */
export interface StandInEnv {
  // oxlint-disable-next-line typescript/naming-convention -- Hono's own name
  Bindings: HttpBindings;
}
