// The request context that all routes share.
import type { HttpBindings } from "@hono/node-server";
import { Hono, type Context } from "hono";
import type { RecordedRequest } from "../record.ts";
import type { UploadedFile } from "../rules/attachments.ts";

export const API_PREFIX = "/api/v10";

/** A request's body, which is read before its route runs. */
export interface RequestBody {
  /** JSON or `payload_json`; `undefined` without a body. */
  readonly json: unknown;
  readonly files: readonly UploadedFile[];
}

interface RouteEnvironment {
  Bindings: HttpBindings;
  Variables: { body: RequestBody; record: RecordedRequest | undefined };
}

export type RouteContext = Context<RouteEnvironment>;

export type Routes = Hono<RouteEnvironment>;

export function createRoutes(): Routes {
  return new Hono<RouteEnvironment>();
}

/** Answers 204 as Discord does: without a body, and without a content type, which would make discord.js parse it. */
export function noContent(context: RouteContext): Response {
  return context.body(null, 204);
}
