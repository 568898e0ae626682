// Boards that come together would be worked out, and their pictures drawn, in one go of several seconds, in which
// nobody who presses a button is answered.
import { setImmediate } from "node:timers/promises";

/** Settles when its turn has come: the process has looked after everything else since the turn before. */
export type BeginInTurn = () => Promise<void>;

/** Makes a row of turns. */
export function createBeginInTurn(): BeginInTurn {
  let last: Promise<void> = Promise.resolve();
  return () => {
    last = last.then(() => setImmediate());
    return last;
  };
}
