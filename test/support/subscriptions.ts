// Board subscriptions for tests of views and commands.
import type { BoardSettings, Subscription } from "../../src/boards/boards.ts";
import { NEVER_SENT } from "../../src/boards/boards-table.ts";

/** Departures from York to Leeds, every ten minutes, day and night, in one message, by default. */
export function boardSettings(changed: Partial<BoardSettings> = {}): BoardSettings {
  return {
    kind: "departures",
    station: "YRK",
    callingAt: ["LDS"],
    callingAtAll: false,
    platforms: [],
    transport: "all",
    walkMinutes: 0,
    rows: 8,
    look: "picture",
    mode: "edit",
    publish: false,
    schedule: { timing: { every: 10 }, days: [1, 2, 3, 4, 5, 6, 7], zone: "Europe/London" },
    ...changed,
  };
}

/**
 * A running board in channel "11" of server "1" that is next due at 17:30 on Wednesday 18 November 2026, by default.
 */
export function subscription(
  changed: Partial<Omit<Subscription, "settings">> & { readonly settings?: Partial<BoardSettings> } = {},
): Subscription {
  const { settings, ...rest } = changed;
  return {
    id: "abcd1234",
    guildId: "1",
    channelId: "11",
    createdBy: "7",
    createdAtMs: Date.UTC(2026, 10, 18, 17),
    settings: boardSettings(settings),
    state: "active",
    stateAtMs: Date.UTC(2026, 10, 18, 17),
    changes: undefined,
    pausedBecause: undefined,
    nextSlotMs: Date.UTC(2026, 10, 18, 17, 30),
    ...NEVER_SENT,
    ...rest,
  };
}
