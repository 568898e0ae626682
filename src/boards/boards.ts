// Boards: channels that subscribed to a station. This file says what a board is and what people may do with one;
// the running of it is `sending/board-runner.ts`.
import type { Board, BoardKind } from "../rail/departures.ts";
import type { Schedule } from "../time/schedule.ts";
import type { SlotFate } from "./slot-history.ts";

/** How a board is kept in its channel. */
export type BoardMode =
  /** One message, edited in place. */
  | "edit"
  /** One message, always at the bottom: the new one is posted, the old one deleted. */
  | "replace"
  /** A new message each time. */
  | "post";

/** What a channel wants to see, where and when. Kept as JSON; {@link boardSettingsSchema} reads it back. */
export interface BoardSettings {
  readonly kind: BoardKind;
  /** Code of the station. */
  readonly station: string;
  /** Codes of up to {@link MOST_CALLING_AT} stations: departures call there later, arrivals called there before. */
  readonly callingAt: readonly string[];
  /** Whether a train must call at all of them; otherwise at any. */
  readonly callingAtAll: boolean;
  readonly operator?: string | undefined;
  /** Any of these, e.g. `4` or `4b`; empty for every platform. */
  readonly platforms: readonly string[];
  readonly transport: "all" | "trains" | "buses";
  /** Leaves out what leaves sooner than one can be there; 0 for nothing. */
  readonly walkMinutes: number;
  readonly rows: number;
  readonly look: "picture" | "text";
  readonly mode: BoardMode;
  /** In an announcement channel: each new message is published to the servers that follow it. Never with `edit`. */
  readonly publish: boolean;
  readonly schedule: Schedule;
}

/** More would cost a call each, every time. */
export const MOST_CALLING_AT = 3;

/**
 * `draft`: shown to its maker, not yet saved. `paused`: by a person or, with a reason, by the bot. `removed`: may be
 * brought back for an hour.
 */
export type BoardState = "draft" | "active" | "paused" | "removed";

/** Why the bot itself paused a board. */
export type PauseReason =
  /** The channel is gone, or the bot no longer sees it. */
  | "channel-gone"
  /** The bot may no longer write there. */
  | "not-allowed"
  /** The station is no longer in the list of stations. */
  | "station-closed";

export interface Subscription {
  /** Eight letters and digits. */
  readonly id: string;
  readonly guildId: string;
  readonly channelId: string;
  /** Who subscribed; `undefined` once that person had their data erased. */
  readonly createdBy: string | undefined;
  readonly settings: BoardSettings;
  readonly state: BoardState;
  /** Set where it is a draft that will replace this board. */
  readonly changes: string | undefined;
  /** Set where the bot paused it. */
  readonly pausedBecause: PauseReason | undefined;
  /** When it comes next, milliseconds since the epoch; `undefined` while it does not run. */
  readonly nextSlotMs: number | undefined;
  /** Slots that were missed since it was made, because the bot or Discord was away. */
  readonly missed: number;
  /** When its message was last sent or edited. */
  readonly lastSentMs: number | undefined;
  /** What became of its slots, as it is kept; see `slot-history.ts`. */
  readonly history: string | undefined;
}

/** A board's content as it stands now: the same for the preview, the post and the refresh. */
export interface BoardContent {
  readonly settings: BoardSettings;
  /** `undefined` where nothing is known yet, because no call was left to ask. */
  readonly board: Board | undefined;
  /** Stands in place of the trains where nobody keeps them up to date for now, e.g. `Back at 07:00 on Monday`. */
  readonly closed?: string | undefined;
  /** When its data is asked for again, milliseconds since the epoch; `undefined` where nobody asks any more. */
  readonly nextDataMs: number | undefined;
}

export interface BoardPlace {
  readonly guildId: string;
  readonly channelId: string;
}

/** The channel that a person chose for a board. */
export interface NewPlace {
  readonly channelId: string;
  readonly userId: string;
}

/** What stands in the fields of a form for a board's times or filters, by their names. */
export type TypedTimes = Readonly<Record<string, string>>;

/** A board that is shown to its maker before it is saved. */
export interface DraftedBoard {
  readonly draft: Subscription;
  readonly content: BoardContent;
  /** When its schedule first comes, milliseconds since the epoch; a new board comes at once besides. */
  readonly firstSlotMs: number;
  /** How far apart its data will come where that is less often than the board does; `undefined` where it keeps up. */
  readonly dataGapMs: number | undefined;
  /** Whether it comes less often than every minute although the plans would allow that. */
  readonly mayComeEveryMinute: boolean;
  /** Where its filters leave nothing now: the platforms of the trains that they leave out, in order; may be empty. */
  readonly unmatched: readonly string[] | undefined;
  /** The board that it would change; `undefined` for a new one. */
  readonly changes: Subscription | undefined;
}

/** A board, and how many of its slots in the last seven days ended in each way. */
export interface BoardWeek {
  readonly board: Subscription;
  readonly counts: ReadonlyMap<SlotFate, number>;
}

/** What came of a repair. */
export interface Repair {
  readonly board: Subscription;
  /** How many more that had stopped with it run again too. */
  readonly others: number;
  /** Why it still cannot run, in a sentence that says what to do; `undefined` where it runs. */
  readonly obstacle: string | undefined;
}

/** What people may do. The caller has checked that the person may manage boards of `guildId`. */
export interface Boards {
  /** The zone of schedules where nobody names another. */
  readonly timeZone: string;
  /**
   * Checks a board and keeps it as a draft that lives for an hour. Throws a UserError that says why for a schedule that
   * never fires, too many boards, a channel that the bot may not write to, and the like. `changed`: a board of the same
   * server that the draft will replace, or a draft, which then gets these settings.
   */
  draft(
    place: BoardPlace,
    settings: BoardSettings,
    by: string,
    changed?: Subscription,
  ): Promise<DraftedBoard>;
  /** Saves a draft: a new board comes at once. Throws a UserError where it is gone or no longer possible. Saving twice saves once. */
  save(guildId: string, draftId: string): Promise<Subscription>;
  discard(guildId: string, draftId: string): Promise<void>;
  /** A board or a draft. Throws a UserError for an id that is neither. */
  editable(guildId: string, id: string): Promise<Subscription>;
  /** Keeps what somebody typed into a board's form, to be put right within the hour; gives the id of it. */
  keepTyped(guildId: string, id: string, typed: TypedTimes, by: string): Promise<string>;
  /** What was kept, and its board. Throws a UserError where it is gone. */
  typed(guildId: string, id: string): Promise<{ readonly board: Subscription; readonly typed: TypedTimes }>;
  /** All but drafts and removed ones, in the order in which they were made. */
  list(guildId: string): Promise<readonly Subscription[]>;
  /** The same boards with what became of them lately. */
  week(guildId: string): Promise<readonly BoardWeek[]>;
  /** Throws a UserError for an id that is not one of this server's. */
  get(guildId: string, id: string): Promise<Subscription>;
  pause(guildId: string, id: string): Promise<Subscription>;
  /** Checks again that it can run: throws a UserError where it cannot. `channelId` moves it there. */
  resume(guildId: string, id: string, to?: NewPlace): Promise<Subscription>;
  /** Takes its message away where it keeps one. */
  remove(guildId: string, id: string): Promise<Subscription>;
  /** Undoes `remove`, for an hour. */
  bringBack(guildId: string, id: string): Promise<Subscription>;
  /** What it would show now; asks as a person does where the data is older than a minute. */
  preview(guildId: string, id: string): Promise<BoardContent>;
  /**
   * Somebody pressed Refresh on the board's own message: as `preview`, and its question is asked for more often for a
   * while. `undefined` for a board that is no longer there. `messageId`: the message that they pressed it on.
   */
  refresh(id: string, messageId: string): Promise<BoardContent | undefined>;
  /** A board by its id alone, for what anyone may press; `undefined` where there is none. */
  find(id: string): Promise<Subscription | undefined>;
  /**
   * Somebody pressed the repair of a notice, perhaps in a direct message, where nobody has checked yet whether they may:
   * resumes the board and those of its subscriber
   * that had stopped with it, in `channelId` where that is given. Throws a UserError where it is not theirs to repair, or not there.
   */
  repair(
    id: string,
    by: { readonly userId: string; readonly guildId: string | undefined },
    channelId?: string,
  ): Promise<Repair>;
  /** The names of those of the boards' channels that the bot sees, by channel id, for where a mention does not show. */
  channelNames(boards: readonly Subscription[]): ReadonlyMap<string, string>;
}
