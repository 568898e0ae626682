// Discord counts the text of a whole message. Long texts give way before short ones, so that a heading and a
// footer survive a long list between them.

/** How many characters each text may keep, so that all of them together have at most `budget`. */
export function shareBudget(lengths: readonly number[], budget: number): number {
  // Nearly all messages: nothing has to give way.
  if (lengths.reduce((sum, length) => sum + length, 0) <= budget) {
    return budget;
  }
  const ascending = lengths.toSorted((a, b) => a - b);
  let left = budget;
  for (const [index, length] of ascending.entries()) {
    const share = Math.floor(left / (ascending.length - index));
    if (length > share) {
      return share;
    }
    left -= length;
  }
  return budget;
}
