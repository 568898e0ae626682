// How every answer leaves: as JSON, twisted where a fault asks for it.
import type { Context } from "hono";
import type { StandInContext, StandInEnv } from "./context.ts";
import type { Train } from "./railway/train.ts";
import { twistAnswer } from "./twist.ts";
import type { AnswerBody } from "./twist.ts";

/** Fields that are `undefined` are left out. */
export function answer(
  { twistOf }: StandInContext,
  request: Context<StandInEnv>,
  body: AnswerBody,
): Response {
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
