// What the routes of the stand-in share: what they know, and how every answer leaves.
import type { IncomingMessage } from "node:http";
import type { Context } from "hono";
import type { Clock } from "../clock/clock.ts";
import type { ServerEnv } from "../faults/faults.ts";
import type { Credentials } from "./refusals.ts";
import { type Twist, twistAnswer, type AnswerBody } from "./faults.ts";
import type { Railway } from "./railway/board.ts";
import type { Train } from "./railway/train.ts";

export interface StandInContext {
  readonly clock: Clock;
  readonly railway: Railway;
  readonly credentials: Credentials;
  /** e.g. `http://127.0.0.1:4000`, known once the server listens. */
  readonly baseUrl: () => string;
  readonly twistOf: (request: IncomingMessage) => Twist | undefined;
}

/** Answers as JSON, twisted where a fault asks for it; fields that are `undefined` are left out. */
export function answer({ twistOf }: StandInContext, request: Context<ServerEnv>, body: AnswerBody): Response {
  return request.json(twistAnswer(body, twistOf(request.env.incoming)));
}

/** An address of the service below `/v3/uk`. The real one writes the caller's credentials into them. */
export function addressOf({ baseUrl, credentials }: StandInContext, path: string): string {
  const query = new URLSearchParams({ app_id: credentials.appId, app_key: credentials.appKey });
  return `${baseUrl()}/v3/uk${path}?${query.toString()}`;
}

/** Where a train's own timetable is. */
export function trainUrl(standIn: StandInContext, { uid, serviceDate }: Train): string {
  return addressOf(standIn, `/train/service_timetables/${uid}:${serviceDate}.json`);
}
