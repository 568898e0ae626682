// How every answer leaves: as JSON, twisted where a fault asks for it.
import type { Context } from "hono";
import type { StandInContext, StandInEnv } from "../context.ts";
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
