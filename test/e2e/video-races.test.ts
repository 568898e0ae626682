// People and the service act at the same time: whoever is first, one thing happens, and everybody is told which.
import { describe, expect, it } from "vitest";
import type { Answer, SeenMessage } from "../../sandbox/discord/actors/member-types.ts";
import type { Member } from "../../sandbox/discord/actors/member.ts";
import type { World } from "../../sandbox/world.ts";
import { reportChecks } from "../support/checked-world.ts";
import { advanceUntil, until } from "../support/until.ts";
import { askForApproval, film, openVideoWorld, waitForText } from "../support/video-world.ts";

reportChecks();

const SIMPLE = { env: { VIDEO_UPLOAD: "simple" } } as const;
const CHUNKED = { env: { VIDEO_UPLOAD: "chunked" }, video: { windowBytes: () => 15_000 } } as const;
/** Administrator, which includes the staff's channel. */
const EVERYTHING = 0x8n;

/** Presses Publish. Returns the public message once it exists. */
async function publish(world: World, title = "Opening day"): Promise<SeenMessage> {
  const grace = world.member("Grace");
  const { general } = world.channels;
  const card = await grace.slash(general, "video publish", { file: film(), title });
  await grace.click(card.message, "Publish now");
  return waitForText(world, grace, general, new RegExp(`^### ${title}`, "m"));
}

/** Advances the clock until the message contains `words`. Returns its text. */
async function follow(world: World, words: RegExp, stepMs = 1_000): Promise<string> {
  const { text } = await waitForText(world, world.member("Grace"), world.channels.general, words, stepMs);
  return text;
}

function ownMessages(world: World): readonly SeenMessage[] {
  return world
    .member("Mary")
    .messages(world.channels.general)
    .filter(({ author }) => author.bot);
}

describe("Cancel, while the last write is on its way", () => {
  it.each([
    ["the form", SIMPLE, /simple$/],
    ["finish", CHUNKED, /finish$/],
  ] as const)(
    "is too late if the service accepted %s, and the video is reported as published",
    async (_, how, path) => {
      await using world = await openVideoWorld(how);
      const held = world.video.faults.add({ path, do: "hang-after" });
      const message = await publish(world);
      await until(() => held.hits > 0 && world.video.videos().length > 0);
      const answer = await advanceUntil(world, world.member("Grace").click(message, "Cancel"), 200);
      expect(answer.text).toContain("whether that was in time");
      const told = await follow(world, /Published/);
      expect(told).toContain("too late to cancel");
      expect(world.video.videos()).toHaveLength(1);
      expect(world.video.ledger.filter(({ write }) => write?.what === "video")).toHaveLength(1);
    },
  );

  it("stops the upload if finish never arrived, and says so only once that is certain", async () => {
    await using world = await openVideoWorld(CHUNKED);
    world.video.faults.add({ path: /finish$/, do: "drop" });
    const message = await publish(world);
    await until(() => world.video.ledger.some(({ fault }) => fault === "drop"));
    const answer = await advanceUntil(world, world.member("Grace").click(message, "Cancel"), 200);
    expect(answer.text).toContain("whether that was in time");
    // The upload session lives for a day, and could be finished until then.
    const told = await follow(world, /Cancelled|❓/, 20_000);
    expect(world.video.videos()).toEqual([]);
    expect(told).toMatch(/Nothing was published|Somebody has to check/);
  });
});

describe("two people at the same time", () => {
  /** Opens a world with a video that waits for approval, and two people who may approve it. */
  async function openAwaitingApproval(): Promise<{
    readonly world: World;
    readonly asked: SeenMessage;
    readonly waiting: SeenMessage;
    readonly ada: Member;
    readonly mary: Member;
  }> {
    const world = await openVideoWorld();
    const [grace, ada, mary] = [world.member("Grace"), world.member("Ada"), world.member("Mary")];
    const { general, staff } = world.channels;
    world.discord.addRole(world.guild, { name: "Crew", permissions: EVERYTHING, memberIds: [mary.id] });
    await askForApproval(world);
    const card = await grace.slash(general, "video publish", { file: film() });
    await grace.click(card.message, "Send for approval");
    const asked = await waitForText(world, ada, staff, /Approve this video/);
    const waiting = await waitForText(world, grace, general, /Waiting for approval/);
    return { world, asked, waiting, ada, mary };
  }

  it("who both approve publish the video once", async () => {
    const { world, asked, ada, mary } = await openAwaitingApproval();
    await using _ = world;
    const answers = await Promise.all([ada.click(asked, "Approve"), mary.click(asked, "Approve")]);
    expect(answers.map(({ text }) => text).join("\n")).toContain("is approved");
    await follow(world, /Published/);
    await waitForText(world, ada, world.channels.staff, /Approved by/);
    expect(world.video.ledger.filter(({ write }) => write?.what === "video")).toHaveLength(1);
    expect(ownMessages(world)).toHaveLength(1);
  });

  it.each(["approve first", "refuse first"] as const)(
    "who approve and refuse are both told the one decision that counts (%s)",
    async (order) => {
      const { world, asked, ada, mary } = await openAwaitingApproval();
      await using _ = world;
      const form = await ada.click(asked, "Refuse");
      const acts = [() => mary.click(asked, "Approve"), () => ada.submit(form, { "Why?": "Too loud" })];
      const answers = await Promise.all(
        (order === "approve first" ? acts : acts.toReversed()).map((act) => act()),
      );
      const told = await follow(world, /Published|Refused by/);
      const isRefused = told.includes("Refused by");
      expect(world.video.videos()).toHaveLength(isRefused ? 0 : 1);
      const said = answers.map(({ text }) => text).join("\n");
      expect(/You've refused/.test(said)).toBe(isRefused);
      expect(/is approved\./.test(said)).toBe(!isRefused);
    },
  );

  it.each(["approve first", "edit first"] as const)(
    "who approve and edit publish only what was approved (%s)",
    async (order) => {
      const { world, asked, waiting, ada } = await openAwaitingApproval();
      await using _ = world;
      await world.clock.advance(1_000);
      const grace = world.member("Grace");
      const form = await grace.click(waiting, "Edit");
      const acts = [
        () => ada.click(asked, "Approve"),
        (): Promise<Answer> => grace.submit(form, { Title: "Never approved" }),
      ];
      const [first, second] = order === "approve first" ? acts : acts.toReversed();
      await Promise.all([first?.(), second?.()]);
      // In either order, somebody has read what is published.
      await world.clock.advance(60_000);
      const latest = await waitForText(world, ada, world.channels.staff, /Approve this video|Approved by/);
      const isAskedAgain = latest.text.includes("Approve this video");
      expect(latest.text.includes("Never approved")).toBe(isAskedAgain);
      expect(world.video.videos().map(({ title }) => title)).not.toContain("Never approved");
      if (isAskedAgain) {
        await ada.click(latest, "Approve");
      }
      await follow(world, /Published/);
      expect(world.video.videos()).toMatchObject([
        { title: isAskedAgain ? "Never approved" : "Opening day" },
      ]);
    },
  );

  it("who approve and cancel cause one outcome, which the message states", async () => {
    const { world, asked, waiting, ada } = await openAwaitingApproval();
    await using _ = world;
    await Promise.all([
      ada.click(asked, "Approve"),
      advanceUntil(world, world.member("Grace").click(waiting, "Cancel"), 200),
    ]);
    const told = await follow(world, /Published|Cancelled\./);
    expect(world.video.videos()).toHaveLength(told.includes("Published") ? 1 : 0);
    await world.clock.advance(60_000);
    expect(world.video.videos()).toHaveLength(told.includes("Published") ? 1 : 0);
  });
});

describe("two videos with the same texts", () => {
  it("are not confused if both answers are lost", async () => {
    await using world = await openVideoWorld(SIMPLE);
    // The service accepted one of them, but the lost answers do not show which.
    world.video.faults.add({ path: /simple$/, do: "drop-after" });
    world.video.faults.add({ path: /simple$/, do: "500" });
    const grace = world.member("Grace");
    const { general } = world.channels;
    const options = { title: "Opening day" };
    const cards = [
      await grace.slash(general, "video publish", { file: film("one.mp4", 40_000), ...options }),
      await grace.slash(general, "video publish", { file: film("two.mp4", 50_000), ...options }),
    ];
    await Promise.all(cards.map(({ message }) => grace.click(message, "Publish now")));
    await until(() => world.video.ledger.filter(({ fault }) => fault !== undefined).length === 2);
    const asked = await advanceUntil(
      world,
      grace.waitForMessage(
        general,
        () => ownMessages(world).filter(({ text }) => text.includes("❓")).length === 2,
      ),
      10_000,
    );
    expect(asked).toBeDefined();
    expect(world.video.videos()).toHaveLength(1);
    // A person knows which one exists, and sends the other again.
    const kept = world.video.videos()[0]?.file.sizeBytes === 40_000 ? "one.mp4" : "two.mp4";
    const [there, lost] = ownMessages(world).toSorted((a) => (a.text.includes(kept) ? -1 : 1));
    const shown = await grace.click(there as SeenMessage, "Look for it");
    await grace.click(shown.message, "This is it");
    const none = await grace.click(lost as SeenMessage, "Look for it");
    const sure = await grace.click(none.message, "Publish again");
    expect(sure.text).toMatch(/Uploading .* again/);
    await advanceUntil(
      world,
      grace.waitForMessage(general, () => ownMessages(world).every(({ text }) => text.includes("Published"))),
      1_000,
    );
    expect(new Set(world.video.videos().map(({ file }) => file.sizeBytes))).toEqual(
      new Set([40_000, 50_000]),
    );
    expect(world.video.videos()).toHaveLength(2);
    expect(ownMessages(world)).toHaveLength(2);
  });

  it("are both offered as the lost one before it is sent again", async () => {
    await using world = await openVideoWorld(SIMPLE);
    world.video.faults.add({ path: /simple$/, do: "drop-after", times: 2 });
    const grace = world.member("Grace");
    const { general } = world.channels;
    const options = { title: "Opening day" };
    const cards = [
      await grace.slash(general, "video publish", { file: film("one.mp4", 40_000), ...options }),
      await grace.slash(general, "video publish", { file: film("two.mp4", 50_000), ...options }),
    ];
    await Promise.all(cards.map(({ message }) => grace.click(message, "Publish now")));
    const isAsked = () => ownMessages(world).filter(({ text }) => text.includes("❓")).length === 2;
    await advanceUntil(world, grace.waitForMessage(general, isAsked), 10_000);
    const [lost] = ownMessages(world);
    const first = await grace.click(lost as SeenMessage, "Look for it");
    expect(first.text).toContain("I found this");
    const second = await grace.click(first.message, "Publish again");
    expect(second.text).toContain("I also found this");
    expect(world.video.videos()).toHaveLength(2);
    const sure = await grace.click(second.message, "Publish again");
    expect(sure.text).toMatch(/Uploading .* again/);
    await advanceUntil(
      world,
      grace.waitForMessage(general, () => ownMessages(world).some(({ text }) => text.includes("Published"))),
      1_000,
    );
    expect(world.video.videos()).toHaveLength(3);
  });
});
