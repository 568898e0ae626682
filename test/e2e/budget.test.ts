// The plan is never exceeded, and lasts: many requests need few calls, and old answers show their age.
import { describe, expect, it } from "vitest";
import type { World } from "../../sandbox/world.ts";
import { ServiceError } from "../../src/core/errors.ts";
import { createTestDatabase } from "../open.ts";
import { findPostgres, sqlite } from "../support/databases.ts";
import { hammerFleet } from "../support/hammered-fleet.ts";
import { openCheckedWorld, reportChecks } from "../support/checked-world.ts";
import { advanceWhenIdle } from "../support/until.ts";

reportChecks();

const MINUTE_MS = 60_000;
const postgres = await findPostgres();

const ask = (world: World, station: string, name = "Ada") =>
  world.member(name).slash(world.channels.trains, "departures", { station, view: "text", rows: 1 });

describe("the plan", () => {
  it("is not exceeded by a bot that is killed and restarted", async () => {
    const env = { TRANSPORT_BUDGET: "3/hour", DATABASE_URL: await createTestDatabase(sqlite) };
    await using world = await openCheckedWorld({ bot: "process", env });
    expect((await ask(world, "YRK")).text).toMatch(/Departures/);
    expect((await ask(world, "LDS", "Grace")).text).toMatch(/Departures/);
    await world.bot.kill();
    await world.bot.start();
    expect((await ask(world, "NCL")).text).toMatch(/Departures/);
    const refused = await ask(world, "EDB");
    expect(refused.message.ephemeral).toBe(true);
    expect(refused.text).toMatch(/used up its train data.*about 61 minutes/);
    expect(world.transport.ledger).toHaveLength(3);
    await advanceWhenIdle(world, 61 * MINUTE_MS);
    expect((await ask(world, "EDB")).text).toMatch(/Departures/);
  });

  it("is shared: a member who has used their share is told when to try again, and others continue", async () => {
    await using world = await openCheckedWorld({ env: { TRANSPORT_BUDGET: "30/day" } });
    // A plan this small has no calls for disruptions.
    await expect(world.member("Ada").slash(world.channels.trains, "watch disruptions")).rejects.toThrow(
      /disruptions/,
    );
    const stations = "YRK LDS NCL KGX MAN EDB GLC BHM BRI RDG SHF LIV NOT DBY LEI CBG".split(" ");
    const answers = await Promise.all(stations.map((station) => ask(world, station)));
    const refused = answers.filter(({ text }) => !text.includes("Departures"));
    expect(refused.map(({ text }) => text)).toEqual(
      refused.map(() =>
        expect.stringMatching(
          /^You've used your share of the train data for now\. Try again in about 7\d minutes\.$/,
        ),
      ),
    );
    expect(world.transport.ledger).toHaveLength(10);
    expect(refused.every(({ message }) => message.ephemeral)).toBe(true);
    const told = world.bot.log.filter((line) => line.includes("share of the plan used up"));
    expect(told).toHaveLength(1);
    expect(told[0]).toContain(world.member("Ada").id);
    expect(told[0]).toContain(world.guild.id);
    // Cached answers cost nothing.
    expect((await ask(world, world.transport.ledger[0]?.path.match(/[A-Z]{3}/)?.[0] ?? "YRK")).text).toMatch(
      /Departures/,
    );
    const about = await world.member("Ada").slash(world.channels.general, "about");
    expect(about.text).toMatch(/Left\*?\*? 20, of which you can use 0 now/);
    expect((await ask(world, "SWA", "Grace")).text).toMatch(/Departures/);
    await advanceWhenIdle(world, 200 * MINUTE_MS);
    expect((await ask(world, "CDF")).text).toMatch(/Departures/);
  });

  it("shows its used and remaining calls in /about", async () => {
    await using world = await openCheckedWorld({ env: { TRANSPORT_BUDGET: "30/day" } });
    const about = async () => (await world.member("Ada").slash(world.channels.general, "about")).text;
    expect(await about()).toMatch(/0 of 30 requests in the last 24 hours/);
    await ask(world, "YRK");
    const text = await about();
    expect(text).toMatch(/1 of 30 requests/);
    expect(text).toMatch(/Left\*?\*? 29/);
    // The time of the next calls is shown only if few are left.
    expect(text).not.toMatch(/<t:\d+:R>/);
  });

  it("is not used for a while after the service says that it is used up; /about says so, or that the database is unavailable", async () => {
    const unavailable = new ServiceError("storage", "unavailable", "ECONNREFUSED");
    let isUnreachable = false;
    await using world = await openCheckedWorld({
      intercept: (_, run) => (isUnreachable ? Promise.reject(unavailable) : run()),
    });
    world.transport.faults.add({ path: /live/, do: "used-up", times: 1 });
    expect((await ask(world, "YRK")).text).toMatch(
      /used up its train data for now\. Try again in about \d+ minutes/,
    );
    const calls = world.transport.ledger.length;
    expect((await ask(world, "LDS")).text).toMatch(/used up its train data/);
    expect(world.transport.ledger).toHaveLength(calls);
    const about = async () => (await world.member("Ada").slash(world.channels.general, "about")).text;
    expect(await about()).toMatch(/used up.*<t:\d+:R>/);
    isUnreachable = true;
    expect(await about()).toMatch(/\*\*Latency\*\*[^]*\*\*Database\*\* unavailable right now/);
    isUnreachable = false;
    await advanceWhenIdle(world, 61 * MINUTE_MS);
    expect((await ask(world, "LDS")).text).toMatch(/Departures/);
  });

  it.skipIf(postgres.missing !== undefined)(
    "is not exceeded by two bots on one PostgreSQL, despite two kills",
    { timeout: 120_000 },
    async () => {
      await using database = await postgres.create();
      const { mostInAnHour, kills, answered, ledger } = await hammerFleet({
        databaseUrl: database.url,
        calls: 20,
        rounds: 6,
        asksPerRound: 40,
        pauseMs: 25 * MINUTE_MS,
      });
      expect(kills).toBe(2);
      expect(Math.min(...answered)).toBeGreaterThan(10);
      // Two servers leave part of the plan to others.
      expect(ledger.length).toBeGreaterThanOrEqual(25);
      expect(mostInAnHour).toBeGreaterThanOrEqual(14);
      expect(mostInAnHour).toBeLessThanOrEqual(20);
    },
  );
});

describe("an answer", () => {
  it("serves 100 further presses within a minute", async () => {
    await using world = await openCheckedWorld();
    const members = ["Ada", "Grace", "Alan", "Mary"].map((name) => world.member(name));
    const { message } = await ask(world, "YRK");
    const calls = world.transport.ledger.length;
    expect(calls).toBe(1);
    await Promise.all(
      Array.from({ length: 100 }, async (_, index) => {
        await members[index % members.length]?.click(message, "Refresh");
      }),
    );
    expect(world.transport.ledger).toHaveLength(calls);
    await advanceWhenIdle(world, MINUTE_MS + 1);
    await members[0]?.click(message, "Refresh");
    expect(world.transport.ledger).toHaveLength(calls + 1);
  });

  it("that is old is shown if there is no newer one, with its age and the reason", async () => {
    await using world = await openCheckedWorld({ env: { TRANSPORT_BUDGET: "1/hour" } });
    const { message } = await ask(world, "YRK");
    await advanceWhenIdle(world, 12 * MINUTE_MS);
    const old = await world.member("Ada").click(message, "Refresh");
    expect(old.text).toMatch(/Live data is used up for now\. This is 12 minutes old\./);
    const picture = await world.member("Ada").click(old.message, "Picture");
    expect(picture.text).toMatch(/12 minutes old/);
    expect(world.transport.ledger).toHaveLength(1);
    await advanceWhenIdle(world, 49 * MINUTE_MS);
    const fresh = await world.member("Ada").click(picture.message, "Refresh");
    expect(fresh.text).not.toMatch(/haven't been able to check/);
  });
});

describe("/privacy", () => {
  it("exports a file that only the person sees, and erases after a confirmation", async () => {
    await using world = await openCheckedWorld();
    const ada = world.member("Ada");
    const first = async (station: string) => {
      const choices = await ada.complete(world.channels.general, "departures", { station }, "station");
      return choices[0]?.value;
    };
    expect([await first(""), await first("y")]).toEqual(["EUS", "YRK"]);
    await ada.slash(world.channels.general, "departures", { station: "Yarm", view: "text" });
    await expect.poll(() => first("")).toBe("YRM");
    expect(await first("y")).toBe("YRM");
    const exported = await ada.slash(world.channels.general, "privacy export");
    expect(exported.message.ephemeral).toBe(true);
    const [file] = exported.message.attachments;
    const bytes = file === undefined ? new Uint8Array() : await ada.download(file);
    expect(JSON.parse(new TextDecoder().decode(bytes))).toMatchObject({
      userId: ada.id,
      kept: { recentChoices: [{ kind: "station", value: "YRM" }] },
    });

    const question = await ada.slash(world.channels.general, "privacy erase");
    expect(question.message.ephemeral).toBe(true);
    const done = await ada.click(question.message, "Erase everything");
    expect(done.text).toMatch(/Done\. I keep only a note of your id/);
    expect(await first("")).toBe("EUS");
    const asked = await ada.slash(world.channels.general, "privacy lists", { remember: false });
    expect(asked.message.ephemeral).toBe(true);
    expect(asked.text).toMatch(/won't remember new ones/);
  });
});
