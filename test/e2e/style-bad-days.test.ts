// The style service on its worst days: each failure has its own sentence, no secret leaks, and the next picture works.
import { describe, expect, it } from "vitest";
import type { SeenMessage } from "../../sandbox/discord/actors/member-types.ts";
import type { World } from "../../sandbox/world.ts";
import { reportChecks } from "../support/checked-world.ts";
import { countStyleRequests, openStyleWorld, photograph } from "../support/style-world.ts";
import { advanceUntil, until } from "../support/until.ts";

reportChecks();

async function ask(world: World) {
  const image = await photograph();
  return world.member("Ada").slash(world.channels.general, "style", { image, style: "oil" });
}

/**
 * Waits, in real time, until the service has been asked. On a busy machine, reading the picture may take longer than an
 * advancing clock allows.
 */
const untilAsked = (world: World, before = 0) => until(() => countStyleRequests(world) > before);

/** Asks for a picture. Returns the failure, which only Ada sees; a late one comes beside a public "thinking…". */
async function askAndFail(world: World, stepMs?: number): Promise<string> {
  const ada = world.member("Ada");
  const { general } = world.channels;
  const before = new Set(ada.messages(general).map(({ id }) => id));
  const asksBefore = countStyleRequests(world);
  const asking = ask(world);
  const telling = asking.then(() =>
    ada.waitForMessage(general, ({ id, ephemeral }) => ephemeral && !before.has(id)),
  );
  await untilAsked(world, asksBefore);
  const { text } = await advanceUntil(world, telling, stepMs);
  return text;
}

/** The custom ids of a message's buttons and menus. */
function idsIn({ components }: SeenMessage): readonly string[] {
  return JSON.stringify(components).match(/"custom_id":"[^"]+"/g) ?? [];
}

/** Checks that a text and the log contain nothing that people must never read. */
function expectNoLeak(world: World, text: string): void {
  expect(text).not.toContain(world.style.apiKey);
  expect(text).not.toMatch(/https?:|127\.0|169\.254|\bat .*\.ts|node:|undefined|\[object|PictureError/);
  expect(world.bot.log.join("\n")).not.toContain(world.style.apiKey);
}

const CASES = [
  { does: "401", says: /doesn't accept this bot's credentials/ },
  { does: "402", says: /run out of credit/ },
  { does: "403", says: /doesn't (?:let this bot|accept)/ },
  { does: "415", says: /didn't accept this picture/ },
  { does: "422", says: /didn't accept this picture/ },
  { does: "429", says: /The style service is busy/ },
  { does: "429-bare", says: /The style service is busy/ },
  { does: "quota", says: /run out of credit/ },
  { does: "500", says: /can't reach the style service right now/ },
  { does: "503", says: /can't reach the style service right now/ },
  { does: "html", says: /something that isn't a picture/ },
  { does: "200-error", says: /style service/ },
  { does: "filtered", says: /didn't accept this picture/ },
  { does: "failed-job", says: /style service/ },
  { does: "no-picture", says: /something that isn't a picture/ },
  { does: "text-result", says: /something that isn't a picture/ },
  { does: "redirected-result", says: /something that isn't a picture/ },
  { does: "private-result", says: /something that isn't a picture/ },
  { does: "metadata-result", says: /something that isn't a picture/ },
  { does: "drop", says: /can't reach the style service right now|never said/ },
] as const;

describe("a failing style service", () => {
  it("is explained for each kind of failure, and the next picture works", async () => {
    // A failure that kept the next picture from the service would fail the next case.
    await using world = await openStyleWorld();
    for (const { does, says } of CASES) {
      const fault = world.style.faults.add({
        path: "/v1/process",
        do: does,
        times: 99,
        retryAfterMs: 90_000,
      });
      const text = await askAndFail(world);
      expect(text, `of ${does}`).toMatch(says);
      expect(text.length, `of ${does}`).toBeLessThan(300);
      expectNoLeak(world, text);
      fault.remove();
    }
    expect((await ask(world)).text).toContain("### Oil paint");
  });

  it("times out if it never answers", async () => {
    await using world = await openStyleWorld();
    world.style.faults.add({ path: "/v1/process", do: "hang", times: 9 });
    const text = await askAndFail(world, 250);
    expect(text).toMatch(/took too long to answer/);
    world.style.faults.clear();
    expect((await ask(world)).text).toContain("### Oil paint");
  });

  it("times out if its job never ends", async () => {
    await using world = await openStyleWorld();
    world.style.faults.add({ path: "/v1/process", do: "endless-job" });
    expect(await askAndFail(world, 250)).toMatch(/took too long to answer/);
    expect((await ask(world)).text).toContain("### Oil paint");
  });

  it("cannot make the bot read a huge picture", async () => {
    await using world = await openStyleWorld();
    world.style.faults.add({ path: "/v1/process", do: "huge-result" });
    expect(await askAndFail(world)).toMatch(/sent back a picture that's too large for me/);
    expect((await ask(world)).text).toContain("### Oil paint");
  });
});

describe("a service that finds the picture too large", () => {
  it("gets a smaller one, once", async () => {
    await using world = await openStyleWorld();
    world.style.faults.add({ path: "/v1/process", do: "413" });
    const answer = await ask(world);
    expect(answer.text).toContain("made smaller for the style service");
    expect(countStyleRequests(world)).toBe(2);
  });

  it("is not asked a third time", async () => {
    await using world = await openStyleWorld();
    world.style.faults.add({ path: "/v1/process", do: "413", times: 9 });
    expect(await askAndFail(world)).toMatch(/This picture is too large for the style service/);
    expect(countStyleRequests(world)).toBe(2);
  });
});

describe("slow work on a picture", () => {
  it("shows its progress, and can be cancelled only by the person who asked", async () => {
    await using world = await openStyleWorld({ style: { shape: "job", jobMs: 60_000 } });
    const { general } = world.channels;
    const [ada, alan] = [world.member("Ada"), world.member("Alan")];
    void ask(world).catch(() => undefined);
    await untilAsked(world);
    const state = await advanceUntil(
      world,
      ada.waitForMessage(general, ({ text }) => text.includes("Restyling your picture")),
    );
    expect((await alan.click(state, "Cancel")).text).toMatch(
      /^Only the person who asked for this can cancel it/,
    );
    expect((await ada.click(state, "Cancel")).text).toBe("Cancelled.");
    const told = await advanceUntil(
      world,
      ada.waitForMessage(general, ({ text }) => text.startsWith("That was stopped")),
    );
    expect(told.ephemeral).toBe(true);
    await until(() => ada.look(state) === undefined);
  });

  it("can be cancelled in the answer to a mention too", async () => {
    await using world = await openStyleWorld({ style: { shape: "job", jobMs: 60_000 } });
    const { general } = world.channels;
    const ada = world.member("Ada");
    await ada.mention(general, "oil paint, please", [await photograph()]);
    await untilAsked(world);
    const state = await advanceUntil(
      world,
      ada.waitForMessage(general, ({ text }) => text.includes("Restyling your picture")),
    );
    expect((await ada.click(state, "Cancel")).text).toBe("Cancelled.");
    await advanceUntil(
      world,
      until(() => ada.look(state)?.text.startsWith("That was stopped") === true),
    );
    expect(idsIn(ada.look(state) ?? state)).toEqual([]);
  });

  it("keeps showing the previous picture, and restores it with its buttons if it is cancelled", async () => {
    await using world = await openStyleWorld();
    const { general } = world.channels;
    const ada = world.member("Ada");
    const asked = await ask(world);
    Object.assign(world.style, { shape: "job", jobMs: 60_000 });
    void ada.click(asked.message, "Weaker").catch(() => undefined);
    const state = await advanceUntil(
      world,
      ada.waitForMessage(general, ({ text }) => text.includes("Restyling your picture")),
    );
    expect(state.id).toBe(asked.message.id);
    expect(state.text).toContain("### Oil paint");
    expect(state.attachments).toHaveLength(2);
    await ada.click(state, "Cancel");
    const back = await advanceUntil(
      world,
      ada.waitForMessage(
        general,
        ({ id, text }) => id === state.id && !text.includes("Restyling your picture"),
      ),
    );
    expect(back.text).toBe(asked.text);
    expect(idsIn(back)).toEqual(idsIn(asked.message));
    expect(back.attachments).toHaveLength(2);
  });

  it("shows the place in the queue, and refuses a member who has too many pictures waiting", async () => {
    await using world = await openStyleWorld({ style: { shape: "job", jobMs: 30_000 } });
    const { general } = world.channels;
    const ada = world.member("Ada");
    const asking = [1, 2, 3].map(() => ask(world));
    await untilAsked(world);
    const states = await advanceUntil(
      world,
      Promise.all([
        ada.waitForMessage(general, ({ text }) => text.startsWith("Your picture is next: ")),
        ada.waitForMessage(general, ({ text }) => text === "Your picture is number 2 in the queue."),
      ]),
    );
    expect(new Set(states.map(({ id }) => id)).size).toBe(2);
    const turnedAway = await advanceUntil(world, ask(world));
    expect(turnedAway.text).toMatch(/^You already have pictures waiting/);
    await Promise.all(asking);
    const done = () => ada.messages(general).filter(({ text }) => text.includes("### Oil paint")).length;
    await advanceUntil(
      world,
      until(() => done() === 3),
    );
  });

  it("is shown to the person alone if the answer is private", async () => {
    await using world = await openStyleWorld({ style: { shape: "job", jobMs: 10_000 } });
    const { general } = world.channels;
    const [ada, alan] = [world.member("Ada"), world.member("Alan")];
    const options = { image: await photograph(), style: "oil", private: true };
    void ada.slash(general, "style", options).catch(() => undefined);
    await untilAsked(world);
    const state = await advanceUntil(
      world,
      ada.waitForMessage(general, ({ text }) => text.includes("Restyling your picture")),
    );
    expect(state.ephemeral).toBe(true);
    const done = await advanceUntil(
      world,
      ada.waitForMessage(general, ({ text }) => text.includes("### Oil paint")),
    );
    expect(done.id).toBe(state.id);
    expect(done.ephemeral).toBe(true);
    expect(alan.messages(general)).toEqual([]);
  });
});

describe("a catalogue that cannot be used", () => {
  it("keeps the bot from starting, with a sentence for its operator", async () => {
    const env = { STYLE_CATALOGUE: new URL(import.meta.url).pathname };
    await expect(openStyleWorld({ env })).rejects.toThrow("STYLE_CATALOGUE names a file that is not JSON.");
  });
});
