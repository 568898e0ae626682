// A server's accounts and settings, and who may not touch them.
import { describe, expect, it } from "vitest";
import type { World } from "../../sandbox/world.ts";
import { reportChecks } from "../support/checked-world.ts";
import {
  askForApproval,
  customIdsOf,
  film,
  forgeButton,
  openVideoWorld,
  waitForText,
} from "../support/video-world.ts";

reportChecks();

async function link(world: World, token: string, name = "Grace") {
  const member = world.member(name);
  const form = await member.slash(world.channels.staff, "video account link");
  return member.submit(form, { "The Page's access token": token });
}

describe("a server's own account", () => {
  it("is checked and linked by a form, shown without its token, and used to publish", async () => {
    await using world = await openVideoWorld();
    const grace = world.member("Grace");
    const { general, staff } = world.channels;
    const { tokens } = world.video;
    const linked = await link(world, `  "${tokens.secondPage}"\n`);
    expect(linked.message.ephemeral).toBe(true);
    expect(linked.text).toContain("publishes as Garden Railway");
    expect(linked.text).not.toContain(tokens.secondPage);
    const shown = await grace.slash(staff, "video account show");
    expect(shown.text).toContain("Garden Railway");
    expect(shown.text).not.toContain(tokens.secondPage);

    const card = await grace.slash(general, "video publish", { file: film() });
    expect(card.text).toContain("Garden Railway");
    await grace.click(card.message, "Publish now");
    await waitForText(world, grace, general, /Published/);
    expect(world.video.videos()).toMatchObject([{ pageId: world.video.secondPageId }]);
  });

  it("is unlinked after a confirmation, and the bot's own account takes its place", async () => {
    await using world = await openVideoWorld();
    const grace = world.member("Grace");
    const { staff } = world.channels;
    await link(world, world.video.tokens.secondPage);
    const asked = await grace.slash(staff, "video account unlink");
    expect(asked.text).toContain("Unlink Garden Railway?");
    expect((await grace.click(asked.message, "Keep it")).text).toContain("stays linked");
    const again = await grace.slash(staff, "video account unlink");
    expect((await grace.click(again.message, "Unlink")).text).toContain("its token is erased");
    expect((await grace.slash(staff, "video account show")).text).toContain("bot's own account");
  });

  it("stays linked if somebody replaced the one that the confirmation was about", async () => {
    await using world = await openVideoWorld();
    const grace = world.member("Grace");
    const { staff } = world.channels;
    await link(world, world.video.tokens.secondPage);
    const asked = await grace.slash(staff, "video account unlink");
    await world.clock.advance(1_000);
    await link(world, world.video.tokens.page);
    expect((await grace.click(asked.message, "Unlink")).text).toContain("Unlink Signal Hall?");
    expect((await grace.slash(staff, "video account show")).text).toContain("publishes as Signal Hall");
  });

  it("that is unlinked while a video is processed leaves it waiting until it is linked again", async () => {
    await using world = await openVideoWorld({ video: { processingMs: 60_000 } });
    const grace = world.member("Grace");
    const { general, staff } = world.channels;
    await link(world, world.video.tokens.secondPage);
    const card = await grace.slash(general, "video publish", { file: film() });
    await grace.click(card.message, "Publish now");
    await waitForText(world, grace, general, /Uploaded\. Processing/);
    const asked = await grace.slash(staff, "video account unlink");
    await grace.click(asked.message, "Unlink");
    const told = await waitForText(world, grace, general, /no longer linked/, 2_000);
    // In the text, the command is a link.
    expect(told.text).toMatch(
      /Please link it again with <\/video account link:\d+>\. Once it's linked again, I'll carry on/,
    );
    expect(told.text).not.toContain("next at");
    for (let minutes = 0; minutes < 5; minutes += 1) {
      await world.clock.advance(60_000);
      await world.bot.tick();
    }
    // The text stays the same, so the message is not edited.
    expect(grace.messages(general).find(({ id }) => id === told.id)).toEqual(told);
    await link(world, world.video.tokens.secondPage);
    await waitForText(world, grace, general, /Published/, 5_000);
  });

  it.each([
    ["of a person", "person", /only a Page can publish/],
    ["that has expired", "expired", /it has expired/],
    ["without the permission", "readOnly", /pages_manage_posts/],
    ["of another application", "otherApp", /another application/],
  ] as const)("is not linked with a token %s, and the member is told why", async (_, kind, words) => {
    await using world = await openVideoWorld();
    const refused = await link(world, world.video.tokens[kind]);
    expect(refused.text).toMatch(words);
    expect(refused.message.ephemeral).toBe(true);
    expect((await world.member("Grace").slash(world.channels.staff, "video account show")).text).toContain(
      "bot's own account",
    );
  });

  it("cannot be linked without SECRET_KEY, and the bot says so", async () => {
    await using world = await openVideoWorld({ env: { SECRET_KEY: "" } });
    const grace = world.member("Grace");
    expect((await grace.slash(world.channels.staff, "video account link")).text).toContain("SECRET_KEY");
    expect((await grace.slash(world.channels.staff, "video account show")).text).toContain("can't link");
  });

  it("is requested if there is no account to publish with", async () => {
    await using world = await openVideoWorld({ env: { VIDEO_ACCESS_TOKEN: "" } });
    const grace = world.member("Grace");
    const refused = await grace.slash(world.channels.general, "video publish", { file: film() });
    expect(refused.text).toContain("/video account link");
  });

  it("is requested in a server that may not publish with the operator's", async () => {
    await using world = await openVideoWorld({ env: { VIDEO_GUILDS: "123456789012345678" } });
    const grace = world.member("Grace");
    const refused = await grace.slash(world.channels.general, "video publish", { file: film() });
    expect(refused.text).toContain("/video account link");
    expect((await grace.slash(world.channels.staff, "video account show")).text).toContain(
      "has no account to publish with yet",
    );
    expect(world.video.videos()).toHaveLength(0);
  });

  it("is not offered if neither token nor key is set", async () => {
    await using world = await openVideoWorld({ env: { VIDEO_ACCESS_TOKEN: "", SECRET_KEY: "" } });
    const names = world.member("Ada").commands(world.channels.general);
    expect(names.map(({ name }) => name)).not.toContain("video");
  });
});

describe("/video settings", () => {
  it("restrict who publishes, choose who approves, the channel and the time zone, and can be removed", async () => {
    await using world = await openVideoWorld();
    const [ada, grace] = [world.member("Ada"), world.member("Grace")];
    const { general, staff } = world.channels;
    const crew = world.discord.addRole(world.guild, { name: "Crew", permissions: 0n, memberIds: [ada.id] });
    const saved = await ada.slash(staff, "video settings", {
      approval_channel: staff,
      approvers: crew,
      publishers: crew,
      zone: "New York",
    });
    expect(saved.text).toContain(`<#${staff.id}>`);
    expect(saved.text).toContain(`<@&${crew}>`);
    expect(saved.text).toContain("New York time");
    const refused = await grace.slash(general, "video publish", { file: film() });
    expect(refused.text).toContain(crew);
    await ada.slash(staff, "video settings", { remove: "publishers" });
    const card = await grace.slash(general, "video publish", { file: film(), publish_at: "tomorrow 18:00" });
    expect(card.text).toContain("18:00 (New York time)");
    expect(card.text).toContain(`needed from somebody else with the role <@&${crew}>`);
    const history = await ada.click((await ada.slash(staff, "video settings")).message, "History");
    expect(history.text).toMatch(/tried something that they aren't allowed to do/);
    expect(history.text).toMatch(/changed the settings/);
  });

  it("refuse an unknown time zone", async () => {
    await using world = await openVideoWorld();
    const answer = await world.member("Ada").slash(world.channels.staff, "video settings", { zone: "Xyzzy" });
    expect(answer.text).toMatch(/zone/i);
  });
});

describe("a forged button", () => {
  it("is refused to members of another server, and recorded in the owning server's history", async () => {
    await using world = await openVideoWorld();
    const [grace, ada] = [world.member("Grace"), world.member("Ada")];
    const { general, staff } = world.channels;
    await askForApproval(world);
    const eve = world.discord.addUser("Eve");
    const elsewhere = world.discord.addGuild({ name: "Elsewhere", memberIds: [eve.id] });
    const lair = world.discord.addChannel(elsewhere, "lair");
    const card = await grace.slash(general, "video publish", { file: film() });
    const [go = ""] = customIdsOf(card.message);
    await grace.click(card.message, "Send for approval");
    const asked = await waitForText(world, ada, staff, /Approve this video/);
    const mallory = world.member("Eve");
    for (const customId of [go, ...customIdsOf(asked)]) {
      const forged = await forgeButton(world, mallory, lair, customId);
      expect((await mallory.click(forged, "Forged")).text).toContain("another server");
    }
    expect(world.video.videos()).toEqual([]);
    const history = await ada.click((await ada.slash(staff, "video settings")).message, "History");
    expect(history.text).toContain(`<@${eve.id}> tried something that they aren't allowed to do`);
    expect(world.bot.log.join("\n")).toContain(eve.id);
  });

  it("is refused to members without the permission, and with a made-up id", async () => {
    await using world = await openVideoWorld();
    const [grace, alan] = [world.member("Grace"), world.member("Alan")];
    const { general } = world.channels;
    const card = await grace.slash(general, "video publish", { file: film() });
    const [go = ""] = customIdsOf(card.message);
    const forged = await forgeButton(world, alan, general, go);
    expect((await alan.click(forged, "Forged")).text).toContain("don't have permission to do that");
    const ghost = await forgeButton(
      world,
      grace,
      general,
      "video/publication:approve:1:p=nobody00&a=1&t=abc",
    );
    expect((await grace.click(ghost, "Forged")).text).toContain("I no longer know that publication");
    const wild = await forgeButton(world, grace, general, "video/publication:approve:1:p=../x&t=-1");
    expect((await grace.click(wild, "Forged")).text).toContain("older version");
    expect(world.video.videos()).toEqual([]);
    // The line is logged once Discord has confirmed the answer, which may be after the member sees it.
    const refusalsOf = ({ id }: { readonly id: string }) =>
      world.bot.log.filter((line) => line.includes("interaction refused") && line.includes(id));
    await expect.poll(() => refusalsOf(grace)).toHaveLength(2);
    expect(refusalsOf(alan)).toHaveLength(1);
  });

  it("is refused in a direct message to people who do not manage the server", async () => {
    await using world = await openVideoWorld();
    const [grace, alan] = [world.member("Grace"), world.member("Alan")];
    const card = await grace.slash(world.channels.general, "video publish", { file: film() });
    const [go = ""] = customIdsOf(card.message);
    await alan.attach(alan.dm(), "", [film()]);
    await waitForText(world, alan, alan.dm(), /you can use `\/video`/);
    const forged = await forgeButton(world, alan, alan.dm(), go);
    expect((await alan.click(forged, "Forged")).text).toContain("people who can use `/video`");
  });
});
