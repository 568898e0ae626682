import type { IncomingMessage } from "node:http";
import type { Context } from "hono";
import type { Clock } from "../clock/clock.ts";
import type { ServerEnv } from "../faults/faults.ts";
import type { Credentials } from "./refusals.ts";
import { type Alteration, alterAnswer, type AnswerBody } from "./faults.ts";
import type { Railway } from "./railway/board.ts";
import type { Train } from "./railway/train.ts";

export interface StandInContext {
  readonly clock: Clock;
  readonly railway: Railway;
  readonly credentials: Credentials;
  /** e.g. `http://127.0.0.1:4000`. Known once the server listens. */
  readonly baseUrl: () => string;
  readonly alterationOf: (request: IncomingMessage) => Alteration | undefined;
}

/** Answers with JSON, changed if a fault asks for it. Fields that are `undefined` are left out. */
export function answer(
  { alterationOf }: StandInContext,
  request: Context<ServerEnv>,
  body: AnswerBody,
): Response {
  return request.json(alterAnswer(body, alterationOf(request.env.incoming)));
}

/** An address of the service below `/v3/uk`. Like the real service's, it contains the caller's credentials. */
export function addressOf({ baseUrl, credentials }: StandInContext, path: string): string {
  const query = new URLSearchParams({ app_id: credentials.appId, app_key: credentials.appKey });
  return `${baseUrl()}/v3/uk${path}?${query.toString()}`;
}

export function trainUrl(standIn: StandInContext, { uid, serviceDate }: Train): string {
  return addressOf(standIn, `/train/service_timetables/${uid}:${serviceDate}.json`);
}
