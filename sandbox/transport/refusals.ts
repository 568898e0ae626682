// The caller's credentials, and the service's refusals: JSON with one key, `error`, and a plain sentence.
import type { IncomingHttpHeaders } from "node:http";

export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly status: 400 | 401 | 403 | 404 | 422;

  constructor(status: Refusal["status"], message: string) {
    super(message);
    this.status = status;
  }
}

const WHERE_TO_SIGN_UP = "See http://transportapi.com for plans and sign-up.";

/** The service's own sentence for unknown credentials. Like the real one, it repeats the caller's key. */
export function unknownApplicationText(appId: string, appKey: string): string {
  return `Authorisation failed for app_key ${appKey} and app_id ${appId} with error 'application with id="${appId}" was not found' (code 'application_not_found'). ${WHERE_TO_SIGN_UP}`;
}

/** The service's own sentence for a plan that is used up. */
export function usedUpText(appId: string, appKey: string): string {
  return `Authorisation failed for app_key ${appKey} and app_id ${appId} with error 'usage limits are exceeded'. ${WHERE_TO_SIGN_UP}`;
}

export interface Credentials {
  readonly appId: string;
  readonly appKey: string;
}

/** In the request's query, or else in its two headers; empty texts if it has none. */
export function readCredentials(query: URLSearchParams, headers: IncomingHttpHeaders): Credentials {
  const appId = query.get("app_id") ?? headers["x-app-id"] ?? "";
  const appKey = query.get("app_key") ?? headers["x-app-key"] ?? "";
  return { appId: String(appId), appKey: String(appKey) };
}

/** Throws a Refusal: 401 for an unknown application, 403 for a wrong key. */
export function checkCredentials(given: Credentials, expected: Credentials): void {
  if (given.appId !== expected.appId) {
    throw new Refusal(401, unknownApplicationText(given.appId, given.appKey));
  }
  if (given.appKey !== expected.appKey) {
    throw new Refusal(403, unknownApplicationText(given.appId, given.appKey));
  }
}

/** A request's path and query without credentials, so that it can be recorded. */
export function withoutCredentials(url: URL): string {
  const query = new URLSearchParams(url.search);
  query.delete("app_id");
  query.delete("app_key");
  return query.size === 0 ? url.pathname : `${url.pathname}?${query.toString()}`;
}
