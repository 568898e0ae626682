import { describe, expect, it } from "vitest";
import type { FaultState, FaultSwitch } from "../../../sandbox/control/api/faults.ts";
import type { Traffic } from "../../../sandbox/control/api/traffic.ts";
import { openWorld, type World } from "../../../sandbox/world.ts";
import { openControl } from "./ask-control.ts";

const commandsDir = new URL("../../fixtures/commands/", import.meta.url);

/** For each server, a call that all of its switches affect. */
const CALLS: Readonly<Record<string, (world: World) => Promise<Response>>> = {
  discord: ({ discord }) => fetch(`${discord.baseUrl}/api/v10/gateway`),
  transport: ({ transport }) =>
    fetch(
      `${transport.baseUrl}/v3/uk/train/station/YRK/live.json?app_id=${transport.appId}&app_key=${transport.appKey}`,
    ),
  tfl: ({ tfl }) => fetch(`${tfl.baseUrl}/Line/Mode/dlr/Status`, { headers: { "user-agent": "test" } }),
  "rail-data": ({ railData }) => fetch(`${railData.env["RAIL_DATA_SERVICE_URL"]}/GetServiceDetails/0`),
  style: ({ style }) => fetch(`${style.baseUrl}/v1/process`, { method: "POST", body: new FormData() }),
  video: ({ video }) =>
    fetch(`${video.baseUrl}/v26.0/me/videos`, { method: "POST", body: new URLSearchParams({ title: "a" }) }),
};

async function switchesOf(world: World): Promise<readonly FaultSwitch[]> {
  await using control = await openControl(world);
  return (await control.get<FaultState>("/faults")).switches;
}

describe("the fault switches", () => {
  it("have their own ids, labels and descriptions, on every target", async () => {
    await using world = await openWorld({ bot: "none" });
    const switches = await switchesOf(world);
    expect(new Set(switches.map(({ id }) => id)).size).toBe(switches.length);
    expect(new Set(switches.map(({ target }) => target))).toEqual(
      new Set(["discord", "gateway", "transport", "rail-data", "tfl", "style", "video"]),
    );
    expect(switches.every(({ label, description }) => label !== "" && /[.?]$/.test(description))).toBe(true);
    expect(switches.map(({ id }) => id)).toEqual(
      expect.arrayContaining([
        "transport:Plan used up",
        "style:Out of credit",
        "video:Expired token",
        "video:Processing never ends",
      ]),
    );
  });

  it("can each affect one call only, and count it", async () => {
    await using world = await openWorld({ bot: "none" });
    await using control = await openControl(world);
    for (const { id, target, kind } of await switchesOf(world)) {
      const call = CALLS[target];
      if (call === undefined || kind === "once") {
        continue;
      }
      const on = await control.post<FaultState>("/faults", { switchId: id, times: 1 });
      expect(on.active).toMatchObject([{ switchId: id, times: 1, hits: 0 }]);
      await call(world).catch(() => undefined);
      await expect
        .poll(async () => (await control.get<FaultState>("/faults")).active, { message: id })
        .toEqual([]);
    }
    const { notes } = world.discord.traffic;
    expect(notes.flatMap((note) => (note.kind === "rest" ? [note.record.fault] : []))).toEqual([
      "slow",
      "429",
      "500",
      "drop",
      "drop-after",
      "malformed",
    ]);
    await expect(statusOf(world)).resolves.toBe(200);
  });

  it("last until they are switched off, and count the calls that they affect", async () => {
    await using world = await openWorld({ bot: "none" });
    await using control = await openControl(world);
    const on = await control.post<FaultState>("/faults", { switchId: "discord:Server errors" });
    expect([await statusOf(world), await statusOf(world)]).toEqual([500, 500]);
    expect((await control.get<FaultState>("/faults")).active).toMatchObject([{ hits: 2, times: null }]);
    const off = await control.remove<FaultState>(`/faults/${on.active[0]?.switchId}`);
    expect([off.active, await statusOf(world)]).toEqual([[], 200]);
    await control.post("/faults", { switchId: "discord:Server errors" });
    await control.post("/faults", { switchId: "video:Expired token" });
    expect((await control.remove<FaultState>("/faults")).active).toEqual([]);
    await expect(control.post("/faults", { switchId: "discord:rain" })).rejects.toThrow("no fault");
  });

  it("never affect the page's own requests", async () => {
    await using world = await openWorld({ bot: "none" });
    await using control = await openControl(world);
    const { active } = await control.post<FaultState>("/faults", { switchId: "discord:Dropped connections" });
    await control.get("/clock");
    expect(active).toHaveLength(1);
    expect((await control.get<FaultState>("/faults")).active[0]?.hits).toBe(0);
  });

  it.each([
    "Drop the connection",
    "Ask to reconnect",
    "Invalid session, may resume",
    "Invalid session, start again",
  ])(
    "can cause “%s” at the gateway, after which the bot answers again",
    async (name) => {
      await using world = await openWorld({ commandsDir });
      await using control = await openControl(world);
      const said = () =>
        world.discord.traffic.notes.flatMap((note) => (note.kind === "gateway" ? [note.name] : []));
      const before = said().length;
      const { active } = await control.post<FaultState>("/faults", { switchId: `gateway:${name}` });
      expect(active).toEqual([]);
      await expect
        .poll(
          () =>
            said()
              .slice(before)
              .some((word) => /^(RESUMED|READY)$/.test(word)),
          { timeout: 10_000 },
        )
        .toBe(true);
      await world.member("Ada").slash(world.channels.trains, "fast", { text: "again" });
    },
    20_000,
  );

  it("can lose, delay and duplicate commands, and autocomplete does not use up a fault", async () => {
    await using world = await openWorld({ commandsDir });
    await using control = await openControl(world);
    const ada = world.member("Ada");
    const ask = (text: string) => ada.slash(world.channels.trains, "fast", { text });
    const active = async () => (await control.get<FaultState>("/faults")).active;
    const askAfterAutocomplete = async (switchId: string, text: string) => {
      await control.post("/faults", { switchId, times: 1 });
      await ada.complete(world.channels.trains, "fast", { text }, "text");
      expect(await active()).toMatchObject([{ switchId, hits: 0 }]);
      await ask(text);
      expect(await active()).toEqual([]);
    };
    await askAfterAutocomplete("gateway:Commands come twice", "twice");
    const { entries } = await control.get<Traffic>("/traffic");
    expect(entries.flatMap(({ findings }) => findings)).toMatchObject([
      { severity: "note", code: "injected", message: expect.stringContaining("twice") },
    ]);
    await control.post("/faults", { switchId: "gateway:Commands come late", times: 1 });
    await ask("late");
    await askAfterAutocomplete("discord:Garbled answers", "garbled");
    await control.post("/faults", { switchId: "gateway:Commands get lost", times: 1 });
    const lost = ask("lost").catch((error: unknown) => error);
    await world.clock.advance(3_000);
    expect(String(await lost)).toContain("did not respond");
  });
});

async function statusOf({ discord }: World): Promise<number> {
  return (await fetch(`${discord.baseUrl}/api/v10/gateway`)).status;
}
