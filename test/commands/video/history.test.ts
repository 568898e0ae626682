// The audit log of a server in pages, and that of one publication.
import { historyArgs } from "../../../src/videos/video-args.ts";
import { readArgs } from "../../support/read-args.ts";
import { writeAuditEntry } from "../../videos/settings/open-rules.ts";
import { expect, it } from "vitest";
import doubt from "../../../commands/video/doubt.ts";
import publication from "../../../commands/video/publication.ts";
import settings from "../../../commands/video/settings.ts";
import { createVideoActors } from "../../../src/videos/settings/video-rules.ts";
import { ADA, CHANNEL, GUILD, openPublishWorld } from "../../support/publish-world.ts";

async function world() {
  const { database, clock, order, begin } = await openPublishWorld();
  const { publish, rules: videoRules } = begin();
  const { id } = await publish.draft(order());
  const messenger = { member: async () => undefined, mayManage: async () => true };
  const context = {
    caller: { id: ADA.userId, roles: ADA.roleIds },
    usableCommands: async () => new Set<string>(),
    fileLimitBytes: 10_485_760,
    where: { guildId: GUILD, channelId: CHANNEL },
    message: { id: "1", channelId: CHANNEL, content: "", attachments: [], media: [] },
    progress: () => {},
    services: {
      publish,
      videoRules,
      videoActors: createVideoActors({
        messenger,
        rights: { findAllowedMember: async () => undefined },
        publications: database.publications,
        rules: videoRules,
      }),
    },
  };
  const history = settings.buttons?.history;
  const { details, change } = publication.buttons ?? {};
  const look = doubt.buttons?.look;
  if (history === undefined || details === undefined || change === undefined || look === undefined) {
    throw new Error("a button's handler is missing");
  }
  return {
    id,
    clock,
    write: (note: string, publicationId?: string) =>
      writeAuditEntry(
        { rules: videoRules, database },
        { guildId: GUILD, actorId: ADA.userId, act: "deleted", publicationId, note },
      ),
    page: async (args: Readonly<Record<string, string>>) =>
      JSON.stringify(await history.run({ ...context, args: readArgs(historyArgs, args) })),
    details: async () => JSON.stringify(await details.run({ ...context, args: { id } })),
    change: async () => change.run({ ...context, args: { id } }),
    look: async () => look.run({ ...context, args: { id } }),
    rules: videoRules,
  };
}

it("the audit log has every entry on one of its pages, even if many have the same time", async () => {
  const { write, page } = await world();
  for (let count = 10; count < 32; count += 1) {
    await write(`video ${count}`);
  }
  const told: string[] = [];
  for (let args: Readonly<Record<string, string>> | undefined = {}; args !== undefined;) {
    const text = await page(args);
    told.push(...(text.match(/video \d\d/g) ?? []));
    const older = /"label":"Older".*?"args":(\{.*?\})/.exec(text)?.[1];
    args = older === undefined ? undefined : JSON.parse(older);
  }
  expect(told).toEqual(Array.from({ length: 22 }, (_, index) => `video ${31 - index}`));
});

it("the audit log continues from a button of an earlier version, which has only the time", async () => {
  const { clock, write, page } = await world();
  await write("video 1");
  await clock.advance(1);
  await write("video 2");
  const text = await page({ b: clock.now().toString(36) });
  expect(text).toContain("video 1");
  expect(text).not.toContain("video 2");
});

it("the audit log of a publication is found, however many newer entries there are", async () => {
  const { id, write, details } = await world();
  await write("the first of all", id);
  for (let count = 0; count < 120; count += 1) {
    await write("another", "newer");
  }
  expect(await details()).toContain("the first of all");
});

it("the audit log records attempts without the role, which are refused before a form opens or a video is shown", async () => {
  const { change, look, rules } = await world();
  expect(await change()).toMatchObject({ type: "modal" });
  await rules.change(GUILD, { publisherRoleId: "77" }, ADA);
  await expect(change()).rejects.toThrow("<@&77>");
  await expect(look()).rejects.toThrow("<@&77>");
  expect(await rules.auditEntries(GUILD, { limit: 2 })).toMatchObject([
    { act: "denied", note: "find out whether a video was published" },
    { act: "denied", note: "change a video" },
  ]);
});
