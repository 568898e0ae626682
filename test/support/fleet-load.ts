// The load of a fleet in a campaign: boards, publications and watches in the servers of both processes, added to the
// database before the campaign begins.
import type { TrainOrder } from "../../sandbox/transport/railway/orders.ts";
import type { Visit } from "../../sandbox/transport/railway/timetable.ts";
import { nextSlot } from "../../src/time/slots.ts";
import { NEVER_SENT } from "../../src/boards/boards-table.ts";
import type { Database } from "../../src/database.ts";
import type { BoardFleet } from "./board-fleet.ts";
import { boardSettings } from "./subscriptions.ts";
import { film } from "./video-world.ts";

const MINUTE_MS = 60_000;
/** The default limit of boards in a server. */
export const BOARDS_PER_GUILD = 50;
const STATIONS = ["YRK", "LDS", "MAN", "EDB", "BHM", "RDG", "BRI", "NCL"] as const;
const WATCHES_PER_TRAIN = 10;
/** The final delay of each watched train. */
export const WATCHED_LATE_MINUTES = 15;
const FILM_BYTES = 40_000;

export const EVERY_MINUTE = boardSettings({
  callingAt: [],
  look: "text",
  mode: "post",
  schedule: { timing: { every: 1 }, days: [1, 2, 3, 4, 5, 6, 7], zone: "Europe/London" },
});

/** A channel in the server of each process. */
function placesOf({ world, elsewhere }: BoardFleet) {
  return [
    { guildId: world.guild.id, channelId: world.channels.trains.id },
    { guildId: elsewhere.guildId ?? "", channelId: elsewhere.id },
  ] as const;
}

/** Adds the maximum number of boards to each server. Returns their ids. */
export async function addBoards(database: Database, fleet: BoardFleet): Promise<readonly string[]> {
  const nowMs = fleet.world.clock.now();
  const ids: string[] = [];
  for (const [place, where] of placesOf(fleet).entries()) {
    for (let index = 0; index < BOARDS_PER_GUILD; index += 1) {
      const id = nameOf("b", place * BOARDS_PER_GUILD + index);
      const station = STATIONS[index % STATIONS.length] ?? "YRK";
      await database.boards.add({
        id,
        ...where,
        createdBy: fleet.world.member("Grace").id,
        createdAtMs: nowMs,
        settings: JSON.stringify({ ...EVERY_MINUTE, station }),
        state: "active",
        pausedBecause: undefined,
        stateAtMs: nowMs,
        changes: undefined,
        nextSlotMs: nextSlot(EVERY_MINUTE.schedule, nowMs),
        ...NEVER_SENT,
      });
      ids.push(id);
    }
  }
  return ids;
}

/** Adds publications that are due one after another within `withinMs`. Returns each id with its title. */
export async function addPublications(
  database: Database,
  fleet: BoardFleet,
  count: number,
  withinMs: number,
): Promise<ReadonlyMap<string, string>> {
  const { world } = fleet;
  const nowMs = world.clock.now();
  const grace = world.member("Grace");
  const { attachments } = await grace.attach(world.channels.general, "", [film("Day.mp4", FILM_BYTES)]);
  const places = placesOf(fleet);
  const titles = new Map<string, string>();
  for (let index = 0; index < count; index += 1) {
    const id = nameOf("p", index);
    const title = `Video ${index + 1}`;
    await database.publications.add({
      id,
      ...places[index % 2 === 0 ? 0 : 1],
      messageId: undefined,
      postingSinceMs: undefined,
      shownHash: undefined,
      approvalChannelId: undefined,
      approvalMessageId: undefined,
      approvalShownHash: undefined,
      submittedBy: grace.id,
      createdAtMs: nowMs,
      state: "uploading",
      stateAtMs: nowMs,
      account: "operator",
      title,
      description: undefined,
      publishAtMs: undefined,
      fileName: "Day.mp4",
      fileType: "video/mp4",
      sizeBytes: FILM_BYTES,
      fileUrl: attachments[0]?.url,
      linkEndsAtMs: nowMs + 86_400_000,
      doneBytes: 0,
      percent: undefined,
      session: undefined,
      pendingWrite: undefined,
      pendingSinceMs: undefined,
      nextAtMs: nowMs + Math.floor(((index + 1) * withinMs) / count),
      videoId: undefined,
      link: undefined,
      problem: undefined,
      decidedBy: undefined,
      refusedReason: undefined,
    });
    titles.set(id, title);
  }
  return titles;
}

/**
 * Adds watches of trains that become late one after another within `withinMs`, and leave at least `afterMs` after that.
 */
export async function addWatches(
  database: Database,
  fleet: BoardFleet,
  count: number,
  { withinMs, afterMs }: { readonly withinMs: number; readonly afterMs: number },
) {
  const { world } = fleet;
  const { clock, transport } = world;
  const fromMs = clock.now();
  const trains = STATIONS.flatMap((crs) =>
    transport.timetable.trainsAt(crs, fromMs + withinMs + afterMs, fromMs + 115 * MINUTE_MS),
  )
    .filter(({ train, at }) => train.mode === "train" && train.calls[at]?.departMs !== undefined)
    .slice(0, Math.ceil(count / WATCHES_PER_TRAIN));
  const late = trains.map((visit, index) => {
    order(visit, { delayMinutes: 0, cancelled: false });
    return { visit, atMs: fromMs + Math.floor((index * withinMs) / trains.length) };
  });

  function order({ train: { uid, serviceDate } }: Visit, what: TrainOrder): void {
    transport.trains.order(uid, serviceDate, what);
  }

  const [own, other] = placesOf(fleet);
  const watchIds: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const { train, at } = trains[Math.floor(index / WATCHES_PER_TRAIN)] ?? missing("a train to watch");
    const call = train.calls[at] ?? missing("the call at which it is caught");
    const id = nameOf("w", index);
    // Some notify their owner, the others a channel in one of the servers.
    const target = [{ guildId: undefined, channelId: undefined }, own, other][index % 3];
    await database.watches.add({
      id,
      ownerId: world.member(index % 2 === 0 ? "Ada" : "Mary").id,
      createdAtMs: fromMs,
      askedGuildId: own.guildId,
      askedChannelId: own.channelId,
      guildId: target?.guildId,
      channelId: target?.channelId,
      settings: JSON.stringify({
        what: {
          kind: "train",
          station: call.station.crs,
          trainUid: train.uid,
          startDate: train.serviceDate,
          aimedMs: call.departMs ?? 0,
          place: train.calls.at(-1)?.station.name ?? "",
        },
        delayMinutes: 5,
        leadMinutes: 120,
        ping: false,
      }),
      state: "active",
      pausedBecause: undefined,
      stateAtMs: fromMs,
    });
    watchIds.push(id);
  }
  return {
    watchIds,
    /** Delays the trains whose time has come. */
    delayTrains: (): void => {
      for (let next = late[0]; next !== undefined && next.atMs <= clock.now(); next = late[0]) {
        order(next.visit, { delayMinutes: WATCHED_LATE_MINUTES });
        late.shift();
      }
    },
  };
}

function missing(what: string): never {
  throw new Error(`missing: ${what}`);
}

function nameOf(kind: string, index: number): string {
  return `${kind}${String(index).padStart(7, "0")}`;
}
