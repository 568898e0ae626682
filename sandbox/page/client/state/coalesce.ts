// Work that many ask for at once and that need be done only once more.

/**
 * While one run goes on, all who ask share the next. Each caller's promise settles when a run that began after
 * they asked has ended, and rejects if it failed.
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
