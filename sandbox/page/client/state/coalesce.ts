/**
 * Returns a function that never runs `work` twice at once: all calls during one run share the next run. The promise settles
 * with a run that began after the call, and rejects if that run fails.
 */
export function coalesce(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  const run = () => {
    const mine = work().finally(() => {
      if (running === mine) {
        running = undefined;
      }
    });
    running = mine;
    return mine;
  };
  return () => {
    if (running === undefined) {
      return run();
    }
    next ??= running
      .catch(() => undefined)
      .then(() => {
        next = undefined;
        return run();
      });
    return next;
  };
}
