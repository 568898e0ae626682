// Counts how often others come to their turn.

/** How often the event loop goes round until this settles. */
export async function turnsDuring(work: Promise<unknown>): Promise<number> {
  const during = { isOver: false };
  const over = work.finally(() => (during.isOver = true));
  let turns = 0;
  while (!during.isOver) {
    turns += 1;
    await new Promise((resolve) => setImmediate(resolve));
  }
  await over;
  return turns;
}
