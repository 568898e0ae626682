// Requests a world's control routes as the page does, and reads its event stream.
import { readEvents, type Heard } from "./event-stream.ts";
import type { World } from "../../../sandbox/world.ts";

export interface Control extends AsyncDisposable {
  get: <T>(path: string) => Promise<T>;
  post: <T>(path: string, body: object) => Promise<T>;
  remove: <T>(path: string) => Promise<T>;
  /** The raw response, for status, headers and bytes. */
  raw: (path: string, init?: RequestInit) => Promise<Response>;
  /** The first matching event of a type, past or future. Fails at the test's deadline. */
  until: <T>(type: string, fits?: (event: T) => boolean) => Promise<T>;
  /** Every event so far, with its type. */
  readonly heard: readonly Heard[];
}

const JSON_TYPE = { "content-type": "application/json" };

/** Opens a world's control routes. Callers name the type of each answer, from sandbox/control/api. */
export async function openControl({ discord }: Pick<World, "discord">): Promise<Control> {
  const raw = (path: string, init?: RequestInit) => fetch(`${discord.baseUrl}/_sandbox${path}`, init);
  const stop = new AbortController();
  const stream = await raw("/events", { signal: stop.signal });
  const heard: Heard[] = [];
  const waiting = new Set<() => void>();
  const reading = stream.body?.pipeThrough(new TextDecoderStream()).pipeThrough(readEvents());

  async function listen(): Promise<void> {
    for await (const event of reading ?? []) {
      heard.push(event);
      for (const look of waiting) {
        look();
      }
    }
  }
  // Fails when the signal aborts the stream.
  listen().catch(() => undefined);

  async function ask<T>(path: string, init?: RequestInit): Promise<T> {
    const answer = await raw(path, init);
    const body: unknown = await answer.json();
    if (!answer.ok) {
      throw new Error(JSON.stringify(body));
    }
    // The caller names the type.
    return body as T;
  }

  return {
    raw,
    heard,
    get: (path) => ask(path),
    post: (path, body) => ask(path, { method: "POST", headers: JSON_TYPE, body: JSON.stringify(body) }),
    remove: (path) => ask(path, { method: "DELETE" }),
    until: <T>(type: string, fits: (event: T) => boolean = () => true) =>
      new Promise<T>((resolve) => {
        function look(): void {
          // The caller names the type.
          const found = heard
            .map(({ data }) => data as T & { type: string })
            .find((data) => data.type === type && fits(data));
          if (found !== undefined) {
            waiting.delete(look);
            resolve(found);
          }
        }
        waiting.add(look);
        look();
      }),
    async [Symbol.asyncDispose]() {
      stop.abort();
      await Promise.resolve();
    },
  };
}
