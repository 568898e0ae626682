// Runs of which there is never more than one at a time.

/** Makes a run that others join while it goes on. Only the first one is told of its progress. */
export function joinRuns(
  run: (progress: () => void) => Promise<void>,
): (progress?: () => void) => Promise<void> {
  let running: Promise<void> | undefined;
  return (progress = () => undefined) => {
    running ??= run(progress).finally(() => {
      running = undefined;
    });
    return running;
  };
}
