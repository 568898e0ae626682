// Who calls: the two ways in which the bot gives its credentials.
import { Refusal, unknownApplicationText } from "./refusals.ts";

export interface Credentials {
  readonly appId: string;
  readonly appKey: string;
}

/** What a request brings, from its query, or its two headers; empty where it brings nothing. */
export function readCredentials(
  query: URLSearchParams,
  header: (name: string) => string | undefined,
): Credentials {
  const appId = query.get("app_id") ?? header("x-app-id");
  const appKey = query.get("app_key") ?? header("x-app-key");
  return { appId: appId ?? "", appKey: appKey ?? "" };
}

/** Throws a Refusal: 401 for an application nobody knows, 403 for a known one with another key. */
export function checkCredentials(given: Credentials, expected: Credentials): void {
  if (given.appId !== expected.appId) {
    throw new Refusal(401, unknownApplicationText(given.appId, given.appKey));
  }
  if (given.appKey !== expected.appKey) {
    throw new Refusal(403, unknownApplicationText(given.appId, given.appKey));
  }
}
