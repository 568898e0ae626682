// A draft is checked and stored for an hour. Pressing Save repeatedly saves it once.
import { ServiceError, UserError } from "../core/errors.ts";
import { type BoardRecord, NEVER_SENT } from "./boards-table.ts";
import { isShownClosed } from "./board-post-view.ts";
import { checkBoardSettings, checkPlace } from "./board-settings.ts";
import {
  type BoardSettings,
  type Subscription,
  createBoardReader,
  isSaved,
  readSubscription,
} from "./boards.ts";
import { createShortId } from "../core/component-id.ts";
import {
  type BoardsDependencies,
  UNDO_WINDOW_MS,
  boardNotFound,
  changeIfUnchanged,
  requireBoard,
  tooManyBoards,
} from "./board-states.ts";
import { MESSAGE_RESET, deleteKeptMessage, showClosed } from "./kept-message.ts";
import type { Schedule } from "../time/schedule.ts";
import { nextSlot } from "../time/slots.ts";
import { MINUTE_MS } from "../time/wall-clock.ts";
import type { BoardData } from "./planning/board-data.ts";
import { type BoardContent, questionsOf } from "./planning/board-contents.ts";
import { estimateDataGap } from "./planning/estimate-gap.ts";
import { plannedQuestions } from "./planning/question-plan.ts";

type BoardPlace = Pick<BoardRecord, "guildId" | "channelId">;

export interface DraftedBoard {
  readonly draft: Subscription;
  readonly content: BoardContent;
  /** Milliseconds since the epoch. A new board is also posted as soon as it is saved. */
  readonly firstSlotMs: number;
  /** Milliseconds between new data; `undefined` if there will be new data for each slot. */
  readonly dataGapMs: number | undefined;
  /** Whether it updates less often than every minute although the plans would allow that. */
  readonly canUpdateEveryMinute: boolean;
  /** The sorted platforms of the trains that the filters exclude; `undefined` if a train matches, or none runs at all. */
  readonly unmatched: readonly string[] | undefined;
  /** The board that the draft would change; `undefined` for a new board. */
  readonly changes: Subscription | undefined;
}

export function createBoardDrafts(deps: BoardsDependencies) {
  const { table, data, messenger, stations, clock, log, perGuild } = deps;
  const read = createBoardReader(log);

  /** A board can also be saved while its sources fail: the preview then shows the last known data. */
  async function contentNow(settings: BoardSettings): Promise<BoardContent> {
    try {
      return await data.contentForPerson(settings);
    } catch (error) {
      if (error instanceof ServiceError) {
        const whyUnknown = error.kind === "budget-spent" ? "spent" : "failed";
        return { ...data.content(settings), whyUnknown };
      }
      throw error;
    }
  }

  async function estimate(
    settings: BoardSettings,
    changes: string | undefined,
  ): Promise<Pick<DraftedBoard, "dataGapMs" | "canUpdateEveryMinute">> {
    const others = read(await table.activeSettings(changes)).map((board) => board.settings);
    const gapOf = (own: BoardSettings): number | undefined =>
      estimateDataGap(questionsOf(own), plannedQuestions([own, ...others], []), deps, clock.now());
    const dataGapMs = gapOf(settings);
    // In the other modes, each update is a new message.
    const isLessFrequent =
      settings.mode === "edit" && "every" in settings.schedule.timing && settings.schedule.timing.every > 1;
    const everyMinute = { ...settings, schedule: { ...settings.schedule, timing: { every: 1 } } };
    return {
      dataGapMs,
      canUpdateEveryMinute: isLessFrequent && dataGapMs === undefined && gapOf(everyMinute) === undefined,
    };
  }

  async function storeDraft(record: BoardRecord, isNew: boolean): Promise<void> {
    const { guildId, changes } = record;
    if (changes === undefined && (await table.ofGuild(guildId)).filter(isSaved).length >= perGuild) {
      throw tooManyBoards(perGuild);
    }
    if (isNew) {
      await table.add(record);
    } else {
      await changeIfUnchanged(table, record, record);
    }
  }

  async function activate(draft: Subscription): Promise<Subscription> {
    const nowMs = clock.now();
    const changes = {
      state: "active",
      stateAtMs: nowMs,
      nextSlotMs: firstSlot(draft.settings.schedule, nowMs),
    } as const;
    const outcome = await table.changeState(draft.id, ["draft"], changes, perGuild);
    if (outcome === "no-room") {
      throw tooManyBoards(perGuild);
    }
    return outcome === "changed" ? { ...draft, ...changes } : requireBoard(table, draft.guildId, draft.id);
  }

  async function replace(draft: Subscription, id: string): Promise<Subscription> {
    const { guildId, channelId, settings } = draft;
    const { schedule } = settings;
    const target = await requireBoard(table, guildId, id);
    const isOtherSchedule = JSON.stringify(target.settings.schedule) !== JSON.stringify(schedule);
    // The mode `post` never edits a message, and the other modes leave no message behind that is out of date.
    const isOtherMessage =
      target.channelId !== channelId || (target.settings.mode === "post") !== (settings.mode === "post");
    await changeIfUnchanged(table, target, {
      settings: JSON.stringify(settings),
      // If the schedule is unchanged, a slot that is due stays due.
      ...(target.state === "active" && isOtherSchedule && { nextSlotMs: nextSlot(schedule, clock.now()) }),
      ...(isOtherMessage && { channelId, ...MESSAGE_RESET }),
    });
    await table.changeState(draft.id, ["draft"], { state: "removed", stateAtMs: clock.now() });
    if (isOtherMessage) {
      await deleteKeptMessage(deps, target);
    }
    const board = await requireBoard(table, guildId, id);
    if (isShownClosed(board)) {
      await showClosed(deps, board);
    }
    return board;
  }

  return {
    /**
     * Throws a UserError if the settings or the place will not work, e.g. if the schedule never fires, the
     * server has too many boards, or the bot may not write to the channel. `changed`: a board of the same
     * server that the draft will replace, or an earlier draft, which then gets these settings.
     */
    async draft(
      place: BoardPlace,
      settings: BoardSettings,
      by: string,
      changed?: Subscription,
    ): Promise<DraftedBoard> {
      const { guildId } = place;
      if (changed !== undefined && changed.guildId !== guildId) {
        throw boardNotFound();
      }
      const old = changed?.state === "draft" ? changed : undefined;
      const target =
        old === undefined
          ? changed
          : old.changes === undefined
            ? undefined
            : await requireBoard(table, guildId, old.changes);
      const replaced = target?.id;
      const firstSlotMs = checkBoardSettings(settings, stations, clock.now());
      const isChosen = target?.channelId !== place.channelId;
      await checkPlace(messenger, isChosen ? { ...place, userId: by } : place, settings);
      const nowMs = clock.now();
      const record: BoardRecord = {
        id: old?.id ?? createShortId(),
        ...place,
        createdBy: by,
        createdAtMs: nowMs,
        settings: JSON.stringify(settings),
        state: "draft",
        stateAtMs: nowMs,
        changes: replaced,
        pausedBecause: undefined,
        nextSlotMs: undefined,
        ...NEVER_SENT,
      };
      // These run in parallel, because each round trip to a distant database is noticeable.
      const [content, estimated] = await Promise.all([
        contentNow(settings),
        estimate(settings, replaced),
        storeDraft(record, old === undefined),
      ]);
      return {
        draft: { ...record, settings },
        content,
        unmatched: unmatchedPlatforms(content, data),
        firstSlotMs,
        ...estimated,
        changes: target,
      };
    },

    /** Saving twice saves once. Throws a UserError if the draft or its board is no longer possible. */
    async save(guildId: string, draftId: string): Promise<Subscription> {
      const record = await table.get(draftId);
      if (record?.guildId === guildId && record.state !== "draft") {
        return requireBoard(table, guildId, record.changes ?? draftId);
      }
      if (record?.guildId !== guildId || record.stateAtMs < clock.now() - UNDO_WINDOW_MS) {
        throw new UserError(
          "That preview expired after an hour, and nothing was saved. Please use the command again.",
        );
      }
      const draft = readSubscription(record);
      checkBoardSettings(draft.settings, stations, clock.now());
      await checkPlace(messenger, draft, draft.settings);
      return draft.changes === undefined ? activate(draft) : replace(draft, draft.changes);
    },

    /** Throws a UserError if the id belongs to no board or draft of the server. */
    editable: (guildId: string, id: string) =>
      requireBoard(table, guildId, id, (board) => isSaved(board) || board.state === "draft"),

    async discard(guildId: string, draftId: string): Promise<void> {
      const record = await table.get(draftId);
      if (record && record.guildId !== guildId) {
        throw new UserError("That board belongs to another server. Please use it there.");
      }
      await table.discard(draftId);
    },
  };
}

/** Longer than a tick and the wait for train times together. */
const SOON_MS = 30_000;

/** A new board is posted immediately. If its schedule's first slot is about to come, it waits for that. */
function firstSlot(schedule: Schedule, nowMs: number): number | undefined {
  const next = nextSlot(schedule, nowMs);
  return next !== undefined && next - nowMs > SOON_MS ? nowMs - (nowMs % MINUTE_MS) : next;
}

/** `undefined` if the filters match a train, or if no train runs. */
function unmatchedPlatforms(
  { board, settings }: BoardContent,
  data: Pick<BoardData, "content">,
): readonly string[] | undefined {
  const open = { operator: undefined, platforms: [], transport: "all", walkMinutes: 0, rows: 500 } as const;
  if (board?.rows.length !== 0) {
    return undefined;
  }
  const rows = data.content({ ...settings, ...open }).board?.rows ?? [];
  const platforms = new Set(rows.flatMap(({ platform }) => platform ?? []));
  return rows.length === 0
    ? undefined
    : [...platforms].toSorted((a, b) => a.localeCompare(b, "en-GB", { numeric: true }));
}
