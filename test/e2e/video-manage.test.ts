// Managing published videos: the real bot in the local Discord, and the stand-in of the video service.
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import type { Answer, SeenMessage } from "../../sandbox/discord/actors/member-types.ts";
import type { Member } from "../../sandbox/discord/actors/member.ts";
import type { World } from "../../sandbox/world.ts";
import { createTestDatabase } from "../open.ts";
import { sqlite } from "../support/databases.ts";
import { reportChecks } from "../support/checked-world.ts";
import { advanceUntil } from "../support/until.ts";
import { film, forgeButton, openVideoWorld, waitForText } from "../support/video-world.ts";

reportChecks();

const HOUR_MS = 3_600_000;

interface Published {
  readonly world: World;
  readonly grace: Member;
  /** The video's id on the service. */
  readonly id: string;
  /** The publication's message, which everybody sees. */
  readonly message: SeenMessage;
}

/** Publishes a video with the operator's account. */
async function publish(world: World): Promise<Published> {
  const grace = world.member("Grace");
  const { general } = world.channels;
  const card = await grace.slash(general, "video publish", { file: film() });
  await grace.click(card.message, "Publish now");
  const message = await waitForText(world, grace, general, /Published/);
  return { world, grace, id: world.video.videos()[0]?.id ?? "", message };
}

/** The writes that the service received after a number of calls. */
function writesSince(world: World, calls: number): readonly string[] {
  return world.video.ledger
    .slice(calls)
    .filter(({ method }) => method !== "GET")
    .map(({ method, path }) => `${method} ${path}`);
}

describe("a published video", () => {
  it("can be listed, opened, edited, and deleted after two questions, and its message follows", async () => {
    await using world = await openVideoWorld();
    const { grace, id, message } = await publish(world);
    const { general } = world.channels;
    const list = await grace.slash(general, "video list");
    expect(list.message.ephemeral).toBe(true);
    expect(list.text).toContain("Opening day");
    const opened = await grace.select(list.message, "Open a video…", ["Opening day"]);
    expect(opened.message.id).toBe(list.message.id);
    expect(opened.text).toContain("Published");

    const form = await grace.click(opened.message, "Edit");
    const changed = await grace.submit(form, { Title: "Second day", Description: "More steam" });
    expect(changed.text).toMatch(/^Changed\.\n### Second day\n> More steam/);
    expect(changed.message.id).toBe(list.message.id);
    expect(world.video.videos()).toMatchObject([{ title: "Second day", description: "More steam" }]);
    await world.tick();
    await waitForText(world, world.member("Mary"), general, /Second day/);

    const asked = await grace.click(changed.message, "Delete…");
    expect(asked.text).toMatch(/Second day.*will disappear from the video service for everybody/);
    const kept = await grace.click(asked.message, "Keep it");
    const again = await grace.click((await grace.click(kept.message, "Delete…")).message, "Delete…");
    expect(again.text).toMatch(/for good/);
    expect(world.video.videos()).toHaveLength(1);
    const gone = await grace.click(again.message, "Delete for good");
    expect(gone.text).toContain("I've deleted the video");
    expect(world.video.videos()).toEqual([]);
    await world.tick();
    const told = await waitForText(world, world.member("Mary"), general, /[Dd]eleted/);
    expect(told.id).toBe(message.id);
    expect((await grace.slash(general, "video show", { video: id })).text).toContain("was deleted");
  });

  it("can be found by name and edited by command", async () => {
    await using world = await openVideoWorld();
    const { grace, id } = await publish(world);
    const { general } = world.channels;
    const choices = await grace.complete(general, "video edit", { video: "open" }, "video");
    expect(choices).toMatchObject([{ name: expect.stringContaining("Opening day"), value: id }]);
    const changed = await grace.slash(general, "video edit", { video: id, title: "Third day" });
    expect(changed.text).toContain("Third day");
    const form = await grace.slash(general, "video edit", { video: id });
    expect(form.kind).toBe("modal");
    const refused = await grace.submit(form, { Title: "", Description: "Much steam" });
    expect(refused.text).toContain("can't make a title empty");
    const fixed = await grace.submit(await grace.click(refused.message, "Fix it"), { Title: "Fourth day" });
    expect(fixed.text).toMatch(/Fourth day[^]*Much steam/);
    expect(fixed.message.id).toBe(refused.message.id);
    const late = await grace.slash(general, "video edit", { video: id, publish_at: "tomorrow 18:00" });
    expect(late.text).toContain("isn't scheduled");
  });

  it("is not overwritten by an outdated form unless the member confirms", async () => {
    await using world = await openVideoWorld();
    const { grace, id } = await publish(world);
    const { general } = world.channels;
    const form = await grace.slash(general, "video edit", { video: id });
    const empty = await grace.submit(form, { Title: "" });
    expect(empty.text).toContain("can't make a title empty");
    await grace.slash(general, "video edit", { video: id, title: "Changed meanwhile" });
    const fixed = { Title: "From the form" };
    const refused = await grace.submit(await grace.click(empty.message, "Fix it"), fixed);
    expect(refused.text).toMatch(/This has changed.*send yours again, it replaces what's there now/);
    expect(world.video.videos()[0]?.title).toBe("Changed meanwhile");
    const again = await grace.click(refused.message, "Fix it");
    await grace.slash(general, "video edit", { video: id, title: "Changed once more" });
    const overtaken = await grace.submit(again, {});
    expect(overtaken.text).toContain("This has changed");
    expect(world.video.videos()[0]?.title).toBe("Changed once more");
    await grace.submit(await grace.click(overtaken.message, "Fix it"), {});
    expect(world.video.videos()[0]?.title).toBe("From the form");
    const twice = await grace.submit(form, fixed);
    expect(twice.text).toContain("It's like that already");
  });

  it("can be rescheduled, and is published at the new time", async () => {
    await using world = await openVideoWorld();
    const grace = world.member("Grace");
    const { general } = world.channels;
    const card = await grace.slash(general, "video publish", { file: film(), publish_at: "in 30 minutes" });
    await grace.click(card.message, "Schedule");
    await waitForText(world, grace, general, /Ready\. It goes out/);
    const id = world.video.videos()[0]?.id ?? "";
    const moved = await grace.slash(general, "video edit", { video: id, publish_at: "in 2 hours" });
    expect(moved.text).toMatch(/Goes out <t:\d+:f>/);
    const publishAtMs = world.video.videos()[0]?.publishAtMs ?? 0;
    expect(publishAtMs).toBeGreaterThan(Date.parse("2026-11-18T19:00:00Z"));
    await world.tick();
    await waitForText(
      world,
      world.member("Mary"),
      general,
      new RegExp(`<t:${Math.floor(publishAtMs / 1000)}`),
    );
    await world.clock.set(publishAtMs - 60_000);
    await world.tick();
    expect(world.transcript(general).join("\n")).not.toMatch(/Published/);
    await world.clock.set(publishAtMs + 60_000);
    await world.tick();
    await waitForText(world, grace, general, /Published/);
  });

  it("can be managed with buttons, which answer the presser alone", async () => {
    await using world = await openVideoWorld();
    const { grace, id, message } = await publish(world);
    const before = message.text;
    for (const [action, says] of [
      ["video/show:open", /### Opening day/],
      ["video/comments:open", /Comments on Opening day/],
      ["video/stats:open", /Opening day: statistics/],
      ["video/delete:open", /Delete this video/],
    ] as const) {
      const forged = await forgeButton(world, grace, world.channels.general, `${action}:1:v=${id}`);
      const answer = await grace.click(forged, "Forged");
      expect(answer.text).toMatch(says);
      expect(answer.message.ephemeral).toBe(true);
      expect(answer.message.id).not.toBe(forged.id);
    }
    expect(grace.look(message)?.text).toBe(before);
  });

  it("is not changed twice if an answer is lost, and the bot says if the outcome is unknown", async () => {
    await using world = await openVideoWorld();
    const { grace, id } = await publish(world);
    const { general } = world.channels;
    let calls = world.video.ledger.length;
    world.video.faults.add({ method: "POST", path: `/${id}`, do: "drop-after" });
    const done = await grace.slash(general, "video edit", { video: id, title: "Second day" });
    expect(done.text).toContain("Changed.");
    world.video.faults.add({ method: "POST", path: `/${id}`, do: "drop" });
    const unsure = await advanceUntil(
      world,
      grace.slash(general, "video edit", { video: id, title: "Third day" }),
      200,
    );
    expect(unsure.text).toMatch(/never said whether the change was made/);
    expect(writesSince(world, calls)).toEqual([`POST /${id}`, `POST /${id}`]);
    expect((await grace.click(unsure.message, "Look again")).text).toContain("Second day");

    calls = world.video.ledger.length;
    world.video.faults.add({ method: "DELETE", path: `/${id}`, do: "500-after" });
    const asked = await grace.slash(general, "video delete", { video: id });
    const sure = await grace.click(asked.message, "Delete…");
    expect((await grace.click(sure.message, "Delete for good")).text).toContain("I've deleted");
    expect(writesSince(world, calls)).toEqual([`DELETE /${id}`]);
  });
});

describe("comments", () => {
  it("can be read, replied to, hidden and deleted", async () => {
    await using world = await openVideoWorld();
    const { grace, id } = await publish(world);
    const { general } = world.channels;
    world.video.say(id, "Lovely *smoke* @everyone", "Alan");
    world.video.say(id, "Buy my watches");
    let answer = await grace.slash(general, "video comments", { video: id });
    expect(answer.message.ephemeral).toBe(true);
    expect(answer.text).toContain("> Lovely \\*smoke\\* \\@everyone");
    const press = async (label: string): Promise<Answer> => {
      answer = await grace.click(answer.message, label);
      return answer;
    };
    answer = await grace.select(answer.message, "Open one to reply to it, hide it or delete it…", [
      "Buy my watches",
    ]);
    expect((await press("Hide")).text).toMatch(/^Hidden/);
    expect(world.video.comments().find(({ message }) => message === "Buy my watches")?.isHidden).toBe(true);
    expect((await press("Show again")).text).toMatch(/can see it again/);
    await press("Delete…");
    expect((await press("Delete for good")).text).toContain("I've deleted the comment");
    await press("All comments");
    const words = { "What the account says": "Thank you" };
    answer = await grace.select(answer.message, "Open one to reply to it, hide it or delete it…", [
      "Lovely *smoke* @everyone",
    ]);
    answer = await grace.submit(await grace.click(answer.message, "Reply"), words);
    expect(answer.text).toMatch(/^Replied/);
    expect((await press("1 reply")).text).toContain("> Thank you");
    await press("All comments");
    answer = await grace.submit(await grace.click(answer.message, "Write a comment"), words);
    expect(answer.text).toContain("**Signal Hall**");
    expect(world.video.comments().map(({ message }) => message)).toEqual([
      "Lovely *smoke* @everyone",
      "Thank you",
      "Thank you",
    ]);
  });

  it("are shown in pages, whose buttons work after a restart", async () => {
    const env = { DATABASE_URL: await createTestDatabase(sqlite) };
    await using world = await openVideoWorld({ env });
    const { grace, id } = await publish(world);
    for (let at = 0; at < 25; at += 1) {
      world.video.say(id, `comment ${at}`);
    }
    const first = await grace.slash(world.channels.general, "video comments", { video: id });
    const second = await grace.click(first.message, "Older");
    await world.bot.kill();
    await world.bot.start();
    const third = await grace.click(second.message, "Older");
    expect(third.text).toContain("> comment 0");
    expect(third.text).not.toContain("> comment 5");
  });
});

describe("statistics", () => {
  it("are drawn from the bot's own samples, with the same figures as text", async () => {
    await using world = await openVideoWorld();
    const { grace, id } = await publish(world);
    const { general } = world.channels;
    const first = await grace.slash(general, "video stats", { video: id });
    expect(first.text).toContain("only just started counting");
    for (let hour = 0; hour < 3; hour += 1) {
      await world.clock.advance(HOUR_MS);
      await world.tick();
    }
    const answer = await grace.slash(general, "video stats", { video: id });
    expect(answer.message.ephemeral).toBe(false);
    const figures = await grace.click(answer.message, "All figures");
    expect(figures.message.ephemeral).toBe(true);
    expect(figures.text).toMatch(/\*\*\+\d+ views\*\* in 3 h/);
    expect(figures.text).toMatch(/Still watching/);
    expect(figures.text.match(/^18 Nov \d\d:\d\d +\d+/gm)?.length).toBeGreaterThanOrEqual(4);
    const [views, retention] = answer.message.attachments;
    expect(views?.description).toMatch(/^Line chart of views over time: Opening day\. \+\d+ views/);
    expect(retention?.description).toMatch(/still watching/);
    const picture = views && (await sharp(await grace.download(views)).metadata());
    expect(picture?.width).toBeGreaterThan(600);
  });

  it("name a metric that is gone and a permission that is missing", async () => {
    await using world = await openVideoWorld();
    const { grace, id } = await publish(world);
    world.video.retiredMetrics = new Set(["total_video_views_paid"]);
    const stats = await grace.slash(world.channels.general, "video stats", { video: id });
    const told = await grace.click(stats.message, "All figures");
    expect(told.text).toContain("The video service no longer counts `total_video_views_paid`");
    world.video.faults.add({ path: `/${id}/video_insights`, do: "permission" });
    const refused = await grace.click(stats.message, "All figures");
    expect(refused.text).toContain("read_insights");
  });
});

describe("a forged request", () => {
  it("for somebody else's video is refused and logged, and changes nothing", async () => {
    await using world = await openVideoWorld();
    const { grace, id } = await publish(world);
    const { general } = world.channels;
    // On the same account, but not published through this server.
    const foreign = await uploadElsewhere(world, world.video.tokens.page);
    const other = await uploadElsewhere(world, world.video.tokens.secondPage);
    const comment = world.video.say(foreign, "Not yours");
    const calls = world.video.ledger.length;
    for (const video of [foreign, other, "1234567890", "../me", comment]) {
      const shown = await grace.slash(general, "video show", { video });
      expect(shown.text).toMatch(/This server has no video by that name/);
    }
    for (const forgery of [
      `video/delete:delete:1:v=${foreign}`,
      `video/comment:delete:1:v=${id}&c=${comment}`,
      `video/comment:hide:1:v=${foreign}&c=${comment}`,
      `video/stats:open:1:v=${other}`,
    ]) {
      const button = await forgeButton(world, grace, general, forgery);
      const answer = await grace.click(button, "Forged");
      expect(answer.text).toMatch(/This server has no video by that name/);
      expect(answer.message.ephemeral).toBe(true);
    }
    expect(writesSince(world, calls)).toEqual([]);
    expect(world.bot.log.join("\n").match(/"act":"denied"/g)?.length).toBeGreaterThanOrEqual(9);
  });

  it("by a member without the permission is refused", async () => {
    await using world = await openVideoWorld();
    const { grace, id } = await publish(world);
    const { general } = world.channels;
    const button = await forgeButton(world, grace, general, `video/delete:delete:1:v=${id}`);
    const refused = await world.member("Alan").click(button, "Forged");
    expect(refused.message.ephemeral).toBe(true);
    expect(world.video.videos()).toHaveLength(1);
  });
});

it("manages all videos of a linked account, and those that it published itself", async () => {
  await using world = await openVideoWorld();
  const { grace, id } = await publish(world);
  const { general } = world.channels;
  const { secondPage } = world.video.tokens;
  const theirs = await uploadElsewhere(world, secondPage);
  const form = await grace.slash(general, "video account link");
  const [field] = form.modal.components;
  await grace.submit(form, { [String(field?.["label"])]: secondPage });
  const list = await grace.slash(general, "video list");
  expect(list.text).toContain("From elsewhere");
  expect(list.text).not.toContain("Opening day");
  expect((await grace.slash(general, "video show", { video: theirs })).text).toContain("From elsewhere");
  // The server still manages what it published with the operator's account.
  const shown = await grace.slash(general, "video show", { video: id });
  expect(shown.text).toContain("Opening day");
  expect(shown.message.attachments).toMatchObject([{ filename: "video.jpg" }]);
  const changed = await grace.slash(general, "video edit", { video: theirs, title: "Ours" });
  expect(changed.text).toContain("### Ours");
  expect(world.bot.log.join("\n")).not.toContain(secondPage);
});

/** Uploads a video without the bot. Returns its id. */
async function uploadElsewhere(world: World, token: string): Promise<string> {
  const form = new FormData();
  form.set("access_token", token);
  form.set("title", "From elsewhere");
  form.set("source", new Blob([new Uint8Array(film().bytes)]), "video.mp4");
  const { baseUrl, version } = world.video;
  const response = await fetch(`${baseUrl}/${version}/me/videos`, { method: "POST", body: form });
  const body: unknown = await response.json();
  return typeof body === "object" && body !== null && "id" in body ? String(body.id) : "";
}
