import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { UserError } from "../../../src/core/errors.ts";
import { openAccounts } from "./open-accounts.ts";

const SECRET = "sandbox-video-secret-0123456789abcdef";

describe("linking an account", () => {
  it("checks a Page's token, stores it, and returns whose it is", async () => {
    const { accounts, standIn, rules, clock } = await openAccounts();
    expect(accounts.canLink).toBe(true);
    expect(await accounts.of("1")).toBeUndefined();
    const linked = {
      accountId: standIn.pageId,
      name: "Signal Hall",
      linkedBy: "7",
      linkedAtMs: clock.now(),
      endsAtMs: 1_900_000_000_000,
      brokenBecause: undefined,
      missing: [],
    };
    expect(await accounts.link("1", standIn.tokens.page, "7")).toEqual(linked);
    expect(await accounts.linked("1")).toEqual(linked);
    const usable = {
      key: `page:${standIn.pageId}`,
      account: { token: standIn.tokens.page, id: standIn.pageId },
      name: "Signal Hall",
    };
    expect(await accounts.of("1")).toEqual(usable);
    expect(await accounts.byKey("1", `page:${standIn.pageId}`)).toEqual(usable);
    expect(await accounts.byKey("2", `page:${standIn.pageId}`)).toBeUndefined();
    expect(await accounts.byKey("1", "page:5")).toBeUndefined();
    expect(await accounts.byKey("1", "operator")).toBeUndefined();
    expect(await rules.auditEntries("1", { limit: 9 })).toMatchObject([
      { act: "account-linked", actorId: "7", note: "Signal Hall" },
    ]);
  });

  it.each([
    ["with quotes", (token: string) => ` "${token}" `],
    ["with typed quotes", (token: string) => `“${token}”\n`],
    ["out of a request", (token: string) => `Authorization: Bearer ${token}`],
    ["out of an address", (token: string) => `access_token=${token}`],
  ])("accepts a token that was copied %s", async (_how, copied) => {
    const { accounts, standIn } = await openAccounts();
    await accounts.link("1", copied(standIn.tokens.page), "7");
    expect((await accounts.of("1"))?.account.token).toBe(standIn.tokens.page);
  });

  it.each([
    ["nothing", " ", /That isn't an access token/],
    ["a few words", "please link my page now", /That isn't an access token/],
    ["something short", "EAAB123", /That isn't an access token/],
    ["something endless", "E".repeat(5_000), /That isn't an access token/],
    ["letters that no token has", `EAA${"ä".repeat(40)}`, /That isn't an access token/],
    ["an address", "https://video.example.org/page?access_token=EAASandboxPage", /a web address/],
  ])("refuses %s before it asks the service", async (_what, typed, sentence) => {
    const { accounts, standIn } = await openAccounts();
    const linking = accounts.link("1", typed, "7");
    await expect(linking).rejects.toThrow(UserError);
    await expect(linking).rejects.toThrow(sentence);
    expect(standIn.ledger).toEqual([]);
  });

  it.each([
    ["a person's", "person", /token of a person or.*only a Page can publish.*me\/accounts/],
    ["one that has ended", "expired", /doesn't accept that token: it has expired/],
    ["one without the permission to publish", "readOnly", /lacks the permission `pages_manage_posts`/],
  ] as const)("refuses %s and stores nothing", async (_what, kind, sentence) => {
    const { accounts, standIn, database } = await openAccounts();
    const linking = accounts.link("1", standIn.tokens[kind], "7");
    await expect(linking).rejects.toThrow(UserError);
    await expect(linking).rejects.toThrow(sentence);
    expect(await database.videoAccounts.get("1")).toBeUndefined();
  });

  it("refuses a token of another application, whether or not the bot has an application secret", async () => {
    for (const appSecret of [{ appSecret: SECRET }, {}]) {
      const { accounts, standIn } = await openAccounts({ needsProof: true, ...appSecret });
      const linking = accounts.link("1", standIn.tokens.otherApp, "7");
      await expect(linking).rejects.toThrow(UserError);
      await expect(linking).rejects.toThrow(/made for another application/);
    }
  });

  it("refuses a token whose owner must log in first", async () => {
    const { accounts, standIn } = await openAccounts();
    standIn.invalidateToken(standIn.tokens.page, 459);
    await expect(accounts.link("1", standIn.tokens.page, "7")).rejects.toThrow(/log in there and confirm/);
  });

  it("accepts the specification's name for the permission, and any token if the service does not list permissions", async () => {
    const { accounts, standIn } = await openAccounts();
    const value = "EAASandboxOldName0123456789abcdef";
    standIn.addToken({ value, scopes: ["video_upload", "user_videos"] });
    expect((await accounts.link("1", value, "7")).missing).toEqual([]);
    standIn.faults.add({ path: "/debug_token", do: "permission" });
    expect((await accounts.link("2", standIn.tokens.page, "7")).missing).toEqual([]);
  });

  it("says at once and later which permissions are missing for comments and statistics", async () => {
    const { accounts, standIn } = await openAccounts();
    const value = "EAASandboxPoster0123456789abcdef";
    standIn.addToken({ value, scopes: ["pages_manage_posts", "pages_read_engagement", "read_insights"] });
    const missing = ["pages_manage_engagement", "pages_read_user_content"];
    expect((await accounts.link("1", value, "7")).missing).toEqual(missing);
    expect((await accounts.linked("1"))?.missing).toEqual(missing);
  });

  it("fails if the service is unavailable, and keeps the account that was linked", async () => {
    const { accounts, standIn, advanceUntil } = await openAccounts();
    await accounts.link("1", standIn.tokens.page, "7");
    standIn.faults.add({ path: "/me", do: "unknown", times: 2 });
    await expect(advanceUntil(accounts.link("1", standIn.tokens.secondPage, "8"))).rejects.toMatchObject({
      service: "video",
      kind: "unavailable",
    });
    expect((await accounts.linked("1"))?.accountId).toBe(standIn.pageId);
  });

  it("replaces the first account with another, and the server can no longer use the first", async () => {
    const { accounts, standIn } = await openAccounts();
    await accounts.link("1", standIn.tokens.page, "7");
    await accounts.link("1", standIn.tokens.secondPage, "8");
    expect(await accounts.linked("1")).toMatchObject({ name: "Garden Railway", linkedBy: "8" });
    expect(await accounts.byKey("1", `page:${standIn.pageId}`)).toBeUndefined();
  });

  it("is refused without a key, with the setting that would allow it", async () => {
    const { restart, standIn } = await openAccounts();
    const accounts = restart({ secretBox: undefined });
    expect(accounts.canLink).toBe(false);
    await expect(accounts.link("1", standIn.tokens.page, "7")).rejects.toThrow(/set SECRET_KEY first/);
  });

  it("ends when it is unlinked, once", async () => {
    const { accounts, standIn, rules } = await openAccounts();
    const account = { guildId: "1", ...(await accounts.link("1", standIn.tokens.page, "7")) };
    expect(await accounts.unlink(account, "8")).toBe(true);
    expect(await accounts.unlink(account, "8")).toBe(false);
    expect(await accounts.linked("1")).toBeUndefined();
    const entries = await rules.auditEntries("1", { limit: 9 });
    expect(entries.map(({ act, actorId }) => [act, actorId])).toEqual([
      ["account-unlinked", "8"],
      ["account-linked", "7"],
    ]);
  });

  it("leaves no part of a token in rows, logs, errors or answers", async () => {
    const { accounts, standIn, database, lines, ownLines, notices } = await openAccounts({
      needsProof: true,
      appSecret: SECRET,
    });
    const outputs: unknown[] = [];
    const tokens = Object.values(standIn.tokens);
    for (const token of [...tokens, "EAASandboxNobody0123456789abcdef"]) {
      outputs.push(await accounts.link("1", token, "7").catch((error: unknown) => error));
      outputs.push(await accounts.linked("1"));
    }
    standIn.invalidateToken(standIn.tokens.secondPage);
    await accounts.markBroken("1", `page:${standIn.secondPageId}`, "token-dead");
    outputs.push(await accounts.of("1").catch((error: unknown) => error));
    outputs.push(await database.videoAccounts.get("1"), await database.exportUser("7"));
    outputs.push(await database.videoRecords.auditEntries("1", { limit: 99 }));
    const all = [...outputs.map((each) => inspect(each, { depth: 9 })), ...lines, ...ownLines];
    expect(notices).toHaveLength(1);
    expect(lines.length + ownLines.length).toBeGreaterThan(10);
    expect(all.join("\n") + inspect(notices, { depth: 9 })).not.toMatch(/EAASandbox/);
  });
});
