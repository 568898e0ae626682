// The boards service on a real database, with a fake Discord and a fake transport service.
import { createLog } from "../../src/core/log.ts";
import { type Reply, textReply } from "../../src/core/reply.ts";
import type { BoardSettings } from "../../src/boards/boards.ts";
import type { BoardChanges } from "../../src/boards/boards-table.ts";
import type { BoardContent } from "../../src/boards/planning/board-contents.ts";
import { createBoards } from "../../src/boards/manage-boards.ts";
import type { Budget, BudgetTerms } from "../../src/plan/budget.ts";
import { type ChannelCheck, MessengerError, type PostedMessage } from "../../src/core/ports.ts";
import type { Board } from "../../src/rail/departures.ts";
import { createStations } from "../../src/rail/stations.ts";
import { openTestDatabase } from "../open.ts";
import { createStillClock } from "./still-clock.ts";
import { boardSettings } from "./subscriptions.ts";

const HOUR_MS = 3_600_000;

/** The server whose boards are managed. */
export const GUILD = "1";
/** Channels for boards. */
export const TRAINS = { guildId: GUILD, channelId: "11" };
export const OTHER = { guildId: GUILD, channelId: "12" };
/** A channel of another server. */
export const FOREIGN = { guildId: "2", channelId: "21" };

/** A channel that has everything a board needs. */
export const CHANNEL: ChannelCheck = {
  guildId: GUILD,
  kind: "text",
  name: "trains",
  missing: [],
  locked: false,
};

/** A budget that is never used. */
const UNSPENT: Budget = {
  take: async () => undefined,
  reserveForBoards: async () => undefined,
  closeFor: async () => 0,
  state: async () => ({ limit: 1, windowMs: 1, used: 0, left: 1 }),
};

/** Opens the service without boards. Tests can change the channels and inject failures through `state`. */
export async function openManagedBoards({
  perGuild = 3,
  terms = { calls: 1_000, windowMs: HOUR_MS },
}: { readonly perGuild?: number; readonly terms?: BudgetTerms } = {}) {
  const stations = createStations();
  const { boards: table } = await openTestDatabase("sqlite::memory:");
  const clock = createStillClock();
  const channels = new Map<string, ChannelCheck>([
    [TRAINS.channelId, CHANNEL],
    [OTHER.channelId, { ...CHANNEL, name: "other" }],
    [FOREIGN.channelId, { ...CHANNEL, guildId: FOREIGN.guildId }],
  ]);
  const state = {
    deleted: [] as PostedMessage[],
    edited: [] as { readonly message: PostedMessage; readonly reply: Reply }[],
    managers: ["7"],
    failing: undefined as Error | undefined,
    undeletable: undefined as Error | undefined,
    /** Called before a channel is checked. */
    onCheck: () => {},
    /** Called while a message waits to be edited. */
    beforeEdit: (): unknown => undefined,
    /** The data of every board. */
    board: undefined as Board | undefined,
  };
  const content = (settings: BoardSettings): BoardContent => ({
    settings,
    board: state.board,
    nextDataMs: undefined,
  });
  const boards = createBoards({
    table,
    clock,
    stations,
    perGuild,
    plans: new Map([["transport" as const, { terms, budget: UNSPENT }]]),
    answering: () => "transport",
    timeZone: "Europe/London",
    present: ({ closed }) => ({
      hash: closed === undefined ? "presented" : `closed:${closed}`,
      reply: async () => textReply(closed ?? "a board"),
    }),
    log: createLog({ level: "silent", secrets: [] }),
    data: {
      plan: async () => {},
      ask: async () => new Set(),
      staleReason: () => undefined,
      content,
      async contentForPerson(settings) {
        if (state.failing) {
          throw state.failing;
        }
        return content(settings);
      },
    },
    connection: { channelName: (channelId) => channels.get(channelId)?.name },
    messenger: {
      async check(channelId) {
        state.onCheck();
        return channels.get(channelId);
      },
      async edit(message, reply, isWanted = () => true) {
        await state.beforeEdit();
        if (!isWanted()) {
          throw new MessengerError("unavailable", "it is too late to send it");
        }
        state.edited.push({ message, reply });
      },
      async delete(message) {
        if (state.undeletable) {
          throw state.undeletable;
        }
        state.deleted.push(message);
      },
    },
    rights: {
      findAllowedMember: async (guildId, userId, command) =>
        guildId === GUILD && command === "board" && state.managers.includes(userId)
          ? { roleIds: [] }
          : undefined,
    },
  });
  /** Drafts and saves a board. */
  async function subscribe(changed: Partial<BoardSettings> = {}, place = TRAINS) {
    const { draft } = await boards.draft(place, boardSettings(changed), "7");
    return boards.save(place.guildId, draft.id);
  }
  return { boards, stations, table, clock, channels, state, subscribe };
}

/** Opens the service with one board, whose row has these changes. */
export async function openManagedBoard(changes: BoardChanges) {
  const world = await openManagedBoards();
  const { id } = await world.subscribe();
  await world.table.change(id, changes);
  return { ...world, id };
}
