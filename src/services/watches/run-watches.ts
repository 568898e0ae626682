// The tick of watches: asks what may be asked, judges, and tells what is new, each incident in one message.
import type { Reply } from "../../core/reply.ts";
import type { Messenger } from "../../core/ports.ts";
import type { Incident, Watch } from "./watches.ts";

/** An incident made ready to be told. */
export interface PresentedIncident {
  /** The same for the same words, however old the data: who shows it already need not be told again. */
  readonly hash: string;
  readonly reply: Reply;
}

/** Makes a message of an incident. Its buttons carry the mark by which the message is found again. */
export type PresentIncident = (incident: Incident) => PresentedIncident;

/** Makes the notice that a watch was paused. Others may read it: it does not say what is watched. */
export type PresentWatchNotice = (watch: Watch) => Reply;

/** What watches need of the messenger. */
export interface WatchMessenger extends Pick<Messenger, "post" | "edit" | "ownMessages"> {
  /** The channel of direct messages with a person; opens it where there is none. */
  conversation(userId: string): Promise<string>;
}

/** The running of watches. */
export interface WatchRunner {
  /**
   * Does what is due at this moment; settles when all of it is done. Calls that overlap are not for one process: the
   * second one joins the first. `progress` is called as the work goes on, and no more where a piece of it never ends.
   */
  run(progress?: () => void): Promise<void>;
}
