// Pausing, resuming, removing and bringing back of boards.
import { UserError } from "../../core/errors.ts";
import { checkBoardSettings } from "./board-settings.ts";
import type { Boards, Subscription } from "./boards.ts";
import { checkPlace } from "./check-place.ts";
import {
  changedMeanwhile,
  moveTo,
  requireBoard,
  SECOND_THOUGHTS_MS,
  takeMessageAway,
  tooManyBoards,
  type BoardsDependencies,
} from "./manage-boards.ts";
import { readSubscription } from "./read-subscription.ts";
import { nextSlot } from "../schedule/slots.ts";

/** Makes the part of the service that starts and stops boards. */
export function createBoardStates(
  deps: BoardsDependencies,
): Pick<Boards, "pause" | "resume" | "remove" | "bringBack"> {
  const { table, messenger, stations, clock, perGuild } = deps;

  async function read(guildId: string, id: string): Promise<Subscription> {
    return readSubscription(await requireBoard(table, guildId, id));
  }

  return {
    async pause(guildId, id) {
      await requireBoard(table, guildId, id);
      const changes = { state: "paused", stateAtMs: clock.now(), nextSlotMs: undefined } as const;
      await table.changeState(id, ["active"], { ...changes, pausedBecause: undefined });
      return read(guildId, id);
    },

    async resume(guildId, id, channelId) {
      const record = await requireBoard(table, guildId, id);
      const { settings } = readSubscription(record);
      const isMoved = channelId !== undefined && channelId !== record.channelId;
      if (record.state === "active" && !isMoved) {
        return readSubscription(record);
      }
      const nowMs = clock.now();
      checkBoardSettings(settings, stations, nowMs);
      await checkPlace(messenger, { guildId, channelId: channelId ?? record.channelId }, settings);
      const outcome = await table.changeState(id, [record.state], {
        ...(record.state === "paused" && {
          state: "active",
          stateAtMs: nowMs,
          pausedBecause: undefined,
          nextSlotMs: nextSlot(settings.schedule, nowMs),
        }),
        ...(isMoved && moveTo(channelId)),
      });
      if (outcome !== "changed") {
        throw changedMeanwhile();
      }
      if (isMoved) {
        await takeMessageAway(deps, record);
      }
      return read(guildId, id);
    },

    async remove(guildId, id) {
      const record = await requireBoard(table, guildId, id);
      const outcome = await table.changeState(id, [record.state], {
        state: "removed",
        stateAtMs: clock.now(),
        // Its message goes: brought back, it must not be taken for shown. `nextSlotMs` stays, and tells that it ran.
        shownHash: undefined,
      });
      if (outcome !== "changed") {
        throw changedMeanwhile();
      }
      // Read anew: its message may have been sent while it was being removed.
      await takeMessageAway(deps, (await table.get(id)) ?? record);
      return { ...readSubscription(record), state: "removed", nextSlotMs: undefined };
    },

    async bringBack(guildId, id) {
      const record = await table.get(id);
      if (record?.guildId === guildId && (record.state === "active" || record.state === "paused")) {
        return readSubscription(record);
      }
      const nowMs = clock.now();
      const isThere =
        record?.guildId === guildId && record.state === "removed" && record.changes === undefined;
      if (!isThere || record.stateAtMs < nowMs - SECOND_THOUGHTS_MS) {
        throw new UserError(
          "That board was removed more than an hour ago, so I have forgotten it. Set it up anew with `/board subscribe`.",
        );
      }
      const { settings } = readSubscription(record);
      const ran = record.nextSlotMs !== undefined;
      if (ran) {
        checkBoardSettings(settings, stations, nowMs);
        await checkPlace(messenger, record, settings);
      }
      const changes = ran
        ? ({ state: "active", stateAtMs: nowMs, nextSlotMs: nextSlot(settings.schedule, nowMs) } as const)
        : ({ state: "paused", stateAtMs: nowMs } as const);
      if ((await table.changeState(id, ["removed"], changes, perGuild)) === "no-room") {
        throw tooManyBoards(perGuild);
      }
      return read(guildId, id);
    },
  };
}
