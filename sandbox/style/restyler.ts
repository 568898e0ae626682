// Hands pictures to a thread of its own, which starts with the first of them.
import { Worker } from "node:worker_threads";

/** What to make of a picture. */
export interface RestyleOrder {
  readonly bytes: Uint8Array;
  readonly style: string;
  /** 0 for the original, 1 for the whole effect. */
  readonly strength: number;
  readonly mix: { readonly style: string; readonly share: number } | undefined;
}

export interface FilterOrder extends RestyleOrder {
  readonly id: number;
}

export type FilterAnswer =
  | { readonly id: number; readonly bytes: Uint8Array }
  | { readonly id: number; readonly problem: string };

export interface Restyler {
  /** A JPEG. The same order always gives the same bytes. */
  restyle(order: RestyleOrder): Promise<Uint8Array>;
  close(): Promise<void>;
}

export function createRestyler(): Restyler {
  const waiting = new Map<number, PromiseWithResolvers<Uint8Array>>();
  let worker: Worker | undefined;
  let lastId = 0;

  function start(): Worker {
    const started = new Worker(new URL("filter-worker.ts", import.meta.url));
    // A sandbox that is done need not wait for its filters.
    started.unref();
    started.on("message", (answer: FilterAnswer) => {
      const settle = waiting.get(answer.id);
      waiting.delete(answer.id);
      if ("bytes" in answer) {
        settle?.resolve(answer.bytes);
      } else {
        settle?.reject(new Error(answer.problem));
      }
    });
    started.on("error", failAll);
    return started;
  }

  function failAll(error: unknown): void {
    worker = undefined;
    for (const settle of waiting.values()) {
      settle.reject(error);
    }
    waiting.clear();
  }

  return {
    restyle(order) {
      worker ??= start();
      const settle = Promise.withResolvers<Uint8Array>();
      lastId += 1;
      waiting.set(lastId, settle);
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
      worker.postMessage({ ...order, id: lastId } satisfies FilterOrder);
      return settle.promise;
    },
    async close() {
      const ending = worker;
      failAll(new Error("the stand-in is closing"));
      await ending?.terminate();
    },
  };
}
