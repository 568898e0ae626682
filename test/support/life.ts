// Simulated processes of the bot, in the test's own process, that can end in the middle of anything.

/** One simulated process. */
export interface Life {
  readonly isOver: boolean;
  /** Ends it at once: nothing that it is doing is ever finished. */
  end(): void;
  /** Settles when it ends. */
  readonly ended: Promise<void>;
  /** Wraps an object for this process: after the end, calls do nothing, and no pending answer arrives. */
  guard<T extends object>(thing: T): T;
}

export function beginLife(): Life {
  let isOver = false;
  const { promise: ended, resolve: markEnded } = Promise.withResolvers<void>();
  const never = (): Promise<never> => new Promise(() => undefined);
  return {
    ended,
    get isOver() {
      return isOver;
    },
    end() {
      isOver = true;
      markEnded();
    },
    guard: (thing) =>
      new Proxy(thing, {
        get(target, name) {
          const value: unknown = Reflect.get(target, name);
          if (typeof value !== "function") {
            return value;
          }
          return (...args: readonly unknown[]) => {
            if (isOver) {
              return never();
            }
            const result: unknown = Reflect.apply(value, target, args);
            return result instanceof Promise
              ? result.then(
                  (answer: unknown) => (isOver ? never() : answer),
                  (error: unknown) => (isOver ? never() : Promise.reject(error)),
                )
              : result;
          };
        },
      }),
  };
}
