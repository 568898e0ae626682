// The boards of channels: what they are, and how far each has come. A slot is claimed before it is worked on and
// finished when its outcome is certain, so that whoever takes over after a crash finds what it needs to go on.
import type { Row } from "./row.ts";

declare module "./schema.ts" {
  interface Schema {
    readonly boards: Row<BoardRecord>;
  }
}

/** A board as it is kept. Times are milliseconds since the epoch; `undefined` is null in the database. */
export interface BoardRecord {
  readonly id: string;
  readonly guildId: string;
  readonly channelId: string;
  readonly createdBy: string | undefined;
  readonly createdAtMs: number;
  /** JSON; `boardSettingsSchema` of src/services/boards reads it. */
  readonly settings: string;
  readonly state: "draft" | "active" | "paused" | "removed";
  /** Why the bot paused it. */
  readonly pausedBecause: string | undefined;
  /** When it got its state. */
  readonly stateAtMs: number;
  /** A draft's board that it will replace. */
  readonly changes: string | undefined;
  /** Its next slot; only an active board has one. */
  readonly nextSlotMs: number | undefined;
  /** The slot that is being worked on. */
  readonly claimedSlotMs: number | undefined;
  /** Until when nobody else may work on it. */
  readonly claimedUntilMs: number | undefined;
  /** The message that it keeps, or posted last. */
  readonly messageId: string | undefined;
  /** The slot for which that message was sent. */
  readonly messageSlotMs: number | undefined;
  /** What that message shows. */
  readonly shownHash: string | undefined;
  /** How old the data is that it shows: when the service made it. */
  readonly shownDataMs: number | undefined;
  readonly lastSentMs: number | undefined;
  readonly missed: number;
  readonly lastMissedMs: number | undefined;
}

/** What a record says of a board that has not come yet. */
export const NEVER_SENT = {
  claimedSlotMs: undefined,
  claimedUntilMs: undefined,
  messageId: undefined,
  messageSlotMs: undefined,
  shownHash: undefined,
  shownDataMs: undefined,
  lastSentMs: undefined,
  missed: 0,
  lastMissedMs: undefined,
} as const satisfies Partial<BoardRecord>;

/** What a claim takes. */
export interface BoardClaim {
  readonly id: string;
  /** What the claimer saw: where the row says otherwise by now, somebody else was first and nothing is claimed. */
  readonly seen: Pick<BoardRecord, "nextSlotMs" | "claimedSlotMs" | "claimedUntilMs">;
  readonly slotMs: number;
  /** How long nobody else may work on it from now. */
  readonly forMs: number;
  readonly nextSlotMs: number | undefined;
  /** Slots between the last one and this one that nobody worked on; added to those that were missed before. */
  readonly missed: number;
  /** `undefined` leaves it as it was. */
  readonly lastMissedMs: number | undefined;
}

/** What became of a slot. Absent: as it was; `undefined`: none any more. */
export type BoardOutcome = Partial<
  Pick<
    BoardRecord,
    "messageId" | "messageSlotMs" | "shownHash" | "shownDataMs" | "lastSentMs" | "missed" | "lastMissedMs"
  >
>;

/** Queries over boards. A part of a change that is absent stays as it was; one that is `undefined` is emptied. */
export interface BoardsTable {
  add(board: BoardRecord): Promise<void>;
  get(id: string): Promise<BoardRecord | undefined>;
  /** In the order in which they were made. */
  ofGuild(guildId: string): Promise<readonly BoardRecord[]>;
  /** Active boards of a server's channel. */
  inChannel(guildId: string, channelId: string): Promise<readonly BoardRecord[]>;
  /** The channels of active boards, each once. */
  activeChannels(): Promise<readonly string[]>;
  /** Active boards of servers that the bot is in: for the plan of what is asked when. */
  active(): Promise<readonly BoardRecord[]>;
  /**
   * Of these the ones whose slot has come at `nowMs` while nobody works on them, or whose claim has run out; the oldest first, and
   * of equally old ones those with equal settings together. `most`: the first so many; default all.
   */
  due(nowMs: number, most?: number): Promise<readonly BoardRecord[]>;
  /** Of these claims the ones that succeeded, by id, with the time until which they hold, in one transaction. */
  claim(claims: readonly BoardClaim[]): Promise<ReadonlyMap<string, number>>;
  /** Ends the claim of this slot with its outcome; where it is no longer this claim, does nothing and says `false`. */
  finish(id: string, slotMs: number, outcome: BoardOutcome): Promise<boolean>;
  /** Changes parts of a board, whatever its state; `false` where there is none. */
  change(id: string, changes: Partial<Omit<BoardRecord, "id" | "guildId">>): Promise<boolean>;
  /**
   * As `change`, but only while its state is one of these, and only while the server has room for it where `most`
   * counts active and paused boards; says what stood in the way.
   */
  changeState(
    id: string,
    from: readonly BoardRecord["state"][],
    changes: Partial<Omit<BoardRecord, "id" | "guildId">>,
    most?: number,
  ): Promise<"changed" | "not-in-state" | "no-room">;
  /**
   * The message that was seen is no more: empties what is kept of it, and lets the board come at `byMs` at the latest
   * where that is given. Does nothing where the board is not active, or keeps another message by now.
   */
  loseMessage(seen: Pick<BoardRecord, "id" | "messageId">, byMs?: number): Promise<void>;
  remove(id: string): Promise<void>;
  /** Removes drafts and removed boards whose state is older than this. */
  sweep(beforeMs: number): Promise<void>;
}
