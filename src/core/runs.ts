// Runs of one kind, of which there is never more than one at a time. A run may reject.

/** `join` begins a run, or joins the one under way; only the call that begins it hears of its progress. */
export function createRuns(run: (progress: () => void) => Promise<void>) {
  let underWay: Promise<void> | undefined;
  let next: Promise<void> | undefined;

  function join(progress: () => void = () => undefined): Promise<void> {
    underWay ??= run(progress).finally(() => {
      underWay = undefined;
    });
    return underWay;
  }

  /** Resolves when no run is under way. */
  const ended = async (): Promise<void> => underWay?.catch(() => undefined);

  /** Runs from now on: a run under way may have passed over what is due since. Calls meanwhile share the next run. */
  function again(): Promise<void> {
    if (underWay === undefined) {
      return join();
    }
    next ??= ended().then(() => {
      next = undefined;
      return join();
    });
    return next;
  }

  return { join, again, ended };
}
