// Publishing a video, from a member's attachment to the link that everybody can open.
import { PermissionFlagsBits } from "discord.js";
import { describe, expect, it } from "vitest";
import { createTestDatabase } from "../open.ts";
import { sqlite } from "../support/databases.ts";
import { reportChecks } from "../support/checked-world.ts";
import {
  askForApproval,
  customIdsOf,
  film,
  forgeButton,
  openVideoWorld,
  waitForText,
} from "../support/video-world.ts";
import { advanceWhenIdle, advanceUntil } from "../support/until.ts";

reportChecks();

describe("/video publish", () => {
  it("shows a card first, then publishes the video and links to it", async () => {
    await using world = await openVideoWorld();
    const grace = world.member("Grace");
    const { general } = world.channels;
    const card = await grace.slash(general, "video publish", {
      file: film(),
      description: "Steam, *smoke* and cake",
    });
    expect(card.message.ephemeral).toBe(true);
    expect(card.text).toContain("Publish “Opening day”?");
    expect(card.text).toContain("Steam, \\*smoke\\* and cake");
    expect(card.text).toContain("Signal Hall");
    expect(world.video.ledger.filter(({ method }) => method === "POST")).toEqual([]);

    const sent = await grace.click(card.message, "Publish now");
    expect(sent.text).toContain("Uploading “Opening day”");
    const found = world.member("Mary").waitForMessage(general, ({ text }) => text.includes("Published"));
    const state = { isOut: false };
    void found.then(() => (state.isOut = true));
    for (let turns = 0; turns < 100 && !state.isOut; turns += 1) {
      // The service needs time to draw the video's picture, so the clock waits for it.
      await advanceWhenIdle(world, 500);
    }
    const done = await found;
    expect(sent.text).toContain(`https://discord.com/channels/${world.guild.id}/${general.id}/${done.id}`);
    expect(world.video.videos()).toMatchObject([
      { title: "Opening day", description: "Steam, *smoke* and cake" },
    ]);
    expect(JSON.stringify(done.components)).toContain(world.video.videos()[0]?.id);
    expect(done.pings).toEqual([]);
    expect(done.text).toContain("> Steam, \\*smoke\\* and cake");
    expect(JSON.stringify(done.components)).toMatch(/\/video\.jpg/);
    // Everybody may watch; only members who may publish see the rest.
    const labels = JSON.stringify(done.components).matchAll(/"label":"([^"]+)"/g);
    expect([...labels].map(([, label]) => label)).toEqual(["Watch", "Manage"]);
    expect((await world.member("Alan").click(done, "Manage")).text).toContain(
      "don't have permission to do that",
    );
    const manage = async (label: string) => {
      const opened = await advanceUntil(world, grace.click(done, "Manage"), 200);
      expect(opened.message.ephemeral).toBe(true);
      return advanceUntil(world, grace.click(opened.message, label), 200);
    };
    for (const [label, words] of [
      ["Statistics", /views/i],
      ["Comments", /comment|said/i],
      ["Details", /published a video/],
    ] as const) {
      expect((await manage(label)).text).toMatch(words);
    }
    expect((await manage("Edit")).kind).toBe("modal");
    expect(grace.look(done)?.text).toBe(done.text);
  });

  it("sends a large file in pieces, shows the progress, and publishes every byte", async () => {
    await using world = await openVideoWorld({ env: { VIDEO_UPLOAD: "chunked" } });
    const grace = world.member("Grace");
    const { general } = world.channels;
    const file = film("long.mp4", 9 * 1024 * 1024);
    // The second piece is held until the message has shown the progress.
    world.video.faults.add({ path: /transfer$/, do: "slow", delayMs: 0 });
    const second = world.video.faults.add({ path: /transfer$/, do: "slow", delayMs: 1_000_000 });
    const card = await grace.slash(general, "video publish", { file });
    await grace.click(card.message, "Publish now");
    const going = await waitForText(world, grace, general, /of 9 MB/);
    expect(going.text).toMatch(/▰/);
    second.release();
    await waitForText(world, grace, general, /Published/);
    const [video] = world.video.videos();
    expect(video?.file.sizeBytes).toBe(file.bytes.byteLength);
    expect(grace.messages(general).filter(({ author }) => author.bot)).toHaveLength(2);
  });

  it("lets the member edit the card or discard it", async () => {
    await using world = await openVideoWorld();
    const grace = world.member("Grace");
    const { general } = world.channels;
    const card = await grace.slash(general, "video publish", { file: film("VID_20261118.mp4") });
    const form = await grace.click(card.message, "Edit");
    const edited = await grace.submit(form, {
      Title: "The new signal box",
      "Publish time": "tomorrow 18:00",
    });
    expect(edited.text).toContain("The new signal box");
    expect(edited.text).toContain("Thu 19 Nov, 18:00 (London time)");
    expect(edited.message.id).toBe(card.message.id);
    const wrong = await grace.submit(await grace.click(edited.message, "Edit"), {
      "Publish time": "yesterday 9:00",
    });
    expect(wrong.text).toMatch(/passed|Pick a later time/);
    expect(JSON.stringify(wrong.message.components)).toMatch(/"label":"Schedule".{1,80}"disabled":true/);
    const gone = await grace.click(edited.message, "Discard");
    expect(gone.text).toContain("Nothing was sent");
    expect(world.video.videos()).toEqual([]);
  });

  it("schedules a video at the service, and reports it as published when its time has come", async () => {
    await using world = await openVideoWorld();
    const grace = world.member("Grace");
    const { general } = world.channels;
    const card = await grace.slash(general, "video publish", { file: film(), publish_at: "in 30 minutes" });
    await grace.click(card.message, "Schedule");
    await waitForText(world, grace, general, /Ready\. It goes out/);
    expect(world.video.videos()[0]?.publishAtMs).toBe(Date.parse("2026-11-18T17:50:00Z"));
    await advanceWhenIdle(world, 30 * 60_000);
    await advanceUntil(world, world.tick());
    await waitForText(world, grace, general, /Published/);
  });

  it("stops the upload on Cancel", async () => {
    await using world = await openVideoWorld({ env: { VIDEO_UPLOAD: "chunked" } });
    const grace = world.member("Grace");
    const { general } = world.channels;
    world.video.faults.add({ path: /transfer$/, do: "hang" });
    const card = await grace.slash(general, "video publish", { file: film("long.mp4", 5_000_000) });
    await grace.click(card.message, "Publish now");
    const going = await waitForText(world, grace, general, /⬆️|of 4\.8 MB/);
    const stopped = await advanceUntil(world, grace.click(going, "Cancel"), 200);
    expect(stopped.text).toContain("Nothing was published");
    expect(stopped.message.ephemeral).toBe(true);
    await waitForText(world, grace, general, /Cancelled\./);
    world.video.faults.clear();
    expect(world.video.videos()).toEqual([]);
  });

  it("publishes once, even if Publish is pressed twice", async () => {
    await using world = await openVideoWorld();
    const grace = world.member("Grace");
    const { general } = world.channels;
    const card = await grace.slash(general, "video publish", { file: film() });
    await Promise.all([grace.click(card.message, "Publish now"), grace.click(card.message, "Publish now")]);
    await waitForText(world, grace, general, /Published/);
    expect(world.video.videos()).toHaveLength(1);
  });
});

describe("after a restart", () => {
  it("the buttons of cards and messages work as before", async () => {
    await using world = await openVideoWorld({
      env: { DATABASE_URL: await createTestDatabase(sqlite), VIDEO_UPLOAD: "chunked" },
    });
    const [grace, ada] = [world.member("Grace"), world.member("Ada")];
    const { general, staff } = world.channels;
    const restart = async () => {
      await world.bot.stop();
      await world.bot.start();
    };
    await askForApproval(world);
    const card = await grace.slash(general, "video publish", { file: film("long.mp4", 9_000_000) });
    await restart();
    await grace.click(card.message, "Send for approval");
    const asked = await waitForText(world, ada, staff, /Approve this video/);
    await restart();
    world.video.faults.add({ path: /transfer$/, do: "hang" });
    await ada.click(asked, "Approve");
    await waitForText(world, grace, general, /Approved by/);
    await restart();
    world.video.faults.clear();
    const done = await advanceUntil(world, nextPublished(), 500);
    expect(done.text).toContain("Published");
    expect(world.video.videos()).toMatchObject([{ file: { sizeBytes: 9_000_000 } }]);
    expect(grace.messages(general).filter(({ text }) => text.includes("Published"))).toHaveLength(1);

    async function nextPublished() {
      await world.tick();
      return grace.waitForMessage(general, ({ text }) => text.includes("Published"));
    }
  });
});

describe("the proposed title", () => {
  it("has the characters that Discord removed from the file's name", async () => {
    await using world = await openVideoWorld();
    const grace = world.member("Grace");
    const { general } = world.channels;
    const file = film("Tag der offenen Tür 14.11.2026.mp4");
    const card = await grace.slash(general, "video publish", { file });
    expect(card.text).toContain("Publish “Tag der offenen Tür 14.11.2026”?");
    const message = await grace.attach(general, "look", [film("開会式.mp4")]);
    expect((await grace.menu(message, "Publish video")).text).toContain("Publish “開会式”?");
  });
});

describe("another way to the card", () => {
  it("is the menu of anybody's message, with a choice if there are several videos", async () => {
    await using world = await openVideoWorld();
    const grace = world.member("Grace");
    const { general } = world.channels;
    const message = await world.member("Alan").attach(general, "look", [film("one.mp4"), film("two.mp4")]);
    const choice = await grace.menu(message, "Publish video");
    expect(choice.message.ephemeral).toBe(true);
    const card = await grace.select(choice.message, "Pick a video…", ["two.mp4"]);
    expect(card.text).toContain("Publish “two”?");
    await grace.click(card.message, "Publish now");
    await waitForText(world, grace, general, /Published/);
    expect(world.video.videos()[0]?.title).toBe("two");
    const again = await grace.select(choice.message, "Pick a video…", ["two.mp4"]);
    expect(again.text).toContain("“two” is published. Follow it here:");
    const words = await world.member("Alan").say(general, "no video");
    expect((await grace.menu(words, "Publish video")).text).toContain("There's no video");
  });

  it("is a mention, whose card only its author can use", async () => {
    await using world = await openVideoWorld();
    const grace = world.member("Grace");
    const { general } = world.channels;
    await grace.mention(general, "Our first train", [film()]);
    const card = await waitForText(world, grace, general, /Publish “Opening day”/);
    expect(card.ephemeral).toBe(false);
    expect(card.text).toContain("> Our first train");
    const other = await world.member("Ada").click(card, "Publish now");
    expect(other.text).toContain("Only the person who sent the video");
    await grace.click(card, "Publish now");
    await waitForText(world, grace, general, /Published/);
    expect(world.video.videos()).toMatchObject([{ description: "Our first train" }]);
  });

  it("is a mention, but only by people with the permission", async () => {
    await using world = await openVideoWorld();
    const alan = world.member("Alan");
    const { general } = world.channels;
    await alan.mention(general, "", [film()]);
    const told = await waitForText(world, alan, general, /don't have permission to do that/);
    expect(JSON.stringify(told.components)).not.toContain("custom_id");
  });

  it("is a direct message, for the only server or the chosen one", async () => {
    await using world = await openVideoWorld();
    const grace = world.member("Grace");
    const dm = grace.dm();
    await grace.attach(dm, "For the club", [film()]);
    const card = await waitForText(world, grace, dm, /Publish “Opening day”/);
    world.discord.addGuild({ name: "Second Club", memberIds: [grace.id] });
    expect((await grace.click(card, "Publish now")).text).toContain(
      "Follow it here: https://discord.com/channels/@me/",
    );
    const published = await waitForText(world, grace, dm, /Published/);
    const manage = await grace.click(published, "Manage");
    expect((await grace.click(manage.message, "Statistics")).text).toContain("Opening day: statistics");
    await grace.submit(await grace.click(manage.message, "Edit"), { Title: "Second day" });
    expect(world.video.videos()).toMatchObject([{ title: "Second day" }]);
    await waitForText(world, grace, dm, /Second day[^]*Published/);
    // The servers are looked up once a minute.
    await world.clock.advance(60_001);
    await grace.attach(dm, "For whom?", [film("choose_me.mp4")]);
    const choice = await waitForText(world, grace, dm, /Which server is it for/);
    const chosen = await grace.select(choice, "Pick a server…", ["Platform Zero"]);
    expect(chosen.text).toContain("Publish “choose me”?");
    expect(chosen.text).toContain("For whom?");
  });

  it("is refused in a direct message to a member who is timed out in the server, and so is their card", async () => {
    await using world = await openVideoWorld();
    const grace = world.member("Grace");
    const dm = grace.dm();
    await grace.attach(dm, "", [film()]);
    const card = await waitForText(world, grace, dm, /Publish “Opening day”/);
    world.discord.timeOut(world.guild, grace.id, world.clock.now() + 600_000);
    expect((await grace.click(card, "Publish now")).text).toContain(
      "people who can use `/video` in the server",
    );
    // The server may be offered for a minute more, so the draft refuses.
    await grace.attach(dm, "", [film("again.mp4")]);
    const refusals = () => grace.messages(dm).filter(({ text }) => /people who can use `\/video`/.test(text));
    await expect.poll(() => refusals().length).toBe(2);
    expect(world.video.videos()).toEqual([]);
  });

  it("is refused in a direct message to a member who manages no server", async () => {
    await using world = await openVideoWorld();
    const alan = world.member("Alan");
    await alan.attach(alan.dm(), "", [film()]);
    const told = await waitForText(world, alan, alan.dm(), /you can use `\/video`/);
    expect(JSON.stringify(told.components)).not.toContain("custom_id");
  });
});

describe("approval", () => {
  it("is given by somebody else, who can watch the video first", async () => {
    await using world = await openVideoWorld();
    const [grace, ada] = [world.member("Grace"), world.member("Ada")];
    const { general, staff } = world.channels;
    await askForApproval(world);
    const card = await grace.slash(general, "video publish", { file: film() });
    expect((await grace.click(card.message, "Send for approval")).text).toContain("is waiting for approval");
    const asked = await waitForText(world, ada, staff, /Approve this video/);
    expect(JSON.stringify(asked.components)).toContain("Watch it");
    expect((await grace.click(asked, "Approve")).text).toMatch(/your own|somebody else/i);
    expect(world.video.videos()).toEqual([]);
    expect((await ada.click(asked, "Approve")).text).toContain("is approved");
    await waitForText(world, ada, general, /Published/);
    await waitForText(world, ada, staff, /Approved by/);
    expect(world.video.videos()).toHaveLength(1);
    const history = await ada.click((await ada.slash(staff, "video settings")).message, "History");
    expect(history.text).toMatch(/approved a video/);
    expect(history.text).toMatch(/submitted a video/);
  });

  it("that was switched off after the card was shown does not let the video go out unasked", async () => {
    await using world = await openVideoWorld();
    const [grace, ada] = [world.member("Grace"), world.member("Ada")];
    const { general, staff } = world.channels;
    await askForApproval(world);
    const card = await grace.slash(general, "video publish", { file: film() });
    await ada.slash(staff, "video settings", { remove: "approval" });
    const shown = await grace.click(card.message, "Send for approval");
    expect(shown.text).toContain("no longer needed");
    expect(world.video.videos()).toEqual([]);
    await grace.click(shown.message, "Publish now");
    await waitForText(world, grace, general, /Published/);
  });

  it("is void if the video is edited meanwhile", async () => {
    await using world = await openVideoWorld();
    const [grace, ada] = [world.member("Grace"), world.member("Ada")];
    const { general, staff } = world.channels;
    await askForApproval(world);
    const card = await grace.slash(general, "video publish", { file: film() });
    await grace.click(card.message, "Send for approval");
    const asked = await waitForText(world, ada, staff, /Approve this video/);
    const waiting = await waitForText(world, grace, general, /Waiting for approval/);
    await world.clock.advance(1_000);
    expect((await ada.click(waiting, "Edit")).text).toContain("Only the person who attached it");
    const changed = await grace.submit(await grace.click(waiting, "Edit"), { Title: "Something else" });
    expect(changed.text).toContain("is waiting for approval again");
    // The message as it still is on Ada's screen.
    const late = await forgeButton(
      world,
      ada,
      staff,
      customIdsOf(asked).find((id) => id.includes(":approve:")) ?? "",
    );
    expect((await ada.click(late, "Forged")).text).toMatch(/changed/);
    const renewed = await waitForText(world, ada, staff, /Something else/);
    await ada.click(renewed, "Approve");
    await waitForText(world, ada, general, /Published/);
    expect(world.video.videos()).toMatchObject([{ title: "Something else" }]);
  });

  it("can be refused with a public reason, and requested again after an edit", async () => {
    await using world = await openVideoWorld();
    const [grace, ada] = [world.member("Grace"), world.member("Ada")];
    const { general, staff } = world.channels;
    await askForApproval(world);
    const card = await grace.slash(general, "video publish", { file: film() });
    await grace.click(card.message, "Send for approval");
    const asked = await waitForText(world, ada, staff, /Approve this video/);
    const told = await ada.submit(await ada.click(asked, "Refuse"), { "Why?": "Too *loud*" });
    expect(told.text).toContain("You've refused");
    const everybodys = await waitForText(world, grace, general, /Refused by/);
    expect(everybodys.text).toContain("Too \\*loud\\*");
    expect(world.video.videos()).toEqual([]);
    // The video is not attached again: it is edited, sent for approval again, and published.
    expect((await ada.click(everybodys, "Edit and send again")).text).toContain(
      "Only the person who attached",
    );
    const crew = world.discord.addRole(world.guild, { name: "Crew", permissions: 0n, memberIds: [ada.id] });
    const permissions = PermissionFlagsBits.MentionEveryone;
    world.discord.addRole(world.guild, { name: "Loud", permissions, memberIds: [asked.author.id] });
    const pinged = await ada.slash(staff, "video settings", { approval_ping: crew });
    expect(pinged.text).toContain(`**Pinged for approval** <@&${crew}>`);
    const form = await grace.click(everybodys, "Edit and send again");
    expect((await grace.submit(form, { Title: "Quiet day" })).text).toContain(
      "is waiting for approval again",
    );
    const renewed = await waitForText(world, ada, staff, /Quiet day\n.*Approve this video/);
    // A new message, which notifies; the first one keeps its outcome.
    expect(renewed.id).not.toBe(asked.id);
    expect(renewed.pings).toEqual([crew]);
    expect(ada.look(asked)?.text).toContain("Refused by");
    expect(JSON.stringify(renewed.components)).toContain("Opening_day.mp4");
    await ada.click(renewed, "Approve");
    await waitForText(world, grace, general, /Published/);
    expect(world.video.videos()).toMatchObject([{ title: "Quiet day" }]);
  });

  it("can be withdrawn by the author", async () => {
    await using world = await openVideoWorld();
    const grace = world.member("Grace");
    const { general } = world.channels;
    await askForApproval(world);
    const card = await grace.slash(general, "video publish", { file: film() });
    await grace.click(card.message, "Send for approval");
    const waiting = await waitForText(world, grace, general, /Waiting for approval/);
    expect((await grace.click(waiting, "Cancel")).text).toContain("Nothing was published");
    await waitForText(world, grace, general, /Cancelled/);
  });

  it("can also be withdrawn from the list, in case its message is gone", async () => {
    await using world = await openVideoWorld();
    const grace = world.member("Grace");
    const { general } = world.channels;
    await askForApproval(world);
    const card = await grace.slash(general, "video publish", { file: film() });
    await grace.click(card.message, "Send for approval");
    const list = await grace.slash(general, "video list");
    expect(list.text).toContain("Opening day is waiting for approval.");
    const [id = ""] = customIdsOf(await waitForText(world, grace, general, /Waiting for approval/));
    const opened = await grace.select(list.message, "See how far one is…", [
      new URLSearchParams(id.split(":")[3]).get("p") ?? "",
    ]);
    expect((await grace.click(opened.message, "Cancel")).text).toContain("Nothing was published");
    expect((await grace.slash(general, "video list")).text).not.toContain("Opening day");
  });
});
