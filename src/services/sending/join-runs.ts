// Runs of which there is never more than one at a time.

/** Makes a run that others join while it goes on. */
export function joinRuns(run: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  return () => {
    running ??= run().finally(() => {
      running = undefined;
    });
    return running;
  };
}
