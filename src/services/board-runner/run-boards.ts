// The tick of boards: finds what is due, asks what may be asked, and sends what changed. Never loses or doubles a slot.
import type { Reply } from "../../core/reply.ts";
import type { BoardContent, Subscription } from "../boards/boards.ts";

/** A board's content made ready to be sent. */
export interface PresentedBoard {
  /** The same for the same words and picture, however old the data: who shows it already need not be told again. */
  readonly hash: string;
  /** Made when it is needed, once for all boards with this content. */
  readonly reply: () => Promise<Reply>;
}

/** Makes a message of a board. `slotMs` goes into its components, by which the message is found again. */
export type PresentBoard = (
  content: BoardContent,
  board: Pick<Subscription, "id"> & { readonly slotMs: number },
) => PresentedBoard;

/**
 * Makes the notice that a board was paused, with a button to repair it. `others`: how many more of the subscriber's
 * stopped with it.
 */
export type PresentNotice = (board: Subscription, place: NoticePlace, others: number) => Reply;

/** What the board's server and channel are called; absent where nobody knows, or where it need not be said. */
export interface NoticePlace {
  readonly guild?: string | undefined;
  readonly channel?: string | undefined;
}

/** The running of boards. */
export interface BoardRunner {
  /**
   * Does what is due at this moment: a slot up to two minutes late is sent, an older one counted as missed. Settles
   * when all of it is done. Calls that overlap are not for one process: the second one joins the first. `progress` is
   * called as the work goes on, and no more where a piece of it never ends.
   */
  run(progress?: () => void): Promise<void>;
}
