import { describe, expect, it } from "vitest";
import { UserError } from "../../../src/core/errors.ts";
import type { ChannelCheck } from "../../../src/core/ports.ts";
import type { Actor } from "../../../src/videos/settings/video-rules.ts";
import { auditRecord } from "../video-rows.ts";
import { openRules } from "./open-rules.ts";

const ADA: Actor = { userId: "7", roleIds: ["70"] };
const BEN: Actor = { userId: "8", roleIds: [] };
const CHANNEL: ChannelCheck = { guildId: "1", kind: "text", name: "approval", missing: [], locked: false };
const NOTHING_CHOSEN = {
  approvalChannelId: undefined,
  approverRoleId: undefined,
  publisherRoleId: undefined,
  timeZone: "Europe/London",
};

describe("a server's settings for videos", () => {
  it("require nothing until somebody changes them", async () => {
    const { rules } = await openRules();
    expect(await rules.settings("1")).toEqual(NOTHING_CHOSEN);
    await rules.checkPublisher("1", BEN, "publish a video");
    await rules.checkApprover("1", BEN, "7");
  });

  it("change only in the given fields, with an audit entry that says what changed", async () => {
    const { rules, channels, clock } = await openRules();
    channels.set("12", CHANNEL);
    expect(await rules.change("1", { approvalChannelId: "12", timeZone: "new york" }, ADA)).toEqual({
      ...NOTHING_CHOSEN,
      approvalChannelId: "12",
      timeZone: "America/New_York",
    });
    clock.advance(1_000);
    await rules.change("1", { approverRoleId: "70" }, ADA);
    clock.advance(1_000);
    await rules.change("1", { approvalChannelId: undefined }, ADA);
    await rules.change("1", {}, ADA);
    expect(await rules.settings("1")).toEqual({
      ...NOTHING_CHOSEN,
      approverRoleId: "70",
      timeZone: "America/New_York",
    });
    expect(await rules.settings("2")).toEqual(NOTHING_CHOSEN);
    const entries = await rules.auditEntries("1", { limit: 9 });
    expect(entries.map(({ act, actorId, note }) => [act, actorId, note])).toEqual([
      ["settings-changed", "7", "approval switched off"],
      ["settings-changed", "7", "approver role set"],
      ["settings-changed", "7", "approval channel set, time zone New York"],
    ]);
  });

  it("keep both of two changes at the same time", async () => {
    const { rules } = await openRules();
    await Promise.all([
      rules.change("1", { approverRoleId: "70" }, ADA),
      expect(rules.change("1", { timeZone: "Mars" }, ADA)).rejects.toThrow(UserError),
      rules.change("1", { publisherRoleId: "71" }, BEN),
    ]);
    expect(await rules.settings("1")).toMatchObject({ approverRoleId: "70", publisherRoleId: "71" });
  });

  it("treat the @everyone role as no role", async () => {
    const { rules } = await openRules();
    await rules.change("1", { approverRoleId: "70", publisherRoleId: "70" }, ADA);
    expect(await rules.change("1", { approverRoleId: "1", publisherRoleId: "1" }, ADA)).toEqual(
      NOTHING_CHOSEN,
    );
  });

  it.each<[string, ChannelCheck | undefined, RegExp]>([
    ["is gone", undefined, /I can't see <#12>/],
    ["is another server's", { ...CHANNEL, guildId: "2" }, /I can't see <#12>/],
    ["cannot have messages", { ...CHANNEL, kind: "other" }, /Choose a text channel/],
    ["is a locked thread", { ...CHANNEL, kind: "thread", locked: true }, /<#12> is locked/],
    [
      "the bot may not write in",
      { ...CHANNEL, missing: ["Send Messages", "Attach Files", "Embed Links"] },
      /Give me \*\*Send Messages\*\* and \*\*Embed Links\*\* there/,
    ],
  ])("refuse an approval channel that %s", async (_why, channel, sentence) => {
    const { rules, channels } = await openRules();
    if (channel !== undefined) {
      channels.set("12", channel);
    }
    const changing = rules.change("1", { approvalChannelId: "12", approverRoleId: "70" }, ADA);
    await expect(changing).rejects.toThrow(UserError);
    await expect(changing).rejects.toThrow(sentence);
    expect(await rules.settings("1")).toEqual(NOTHING_CHOSEN);
  });

  it("refuse a time zone that does not exist, and keep theirs if only spaces were typed", async () => {
    const { rules } = await openRules();
    await expect(rules.change("1", { timeZone: "Mars" }, ADA)).rejects.toThrow(/time zone for “Mars”/);
    const { timeZone } = await rules.settings("1");
    expect(await rules.change("1", { timeZone: "  " }, ADA)).toMatchObject({ timeZone });
  });

  it("are parsed as stored, with the operator's time zone if theirs is no longer known", async () => {
    const { rules, database } = await openRules();
    const settings = JSON.stringify({ approverRoleId: "70", timeZone: "Mars/Olympus", later: true });
    await database.videoRecords.putSettings({ guildId: "1", settings });
    expect(await rules.settings("1")).toEqual({ ...NOTHING_CHOSEN, approverRoleId: "70" });
  });

  it("let nobody publish if they cannot be parsed", async () => {
    const { rules, database } = await openRules();
    await database.videoRecords.putSettings({ guildId: "1", settings: '{"publisherRoleId":{}}' });
    await expect(rules.checkPublisher("1", ADA, "publish a video")).rejects.toThrow("publisherRoleId");
  });
});

describe("a check of permissions", () => {
  it("lets people with the role publish, and tells others whom to ask, with an audit entry and a log line", async () => {
    const { rules, lines } = await openRules();
    await rules.change("1", { publisherRoleId: "70" }, ADA);
    await rules.checkPublisher("1", ADA, "publish a video");
    await rules.checkPublisher("2", BEN, "publish a video");
    const checking = rules.checkPublisher("1", BEN, "publish a video");
    await expect(checking).rejects.toThrow(UserError);
    await expect(checking).rejects.toThrow(/people with the role <@&70>/);
    const [denied] = await rules.auditEntries("1", { limit: 1 });
    expect(denied).toMatchObject({ act: "denied", actorId: "8", note: "publish a video" });
    const line: unknown = JSON.parse(lines.at(-1) ?? "");
    expect(line).toMatchObject({ level: "warn", guild: "1", actor: "8", act: "denied" });
  });

  it("adds at most ten denied attempts an hour to the audit log, but logs each", async () => {
    const { rules, lines, clock } = await openRules();
    await rules.change("1", { publisherRoleId: "70" }, ADA);
    const attempt = () =>
      expect(rules.checkPublisher("1", BEN, "publish a video")).rejects.toThrow(UserError);
    const denied = async () =>
      (await rules.auditEntries("1", { limit: 99 })).filter(({ act }) => act === "denied").length;
    for (let tries = 0; tries < 30; tries += 1) {
      await attempt();
    }
    expect(await denied()).toBe(10);
    expect(lines.filter((line) => line.includes("action denied"))).toHaveLength(30);
    clock.advance(61 * 60_000);
    await attempt();
    expect(await denied()).toBe(11);
  });

  it("lets people with the role approve, but not their own publications", async () => {
    const { rules } = await openRules();
    await rules.checkApprover("1", ADA, "8");
    await rules.change("1", { approverRoleId: "70" }, ADA);
    await rules.checkApprover("1", ADA, "8");
    await expect(rules.checkApprover("1", BEN, "7")).rejects.toThrow(/people with the role <@&70>/);
    await expect(rules.checkApprover("1", ADA, "7")).rejects.toThrow(/somebody else has to decide/);
    const denied = (await rules.auditEntries("1", { limit: 9 })).filter(({ act }) => act === "denied");
    expect(denied.map(({ actorId }) => actorId)).toEqual(["7", "8"]);
  });

  it("lets nobody approve a publication whose submitter is unknown", async () => {
    const { rules } = await openRules();
    await expect(rules.checkApprover("1", ADA, undefined)).rejects.toThrow(/Nobody can tell any more/);
  });
});

describe("audit entries", () => {
  it("are listed page by page, newest first, even within one millisecond", async () => {
    const { rules, write, clock } = await openRules();
    await write({ guildId: "1", actorId: "7", act: "submitted", publicationId: "video001" });
    clock.advance(1_000);
    const atMs = clock.now();
    await write({ guildId: "1", actorId: undefined, act: "published", videoId: "5", note: "Opening" });
    await write({ guildId: "1", actorId: "8", act: "edited", videoId: "5" });
    await write({ guildId: "2", actorId: "8", act: "edited", videoId: "6" });
    const entries = await rules.auditEntries("1", { limit: 2 });
    expect(entries.map(({ act }) => act)).toEqual(["edited", "published"]);
    expect(entries[1]).toEqual({
      id: expect.stringMatching(/^[0-9a-z]{21}$/),
      atMs,
      actorId: undefined,
      act: "published",
      publicationId: undefined,
      videoId: "5",
      note: "Opening",
    });
    const before = await rules.auditEntries("1", { limit: 1, before: entries[0] });
    expect(before.map(({ act }) => act)).toEqual(["published"]);
    const rest = await rules.auditEntries("1", { limit: 2, before: entries[1] });
    expect(rest.map(({ act }) => act)).toEqual(["submitted"]);
  });

  it("are logged without their notes, which may be titles", async () => {
    const { write, lines } = await openRules();
    await write({ guildId: "1", actorId: "7", act: "refused", note: "a secret surprise" });
    expect(lines.join("")).toContain('"act":"refused"');
    expect(lines.join("")).not.toContain("surprise");
  });

  it("shorten a long note at a whole character", async () => {
    const { rules, write } = await openRules();
    for (const beginning of ["", "x", "xx"]) {
      await write({ guildId: "1", actorId: "7", act: "refused", note: beginning + "🚂".repeat(5_000) });
    }
    for (const { note } of await rules.auditEntries("1", { limit: 9 })) {
      expect(note?.length).toBeLessThanOrEqual(300);
      expect(note).toMatch(/^x{0,2}(?:🚂)+…$/u);
    }
  });

  it("about denied attempts that cannot be stored are logged, and the person gets the usual answer", async () => {
    const { rules, database, lines } = await openRules();
    await database.close();
    await expect(rules.deny({ guildId: "1", actorId: "7" }, "Not here.")).rejects.toThrow("Not here.");
    expect(lines.at(-1)).toContain("audit entry lost");
  });

  it("are added before a write to the service, and changed afterwards to say its outcome", async () => {
    const { rules } = await openRules();
    const act = { guildId: "1", actorId: "7", act: "edited", videoId: "5", note: "Opening" } as const;
    const notes = async () => (await rules.auditEntries("1", { limit: 9 })).map(({ note }) => note);
    const unknown = "the video service never said whether it was done";
    const outcome = await rules.attempt(act, async () => {
      expect(await notes()).toEqual([unknown]);
      return "done";
    });
    expect(outcome).toBe("done");
    expect(await notes()).toEqual(["Opening"]);
    const refused = rules.attempt(act, () => Promise.reject(new UserError("No.")));
    await expect(refused).rejects.toThrow("No.");
    expect(await notes()).toEqual(["Opening"]);
    await rules.attempt(act, async () => "unknown");
    await rules.attempt(act, async () => "gone", { gone: "it was not there" });
    expect(await notes()).toEqual(["it was not there", unknown, "Opening"]);
  });

  it("are stored together with their change, and logged only if it was made", async () => {
    const { rules, lines, database } = await openRules();
    const act = { guildId: "1", actorId: "7", act: "edited" } as const;
    expect(await rules.changeWithAudit([act], async () => undefined)).toBeUndefined();
    expect(lines.join("")).not.toContain('"act":"edited"');
    await rules.changeWithAudit([act], async ([line]) => {
      await database.videoRecords.addAuditRecord(line ?? auditRecord());
      return true;
    });
    expect(lines.join("")).toContain('"act":"edited"');
    expect(await rules.auditEntries("1", { limit: 9 })).toHaveLength(1);
  });

  it("of later versions are left out", async () => {
    const { rules, database } = await openRules();
    await database.videoRecords.addAuditRecord(auditRecord({ id: "a", act: "teleported" }));
    await database.videoRecords.addAuditRecord(auditRecord({ id: "b" }));
    expect((await rules.auditEntries("1", { limit: 9 })).map(({ act }) => act)).toEqual(["submitted"]);
  });
});
