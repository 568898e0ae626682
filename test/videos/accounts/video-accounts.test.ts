import { describe, expect, it } from "vitest";
import { UserError } from "../../../src/core/errors.ts";
import { createSecretBox } from "../../../src/core/secret-box.ts";
import { videoAccountRecord } from "../video-rows.ts";
import { KEY, openAccounts } from "./open-accounts.ts";

const DAY_MS = 24 * 3_600_000;

describe("the operator's account", () => {
  it("is used by every server without its own account, and its name is requested once", async () => {
    const { restart, standIn } = await openAccounts();
    const accounts = restart({ operatorToken: standIn.tokens.page });
    expect(accounts.mayUseOperator("1")).toBe(true);
    const operator = { key: "operator", account: { token: standIn.tokens.page }, name: "Signal Hall" };
    expect(await Promise.all([accounts.of("1"), accounts.of("2"), accounts.byKey("3", "operator")])).toEqual([
      operator,
      operator,
      operator,
    ]);
    expect(await accounts.linked("1")).toBeUndefined();
    expect(standIn.ledger.filter(({ path }) => path.startsWith("/me"))).toHaveLength(1);
    await accounts.link("1", standIn.tokens.secondPage, "7");
    expect(await accounts.of("1")).toMatchObject({ key: `page:${standIn.secondPageId}` });
    expect(await accounts.byKey("1", "operator")).toEqual(operator);
  });

  it("serves only the servers that the operator lists", async () => {
    const { restart, standIn } = await openAccounts();
    const accounts = restart({ operatorToken: standIn.tokens.page, operatorGuilds: ["1"] });
    expect(await accounts.of("1")).toMatchObject({ key: "operator" });
    expect(await accounts.of("2")).toBeUndefined();
    expect([accounts.mayUseOperator("1"), accounts.mayUseOperator("2")]).toEqual([true, false]);
    // A server can still manage what it has published.
    expect(await accounts.byKey("2", "operator")).toMatchObject({ key: "operator" });
    expect(await accounts.toPublish("1", "operator")).toMatchObject({ key: "operator" });
    expect(await accounts.toPublish("2", "operator")).toBeUndefined();
  });

  it("is used without a name while the service does not give it", async () => {
    const { restart, standIn, clock } = await openAccounts();
    standIn.faults.add({ path: "/me", do: "permission" });
    const accounts = restart({ operatorToken: standIn.tokens.page });
    expect(await accounts.of("1")).toMatchObject({ key: "operator", name: undefined });
    expect(await accounts.of("1")).toMatchObject({ name: undefined });
    await clock.jump(-3_600_000);
    await clock.advance(60_000);
    expect(await accounts.of("1")).toMatchObject({ name: "Signal Hall" });
  });

  it("if it is refused, is logged once for each reason, and servers are not notified", async () => {
    const { restart, standIn, ownLines, notices } = await openAccounts();
    const accounts = restart({ operatorToken: standIn.tokens.page });
    for (const because of ["token-dead", "token-dead", "needs-confirmation"] as const) {
      await accounts.markBroken("1", "operator", because);
    }
    expect(ownLines.filter((line) => line.includes("VIDEO_ACCESS_TOKEN refused"))).toHaveLength(2);
    expect(notices).toEqual([]);
  });

  it("has its token checked once a day, and at each request after a refusal", async () => {
    const { restart, standIn, clock } = await openAccounts();
    const accounts = restart({ operatorToken: standIn.tokens.page });
    const asked = () => standIn.ledger.filter(({ path }) => path.startsWith("/me")).length;
    expect(await accounts.operatorToken()).toMatchObject({ isRefused: false });
    expect(await accounts.operatorToken()).toMatchObject({ isRefused: false });
    expect(asked()).toBe(1);
    standIn.invalidateToken(standIn.tokens.page);
    expect(await accounts.operatorToken()).toMatchObject({ isRefused: false });
    await accounts.markBroken("1", "operator", "token-dead");
    expect(await accounts.operatorToken()).toMatchObject({ isRefused: true });
    expect(await accounts.operatorToken()).toMatchObject({ isRefused: true });
    expect(asked()).toBe(3);
    await clock.advance(DAY_MS);
    await accounts.operatorToken();
    expect(asked()).toBe(4);
    expect(await restart({ operatorToken: undefined }).operatorToken()).toBeUndefined();
  });
});

describe("a linked account", () => {
  it("cannot be decrypted with another key or in another server's row, and is never replaced by the operator's", async () => {
    const { accounts, restart, standIn, database } = await openAccounts();
    await accounts.link("1", standIn.tokens.page, "7");
    const key = `page:${standIn.pageId}` as const;
    const row = await database.videoAccounts.get("1");
    await database.videoAccounts.put({ ...videoAccountRecord(), ...row, guildId: "2" });
    const operatorToken = standIn.tokens.secondPage;
    const otherKey = restart({ secretBox: createSecretBox(new Uint8Array(32).fill(8)), operatorToken });
    const noKey = restart({ secretBox: undefined, operatorToken });
    for (const [life, guildId] of [
      [otherKey, "1"],
      [noKey, "1"],
      [accounts, "2"],
    ] as const) {
      await expect(life.of(guildId)).rejects.toThrow(UserError);
      // The service accepts the token, so the sentence must not blame the service.
      await expect(life.of(guildId)).rejects.toThrow(
        /^The video account “Signal Hall” can't be used. I can't read/,
      );
      expect(await life.byKey(guildId, key)).toBeUndefined();
      expect((await life.linked(guildId))?.brokenBecause).toBe("unreadable");
      await life.checkDue();
    }
    expect(await accounts.of("1")).toMatchObject({ key });
  });

  it("is encrypted again with a new key while former keys still decrypt it, and stays usable", async () => {
    const { accounts, restart, standIn, database } = await openAccounts();
    await accounts.link("1", standIn.tokens.page, "7");
    const before = (await database.videoAccounts.get("1"))?.sealedToken;
    const newKey = new Uint8Array(32).fill(8);
    const rotating = restart({ secretBox: createSecretBox(newKey, [KEY]) });
    expect(await rotating.of("1")).toMatchObject({ name: "Signal Hall" });
    expect(await rotating.reseal()).toEqual([]);
    expect((await database.videoAccounts.get("1"))?.sealedToken).not.toBe(before);
    const rotated = restart({ secretBox: createSecretBox(newKey) });
    expect(await rotated.of("1")).toMatchObject({ name: "Signal Hall" });
    // A process that has only the former key says so, and changes nothing.
    expect(await accounts.reseal()).toEqual([
      expect.stringMatching(/^SECRET_KEY doesn't decrypt the tokens of 1 of 1 linked video accounts\./),
    ]);
    // A process without any key does the same.
    expect(await restart({ secretBox: undefined }).reseal()).toEqual([
      expect.stringMatching(/^SECRET_KEY is missing, so 1 of 1 linked video accounts can't be used\./),
    ]);
    expect(await rotated.reseal()).toEqual([]);
    expect(await rotated.of("1")).toMatchObject({ name: "Signal Hall" });
  });

  it("stays usable while the key changes and other accounts are linked again and unlinked", async () => {
    const { restart, standIn, database } = await openAccounts();
    const { tokens } = standIn;
    const newKey = new Uint8Array(32).fill(8);
    const old = createSecretBox(KEY);
    const ids = Array.from({ length: 40 }, (_, index) => String(index + 1));
    for (const guildId of ids) {
      const sealedToken = old.seal(tokens.page, guildId);
      await database.videoAccounts.put(videoAccountRecord({ guildId, sealedToken }), []);
    }
    const rotating = restart({ secretBox: createSecretBox(newKey, [KEY]) });
    // The procedure for several processes in docs/hosting.md: this one still encrypts with the former key.
    const behind = restart({ secretBox: createSecretBox(KEY, [newKey]) });
    const [relinked = "", behindRelinked = "", unlinked = "", ...others] = ids;
    const using = async () => {
      for (let round = 0; round < 5; round += 1) {
        for (const process of [rotating, behind]) {
          const used = await Promise.all(others.map((guildId) => process.of(guildId)));
          expect(used.map((each) => each?.account.token)).toEqual(others.map(() => tokens.page));
        }
      }
    };
    const [sentences] = await Promise.all([
      rotating.reseal(),
      using(),
      rotating.link(relinked, tokens.secondPage, "7"),
      behind.link(behindRelinked, tokens.secondPage, "7"),
      rotating.unlink(videoAccountRecord({ guildId: unlinked }), "7"),
    ]);
    expect(sentences).toEqual([]);
    expect(await rotating.reseal()).toEqual([]);
    const rotated = restart({ secretBox: createSecretBox(newKey) });
    const after = await Promise.all(ids.map((guildId) => rotated.of(guildId)));
    expect(after.map((each) => each?.account.token)).toEqual([
      tokens.secondPage,
      tokens.secondPage,
      undefined,
      ...others.map(() => tokens.page),
    ]);
  });

  it("that is refused is marked broken, with one notice and one audit entry, but publications may still try it", async () => {
    const { accounts, standIn, notices, rules } = await openAccounts();
    await accounts.link("1", standIn.tokens.page, "7");
    const key = `page:${standIn.pageId}` as const;
    standIn.invalidateToken(standIn.tokens.page);
    await Promise.all([1, 2, 3].map(() => accounts.markBroken("1", key, "token-dead")));
    await accounts.markBroken("1", key, "needs-confirmation");
    expect(notices).toMatchObject([
      { guildId: "1", account: { name: "Signal Hall", brokenBecause: "token-dead" } },
    ]);
    expect((await accounts.linked("1"))?.brokenBecause).toBe("token-dead");
    const entries = (await rules.auditEntries("1", { limit: 9 })).filter(
      ({ act }) => act === "account-broken",
    );
    expect(entries).toMatchObject([{ actorId: undefined, note: "token-dead" }]);
    await expect(accounts.of("1")).rejects.toThrow(/no longer accepts this account.s token/);
    expect(await accounts.byKey("1", key)).toMatchObject({ key });
  });

  it("is not marked broken for a token that works, or for another account or server", async () => {
    const { accounts, standIn, notices } = await openAccounts();
    await accounts.link("1", standIn.tokens.page, "7");
    await accounts.markBroken("1", `page:${standIn.pageId}`, "token-dead");
    await accounts.markBroken("1", `page:${standIn.secondPageId}`, "permission");
    await accounts.markBroken("2", `page:${standIn.pageId}`, "permission");
    expect((await accounts.linked("1"))?.brokenBecause).toBeUndefined();
    expect(notices).toEqual([]);
    await accounts.markBroken("1", `page:${standIn.pageId}`, "permission");
    await expect(accounts.of("1")).rejects.toThrow(/token doesn't allow that/);
  });

  it("that is fixed at the service can be used again, checked at most once a minute", async () => {
    const { accounts, standIn, clock } = await openAccounts();
    const { page } = standIn.tokens;
    await accounts.link("1", page, "7");
    standIn.invalidateToken(page, 459);
    await accounts.markBroken("1", `page:${standIn.pageId}`, "needs-confirmation");
    await clock.advance(60_000);
    await expect(accounts.of("1")).rejects.toThrow(/wants the owner of this account to log in/);
    const calls = standIn.ledger.length;
    standIn.addToken({ value: page });
    await expect(accounts.of("1")).rejects.toThrow(UserError);
    expect(standIn.ledger).toHaveLength(calls);
    await clock.jump(-3_600_000);
    await clock.advance(60_000);
    expect(await accounts.of("1")).toMatchObject({ name: "Signal Hall" });
    expect((await accounts.linked("1"))?.brokenBecause).toBeUndefined();
  });

  it("that is broken stays broken while the service does not answer", async () => {
    const { accounts, standIn, clock, advanceUntil } = await openAccounts();
    await accounts.link("1", standIn.tokens.page, "7");
    await accounts.markBroken("1", `page:${standIn.pageId}`, "permission");
    await clock.advance(60_000);
    standIn.faults.add({ path: "/me", do: "unknown", times: 2 });
    await expect(advanceUntil(accounts.of("1"))).rejects.toThrow(/token doesn't allow that/);
  });

  it("is checked daily: a server is told if its account broke, and a new name or a fixed account is recorded", async () => {
    const { accounts, standIn, clock, notices, database } = await openAccounts();
    await accounts.link("1", standIn.tokens.page, "7");
    await accounts.link("2", standIn.tokens.secondPage, "7");
    const row = await database.videoAccounts.get("2");
    await database.videoAccounts.change(
      { guildId: "2", linkedAtMs: row?.linkedAtMs ?? 0 },
      { name: "Old name", brokenBecause: "token-dead" },
    );
    standIn.invalidateToken(standIn.tokens.page);
    const before = standIn.ledger.length;
    await accounts.checkDue();
    expect(standIn.ledger).toHaveLength(before);
    await clock.advance(DAY_MS + 1);
    await accounts.checkDue();
    expect(notices.map(({ guildId }) => guildId)).toEqual(["1"]);
    expect((await accounts.linked("1"))?.brokenBecause).toBe("token-dead");
    expect(await accounts.linked("2")).toMatchObject({ name: "Garden Railway", brokenBecause: undefined });
    const after = standIn.ledger.length;
    await accounts.checkDue();
    expect(standIn.ledger).toHaveLength(after);
    await clock.advance(DAY_MS + 1);
    await accounts.checkDue();
    expect(notices).toHaveLength(1);
  });

  it("whose token ends within a week causes one notice, even if the service does not answer at first", async () => {
    const { accounts, standIn, clock, advanceUntil, notices } = await openAccounts();
    const { pageId } = standIn;
    const endsAtMs = Math.floor(clock.now() / 1_000) * 1_000 + 10.02 * DAY_MS;
    const value = "EAAEndsSoon0123456789abcdef";
    standIn.addToken({ kind: "page", ownerId: pageId, value, expiresAt: endsAtMs / 1_000 });
    await accounts.link("1", value, "7");
    const checkDaily = async (days: number): Promise<void> => {
      for (let day = 0; day < days; day += 1) {
        await clock.advance(DAY_MS + 1);
        await accounts.checkDue();
        await accounts.checkDue();
      }
    };
    await checkDaily(3);
    await clock.advance(DAY_MS + 1);
    standIn.faults.add({ path: "/me", do: "unknown", times: 2 });
    await advanceUntil(accounts.checkDue());
    expect(notices).toEqual([]);
    await clock.advance(3_600_000);
    await checkDaily(5);
    expect(notices).toMatchObject([
      { guildId: "1", account: { endsAtMs, brokenBecause: undefined, name: "Signal Hall" } },
    ]);
  });

  it("is checked again after an hour if the service did not answer", async () => {
    const { accounts, standIn, clock, advanceUntil, notices } = await openAccounts();
    await accounts.link("1", standIn.tokens.page, "7");
    standIn.invalidateToken(standIn.tokens.page);
    await clock.advance(DAY_MS + 1);
    standIn.faults.add({ path: "/me", do: "unknown", times: 2 });
    await advanceUntil(accounts.checkDue());
    await accounts.checkDue();
    expect(notices).toEqual([]);
    await clock.advance(3_600_000);
    await accounts.checkDue();
    expect(notices).toHaveLength(1);
  });
});
