// JSON to and from the sandbox's own routes; nothing else of the page goes out.
import type { Act, ActAnswer, Refusal, SentFile } from "../../../control/chat/api.ts";

/** Why the sandbox did not do it. */
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

/** Asks for `_sandbox/<path>`. The answer's type is what that route promises. Throws ApiError. */
export async function ask<T>(path: string, query: Readonly<Record<string, string>> = {}): Promise<T> {
  return parseResponse(await fetchOrThrow(`_sandbox/${path}?${new URLSearchParams(query)}`));
}

/** Sends JSON there. Throws ApiError. */
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
  // Page and sandbox are of one build: what the route's type promises is what it sends.
  if (response.ok) {
    return (await response.json()) as T;
  }
  // As above; a proxy, or a crash, may answer anything.
  const refusal = (await response.json().catch(() => ({}))) as Partial<Refusal>;
  throw new ApiError(
    refusal.error ?? `The sandbox answered ${response.status}.`,
    refusal.kind === "no-response",
  );
}

/** What to tell a person of anything that went wrong. */
export function errorText(error: unknown): string {
  if (error instanceof ApiError && error.isNoResponse) {
    return "The application did not respond.";
  }
  const words = error instanceof Error ? error.message : String(error);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Who looks, and at which channel. */
export interface Place {
  readonly member: string;
  readonly channel: string;
}

/** Settles when the bot has acknowledged. Throws ApiError. */
export async function sendAct(place: Place, act: Act): Promise<ActAnswer> {
  const packed = await packFiles(act);
  return send("act", { ...place, ...(typeof packed === "object" ? packed : {}) });
}

/** Files travel as base64 within the JSON, wherever they stand in it. */
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
