// Tests how people manage watches, with a real database and a fake messenger.
import { describe, expect, it } from "vitest";
import { createLog } from "../../src/core/log.ts";
import type { Reply } from "../../src/core/reply.ts";
import { componentIdsOf } from "../support/fake-messenger.ts";
import { type ChannelCheck, MessengerError, type MessengerProblem } from "../../src/core/ports.ts";
import { createStations } from "../../src/rail/stations.ts";
import { createWatches } from "../../src/watches/manage-watches.ts";
import type { WatchActor } from "../../src/watches/require-watch.ts";
import type { NewWatch } from "../../src/watches/watch-drafts.ts";
import type { WatchedTrain } from "../../src/watches/watches.ts";
import { createStillClock } from "../support/still-clock.ts";
import { openTestDatabase } from "../open.ts";

const HOUR_MS = 3_600_000;
const GUILD = "g1";
const MARY: WatchActor = { userId: "mary", guildId: GUILD };
const GRACE: WatchActor = { userId: "grace", guildId: GUILD };
const CHANNEL: ChannelCheck = { guildId: GUILD, kind: "text", name: "trains", missing: [], locked: false };

async function world() {
  const clock = createStillClock();
  const stations = createStations();
  const { watches: table } = await openTestDatabase("sqlite::memory:");
  const state = {
    managers: [GRACE.userId],
    channel: CHANNEL as ChannelCheck | undefined,
    dm: undefined as MessengerProblem | undefined,
    dmUserIds: new Array<string>(),
    /** The direct messages to Mary, by message id. */
    shown: new Map<string, Reply>(),
  };
  const watches = createWatches({
    table,
    clock,
    stations,
    log: createLog({ level: "silent", secrets: [] }),
    messenger: {
      check: async () => state.channel,
      conversation: async () => "dm",
      edit: async ({ messageId }, reply) => void state.shown.set(messageId, reply),
      ownMessages: async () =>
        [...state.shown].map(([messageId, reply]) => ({
          channelId: "dm",
          messageId,
          sentAtMs: clock.now(),
          componentIds: componentIdsOf(reply),
        })),
      async dm(userId, reply) {
        if (state.dm !== undefined) {
          throw new MessengerError(state.dm, "no");
        }
        state.dmUserIds.push(userId);
        const messageId = String(state.shown.size + 1);
        state.shown.set(messageId, reply);
        return { channelId: "dm", messageId };
      },
      mayManage: async (guildId, userId) => guildId === GUILD && state.managers.includes(userId),
    },
  });
  /** A watch of the train this many minutes from now, by Mary in direct messages. */
  function newWatch(inMinutes = 60, changed: Partial<NewWatch> = {}): NewWatch {
    const aimedMs = clock.now() + inMinutes * 60_000;
    const what: WatchedTrain = { kind: "train", station: "YRK", to: "LDS", aimedMs, place: "Leeds" };
    return {
      ownerId: MARY.userId,
      askedGuildId: GUILD,
      askedChannelId: "11",
      guildId: undefined,
      channelId: undefined,
      settings: { what, delayMinutes: 5, leadMinutes: 60, ping: false },
      ...changed,
    };
  }
  const newChannelWatch = (inMinutes?: number) =>
    newWatch(inMinutes, {
      ownerId: GRACE.userId,
      guildId: GUILD,
      channelId: "11",
    });
  return { clock, table, state, watches, newWatch, newChannelWatch };
}

describe("a draft", () => {
  it("is on no list until it is saved, and is saved once if Save is pressed twice", async () => {
    const { state, watches, newWatch } = await world();
    const { id } = await watches.draft(newWatch());
    expect((await watches.list(MARY)).own).toEqual([]);
    const saved = await Promise.all([watches.save(MARY, id), watches.save(MARY, id)]);
    expect(saved.map((watch) => [watch.id, watch.state])).toEqual([
      [id, "active"],
      [id, "active"],
    ]);
    expect(await watches.list(MARY)).toEqual({ own: [saved[0]], ofServer: [] });
    expect(state.dmUserIds).toEqual(["mary"]);
  });

  it("expires after an hour, and belongs to its maker alone", async () => {
    const { clock, watches, newWatch } = await world();
    const { id } = await watches.draft(newWatch(180));
    await expect(watches.save(GRACE, id)).rejects.toThrow(/preview is gone/);
    await expect(watches.discard(GRACE, id)).rejects.toThrow(/somebody else's/);
    clock.advance(HOUR_MS);
    const { id: expired } = await watches.draft(newWatch(240));
    expect(await watches.save(MARY, id)).toMatchObject({ id, state: "active" });
    clock.advance(HOUR_MS + 1);
    await expect(watches.save(MARY, expired)).rejects.toThrow(/expired after an hour/);
  });

  it("can be discarded, unlike a saved watch", async () => {
    const { watches, newWatch } = await world();
    const draft = await watches.draft(newWatch());
    await watches.discard(MARY, draft.id);
    await expect(watches.save(MARY, draft.id)).rejects.toThrow(/preview is gone/);
    const { id } = await watches.add(newWatch());
    await watches.discard(MARY, id);
    expect((await watches.list(MARY)).own).toHaveLength(1);
  });

  it("stays if it is saved while it is being discarded", async () => {
    const { table, watches, newWatch } = await world();
    const { id } = await watches.draft(newWatch());
    const get = table.get.bind(table);
    table.get = async (watchId) => {
      table.get = get;
      const read = await get(watchId);
      await watches.save(MARY, watchId);
      return read;
    };
    await watches.discard(MARY, id);
    expect((await watches.list(MARY)).own).toMatchObject([{ id, state: "active" }]);
  });

  it("is refused for a train that has left", async () => {
    const { watches, newWatch } = await world();
    await expect(watches.draft(newWatch(-121))).rejects.toThrow(/has left/);
    await expect(watches.draft(newWatch(-30))).resolves.toMatchObject({ state: "draft" });
  });
});

describe("a train that is already watched", () => {
  it("is not watched twice: the button changes nothing, and a draft changes the settings", async () => {
    const { state, watches, newWatch } = await world();
    const first = await watches.add(newWatch());
    const { settings } = first;
    expect(await watches.add(newWatch(60, { settings: { ...settings, delayMinutes: 30 } }))).toEqual(first);
    const draft = await watches.draft(newWatch(60, { settings: { ...settings, ping: true } }));
    const saved = await watches.save(MARY, draft.id);
    expect(saved).toEqual({ ...first, settings: { ...settings, ping: true } });
    expect(state.dmUserIds).toHaveLength(1);
    await watches.add(newWatch(90));
    expect((await watches.list(MARY)).own).toHaveLength(2);
  });
});

describe("the messages of erased watches", () => {
  it("say that the watch was erased, without its train and without buttons", async () => {
    const { clock, state, watches, newWatch, newChannelWatch } = await world();
    await watches.add(newWatch(60));
    const stopped = await watches.add(newWatch(90));
    await watches.remove(MARY, stopped.id);
    await watches.add(newChannelWatch());
    clock.advance(60_000);
    const end = await watches.beforeErasing(MARY.userId);
    expect(JSON.stringify([...state.shown.values()])).toMatch(/Leeds.*Leeds/);
    await end();
    const shown = JSON.stringify([...state.shown.values()]);
    expect(shown.match(/I've erased this watch/g)).toHaveLength(2);
    expect(shown).not.toMatch(/Leeds|buttons/);
  });

  it("say so even if another watch of the person cannot be parsed", async () => {
    const { state, table, watches, newWatch } = await world();
    const unreadable = await watches.add(newWatch(60));
    await watches.add(newWatch(90));
    await table.changeState(unreadable.id, ["active"], { settings: "not JSON" });
    const end = await watches.beforeErasing(MARY.userId);
    await expect(end()).resolves.toBeUndefined();
    expect(JSON.stringify([...state.shown.values()]).match(/I've erased this watch/g)).toHaveLength(1);
  });
});

describe("limits", () => {
  it("allow a person 20 watches of their own, not counting those for channels", async () => {
    const { state, watches, newWatch, newChannelWatch } = await world();
    state.managers = ["mary"];
    for (let each = 0; each < 20; each += 1) {
      await watches.add(newWatch(60 + each));
    }
    await expect(watches.add(newWatch(100))).rejects.toThrow(/20 watches/);
    await expect(watches.add({ ...newChannelWatch(), ownerId: "mary" })).resolves.toMatchObject({
      state: "active",
    });
    expect(state.dmUserIds).toHaveLength(20);
    const { own } = await watches.list(MARY);
    await watches.remove(MARY, own.find(({ channelId }) => channelId === undefined)?.id ?? "");
    await expect(watches.add(newWatch(100))).resolves.toMatchObject({ state: "active" });
  });

  it("allow 50 watches for the channels of a server", async () => {
    const { watches, newChannelWatch } = await world();
    for (let each = 0; each < 50; each += 1) {
      await watches.add(newChannelWatch(60 + each));
    }
    await expect(watches.add(newChannelWatch(200))).rejects.toThrow(/50 watches/);
  });
});

describe("a person who cannot be sent direct messages", () => {
  it("cannot save a watch, or resume one that was paused for this reason", async () => {
    const { state, table, watches, newWatch } = await world();
    state.dm = "dm-closed";
    await expect(watches.add(newWatch())).rejects.toThrow(/I can't send you/);
    expect(await table.ofOwner("mary")).toEqual([]);
    state.dm = undefined;
    const { id } = await watches.add(newWatch());
    const because = { state: "paused", pausedBecause: "dm-closed" } as const;
    await table.changeState(id, ["active"], because);
    state.dm = "dm-closed";
    await expect(watches.resume(MARY, id)).rejects.toThrow(/I can't send you/);
    const draft = await watches.draft(newWatch());
    await expect(watches.save(MARY, draft.id)).rejects.toThrow(/I can't send you/);
    expect(await table.get(id)).toMatchObject(because);
    state.dm = undefined;
    expect(await watches.resume(MARY, id)).toMatchObject({ state: "active", pausedBecause: undefined });
    await watches.pause(MARY, id);
    await watches.resume(MARY, id);
    expect(state.dmUserIds).toHaveLength(2);
  });

  it("can save a watch while Discord is unavailable", async () => {
    const { state, watches, newWatch } = await world();
    state.dm = "unavailable";
    await expect(watches.add(newWatch())).resolves.toMatchObject({ state: "active" });
  });
});

describe("a watch that posts in a channel", () => {
  it("can be made only by people who manage the server, and only where the bot may write", async () => {
    const { state, watches, newChannelWatch } = await world();
    await expect(watches.draft({ ...newChannelWatch(), ownerId: "mary" })).rejects.toThrow(
      /manage the server/,
    );
    state.channel = undefined;
    await expect(watches.draft(newChannelWatch())).rejects.toThrow(/can't see/);
    state.channel = { ...CHANNEL, guildId: "g2" };
    await expect(watches.draft(newChannelWatch())).rejects.toThrow(/can't see/);
    state.channel = { ...CHANNEL, missing: ["Send Messages", "Attach Files"] };
    await expect(watches.draft(newChannelWatch())).rejects.toThrow(/Give me \*\*Send Messages\*\* there/);
    state.channel = { ...CHANNEL, missing: ["Attach Files"] };
    await expect(watches.draft(newChannelWatch())).resolves.toMatchObject({ state: "draft" });
  });

  it("is shown to and managed by the server's current managers, in that server", async () => {
    const { state, watches, newChannelWatch } = await world();
    const { id } = await watches.add(newChannelWatch());
    expect(state.dmUserIds).toEqual([]);
    expect(await watches.list(MARY)).toEqual({ own: [], ofServer: [] });
    await expect(watches.get(MARY, id)).rejects.toThrow(/somebody else's/);
    expect(await watches.list(GRACE)).toMatchObject({ own: [{ id }], ofServer: [] });
    state.managers = ["mary"];
    expect((await watches.list(MARY)).ofServer).toHaveLength(1);
    expect((await watches.list({ ...MARY, guildId: undefined })).ofServer).toEqual([]);
    await expect(watches.pause({ ...MARY, guildId: "g2" }, id)).rejects.toThrow(/somebody else's/);
    await expect(watches.pause(MARY, id)).resolves.toMatchObject({ state: "paused" });
    // The owner may still stop it, but not resume it.
    await expect(watches.resume(GRACE, id)).rejects.toThrow(/manage the server/);
    await expect(watches.remove(GRACE, id)).resolves.toMatchObject({ id });
    await expect(watches.remove(MARY, id)).resolves.toBeUndefined();
    await expect(watches.remove(MARY, "nothing1")).resolves.toBeUndefined();
  });
});

describe("a person's watch", () => {
  it("belongs to them alone, whoever manages the server where it was made", async () => {
    const { watches, newWatch } = await world();
    const { id } = await watches.add(newWatch());
    for (const act of ["get", "pause", "resume", "remove"] as const) {
      await expect(watches[act](GRACE, id)).rejects.toThrow(/somebody else's/);
    }
    await expect(watches.change(GRACE, id, { ping: true })).rejects.toThrow(/somebody else's/);
  });

  it("can be changed within limits", async () => {
    const { watches, newWatch } = await world();
    const { id } = await watches.add(newWatch());
    const changed = await watches.change(MARY, id, { delayMinutes: 15, ping: true });
    expect(changed.settings).toMatchObject({ delayMinutes: 15, leadMinutes: 60, ping: true });
    expect(await watches.get(MARY, id)).toEqual(changed);
    await expect(watches.change(MARY, id, { delayMinutes: 0 })).rejects.toThrow(/between 1 and 120/);
    await expect(watches.change(MARY, id, { leadMinutes: 999 })).rejects.toThrow(
      /5 to 120 minutes before departure/,
    );
  });

  it("is not changed if it has just ended", async () => {
    const { table, watches, newWatch } = await world();
    const { id } = await watches.add(newWatch());
    const get = table.get.bind(table);
    table.get = async (asked) => {
      const record = await get(asked);
      await table.changeState(asked, ["active"], { state: "ended" });
      return record;
    };
    await expect(watches.change(MARY, id, { ping: true })).rejects.toThrow(/has just changed/);
  });

  it("can be restored within an hour, and its first message shows its state", async () => {
    const { clock, state, watches, newWatch } = await world();
    const { id } = await watches.add(newWatch());
    const other = await watches.add(newWatch(90));
    const shownTexts = () => [...state.shown.values()].map((reply) => JSON.stringify(reply));
    await watches.remove(MARY, id);
    expect((await watches.list(MARY)).own.map((watch) => watch.id)).toEqual([other.id]);
    expect(shownTexts()).toEqual([
      expect.stringContaining("Stopped: no more alerts for"),
      expect.not.stringContaining("Stopped"),
    ]);
    await expect(watches.bringBack(GRACE, id)).rejects.toThrow(/somebody else's/);
    await expect(watches.bringBack(MARY, id)).resolves.toMatchObject({ id, state: "active" });
    await expect(watches.bringBack(MARY, id)).resolves.toMatchObject({ id, state: "active" });
    expect(shownTexts()[0]).not.toContain("Stopped");
    await watches.remove(MARY, id);
    clock.advance(HOUR_MS + 1);
    await expect(watches.bringBack(MARY, id)).rejects.toThrow(/more than an hour ago/);
  });

  it("is stopped even if it is paused at the same time", async () => {
    const { watches, newWatch } = await world();
    const { id } = await watches.add(newWatch());
    await Promise.allSettled([watches.pause(MARY, id), watches.remove(MARY, id)]);
    expect((await watches.list(MARY)).own).toEqual([]);
  });

  it("is over once its train has left", async () => {
    const { table, watches, newWatch } = await world();
    const { id } = await watches.add(newWatch());
    await table.changeState(id, ["active"], { state: "ended" });
    expect((await watches.list(MARY)).own).toEqual([]);
    await expect(watches.resume(MARY, id)).rejects.toThrow(/is over/);
    expect(await watches.remove(MARY, id)).toBeUndefined();
    // The train may be watched again, e.g. if it came back.
    expect((await watches.add(newWatch())).id).not.toBe(id);
  });
});
