// Sends and fetches JSON on the sandbox's own routes. The page sends no other API requests.
import type { Action, ActionAnswer, Refusal, SentFile } from "../../../control/chat/api.ts";

/** A request that the sandbox refused, or that did not reach it. The message is for the person at the page. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  /** The bot did not answer in time. */
  readonly isNoResponse: boolean;

  constructor(message: string, isNoResponse = false) {
    super(message);
    this.isNoResponse = isNoResponse;
  }
}

const LOST = "The sandbox isn't answering. Is npm run sandbox still running?";

/** Fetches `_sandbox/<path>`. `T` must be the type that this route answers with. Throws ApiError. */
export async function ask<T>(path: string, query: Readonly<Record<string, string>> = {}): Promise<T> {
  return parseResponse(await fetchOrThrow(`_sandbox/${path}?${new URLSearchParams(query)}`));
}

/** Sends JSON to `_sandbox/<path>`. `T` must be the type that this route answers with. Throws ApiError. */
export async function send<T>(path: string, body: object, method: "POST" | "DELETE" = "POST"): Promise<T> {
  const init = { method, headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  return parseResponse(await fetchOrThrow(`_sandbox/${path}`, init));
}

async function fetchOrThrow(path: string, init?: RequestInit): Promise<Response> {
  try {
    return await fetch(path, init);
  } catch {
    throw new ApiError(LOST);
  }
}

async function parseResponse<T>(response: Response): Promise<T> {
  if (response.ok) {
    // The page and the sandbox share these types and run from the same sources.
    return (await response.json()) as T;
  }
  // A proxy or a crash may answer with something else, so every field may be missing.
  const refusal = (await response.json().catch(() => ({}))) as Partial<Refusal>;
  throw new ApiError(
    refusal.error ?? `The sandbox answered ${response.status}.`,
    refusal.kind === "no-response",
  );
}

export function errorText(error: unknown): string {
  if (error instanceof ApiError && error.isNoResponse) {
    return "The application did not respond.";
  }
  const words = error instanceof Error ? error.message : String(error);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export interface Place {
  readonly member: string;
  /** The channel's id. */
  readonly channel: string;
}

/** Does what a member does in Discord. Resolves when the bot has acknowledged it. Throws ApiError. */
export async function sendAction(place: Place, action: Action): Promise<ActionAnswer> {
  const packed = await packFiles(action);
  return send("act", { ...place, ...(typeof packed === "object" ? packed : {}) });
}

/** Replaces every `File` in the value with its name and its bytes as base64. */
async function packFiles(value: unknown): Promise<unknown> {
  if (value instanceof File) {
    return {
      name: value.name,
      base64: new Uint8Array(await value.arrayBuffer()).toBase64(),
    } satisfies SentFile;
  }
  if (Array.isArray(value)) {
    return Promise.all(value.map(packFiles));
  }
  if (typeof value === "object" && value !== null) {
    const entries = Object.entries(value).map(async ([key, one]) => [key, await packFiles(one)] as const);
    return Object.fromEntries(await Promise.all(entries));
  }
  return value;
}
