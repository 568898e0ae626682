// JSON to and from the sandbox's own routes; nothing else of the page goes out.
import type { RefusalKind } from "../../../control/chat/api.ts";

/** Why the sandbox did not do it. `lost`: nobody answered at all. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly kind: RefusalKind | "lost";

  constructor(message: string, kind: RefusalKind | "lost") {
    super(message);
    this.kind = kind;
  }
}

const LOST = "The sandbox isn't answering. Is npm run sandbox still running?";

/** Asks for `_sandbox/<path>`. The answer's type is what that route promises. Throws ApiError. */
export async function ask<T>(path: string, query: Readonly<Record<string, string>> = {}): Promise<T> {
  return read(await reach(`_sandbox/${path}?${new URLSearchParams(query)}`));
}

/** Sends JSON there. Throws ApiError. */
export async function send<T>(path: string, body: object, method: "POST" | "DELETE" = "POST"): Promise<T> {
  const init = { method, headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  return read(await reach(`_sandbox/${path}`, init));
}

async function reach(path: string, init?: RequestInit): Promise<Response> {
  try {
    return await fetch(path, init);
  } catch {
    throw new ApiError(LOST, "lost");
  }
}

async function read<T>(response: Response): Promise<T> {
  const answer: unknown = await response.json().catch(() => undefined);
  if (!response.ok) {
    throw refusalOf(answer, response.status);
  }
  // Page and sandbox are of one build: what the route's type promises is what it sends.
  return answer as T;
}

function refusalOf(answer: unknown, status: number): ApiError {
  const said = typeof answer === "object" && answer !== null ? answer : {};
  const error = "error" in said ? String(said.error) : `The sandbox answered ${status}.`;
  return new ApiError(error, "kind" in said && said.kind === "no-response" ? "no-response" : "refused");
}

/** What to tell a person of anything that went wrong. */
export function wordsOf(error: unknown): string {
  if (error instanceof ApiError && error.kind === "no-response") {
    return "The application did not respond.";
  }
  const words = error instanceof Error ? error.message : String(error);
  return words.charAt(0).toUpperCase() + words.slice(1);
}
