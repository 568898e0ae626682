// Who calls: the three ways in which the service takes credentials.
import { Refusal, unknownApplicationText } from "./refusals.ts";

export interface Credentials {
  readonly appId: string;
  readonly appKey: string;
}

/** What a request brings, from its query, its two headers or HTTP Basic, in this order; empty where it brings nothing. */
export function readCredentials(
  query: URLSearchParams,
  header: (name: string) => string | undefined,
): Credentials {
  const appId = query.get("app_id") ?? header("x-app-id");
  const appKey = query.get("app_key") ?? header("x-app-key");
  if (appId !== undefined || appKey !== undefined) {
    return { appId: appId ?? "", appKey: appKey ?? "" };
  }
  const basic = /^Basic\s+(\S+)$/i.exec(header("authorization") ?? "")?.[1];
  const [id = "", ...key] = Buffer.from(basic ?? "", "base64")
    .toString("utf8")
    .split(":");
  return { appId: id, appKey: key.join(":") };
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
