import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { proveToken } from "../../../src/videos/client/account.ts";
import type { VideoFaultKind } from "../../../sandbox/video/faults.ts";
import { openVideo, sourceOf, videoBytes } from "../../support/video-stand-in.ts";
import { failureOf } from "../../support/outcomes.ts";

const SOURCE = sourceOf(videoBytes(2_000));

describe("the identity of a token", () => {
  test("is returned with its kind, permissions and expiry", async () => {
    const { client, account, standIn } = await openVideo();
    expect(await client.whoAmI(account)).toEqual({
      id: standIn.pageId,
      name: "Signal Hall",
      kind: "page",
      permissions: expect.arrayContaining(["pages_manage_posts", "read_insights"]),
      endsAtMs: 1_900_000_000_000,
    });
    expect(await client.whoAmI({ token: standIn.tokens.person })).toMatchObject({
      kind: "person",
      name: "Ada",
    });
  });

  test("is returned even if the service cannot inspect tokens", async () => {
    const { client, account, standIn } = await openVideo();
    standIn.faults.add({ path: "/debug_token", do: "permission" });
    expect(await client.whoAmI(account)).toMatchObject({
      name: "Signal Hall",
      kind: "unknown",
      permissions: undefined,
    });
  });

  test.each([
    ["expired", 463, "token-dead"],
    ["ended by a changed password", 460, "token-dead"],
    ["of a removed application", 458, "token-dead"],
    ["one whose owner must log in first", 459, "needs-confirmation"],
  ] as const)("is refused if the token is %s", async (_, because, trouble) => {
    const { client, account, standIn } = await openVideo();
    standIn.invalidateToken(account.token, because);
    expect(await failureOf(client.whoAmI(account))).toMatchObject({
      kind: "unauthorised",
      trouble,
      message: expect.stringMatching(new RegExp(`/${because}$`)),
    });
  });

  test("decides who may publish: neither a person nor a Page without the permission", async () => {
    const { client, standIn } = await openVideo();
    const { person, readOnly, expired } = standIn.tokens;
    const upload = (token: string) => failureOf(client.uploadSimple({ token }, { source: SOURCE }));
    expect(await upload(person)).toMatchObject({
      kind: "not-permitted",
      message: expect.stringContaining("200"),
    });
    expect(await upload(readOnly)).toMatchObject({ kind: "not-permitted", permission: "pages_manage_posts" });
    expect(await upload(expired)).toMatchObject({ kind: "unauthorised" });
    expect(await upload("nonsense")).toMatchObject({ kind: "unauthorised" });
    expect(standIn.videos()).toEqual([]);
  });

  test("is proved with the application's secret, which does not fit another application's token", async () => {
    // Case 2 of RFC 4231.
    expect(proveToken("what do ya want for nothing?", "Jefe")).toBe(
      "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
    );
    const { client, account, standIn } = await openVideo({
      needsProof: true,
      appSecret: "sandbox-video-secret-0123456789abcdef",
    });
    expect((await client.whoAmI(account)).kind).toBe("page");
    expect((await failureOf(client.whoAmI({ token: standIn.tokens.otherApp }))).kind).toBe("rejected");
    const without = await openVideo({ needsProof: true });
    expect((await failureOf(without.client.whoAmI(without.account))).kind).toBe("rejected");
  });
});

describe("limits", () => {
  test("make calls wait when they are nearly used up", async () => {
    const { client, account, standIn, clock, advanceUntil } = await openVideo();
    standIn.faults.add({ path: "/me/videos", do: "usage-high" });
    await client.list(account);
    const from = clock.now();
    await advanceUntil(client.list(account));
    expect(clock.now() - from).toBeGreaterThanOrEqual(2_500);
    // The usage that was reported then no longer counts.
    await clock.advance(11 * 60_000);
    const later = clock.now();
    await client.list(account);
    expect(clock.now()).toBe(later);
  });

  test("block an account for as long as the service says, and no other account", async () => {
    const { client, account, standIn, clock } = await openVideo();
    standIn.faults.add({ path: "/me/videos", do: "throttled" });
    expect((await failureOf(client.list(account))).kind).toBe("rate-limited");
    const error = await failureOf(client.list(account));
    expect(error).toMatchObject({ kind: "rate-limited", retryAfterMs: 11 * 60_000 });
    expect(standIn.ledger).toHaveLength(1);
    await client.list({ token: standIn.tokens.secondPage });
    await clock.jump(86_400_000);
    expect(await failureOf(client.list(account))).toMatchObject({ retryAfterMs: 11 * 60_000 });
    await clock.jump(-2 * 86_400_000);
    await clock.advance(11 * 60_000);
    await client.list(account);
    expect(standIn.ledger).toHaveLength(3);
  });

  test("block an account for longer each time if the service gives no time", async () => {
    const { client, account, standIn, clock } = await openVideo();
    standIn.faults.add({ path: "/me/videos", do: "app-throttled", times: 5 });
    const waits: (number | undefined)[] = [];
    for (let at = 0; at < 5; at += 1) {
      await failureOf(client.list(account));
      const { retryAfterMs } = await failureOf(client.list(account));
      waits.push((retryAfterMs ?? 0) / 60_000);
      await clock.advance(retryAfterMs ?? 0);
    }
    expect(waits).toEqual([5, 10, 20, 40, 60]);
    await client.list(account);
    expect(standIn.ledger).toHaveLength(6);
  });
});

describe("a refusal", () => {
  test.each([
    ["blocked", "rate-limited", "blocked"],
    ["checkpoint", "unauthorised", "needs-confirmation"],
    ["format", "rejected", "format"],
    ["too-large", "too-large", "too-large"],
    ["content", "rejected", "content"],
    ["duplicate", "rejected", "duplicate"],
    ["gone", "not-found", "gone"],
    ["transient", "outcome-unknown", undefined],
    ["unknown", "outcome-unknown", undefined],
  ] as const satisfies readonly (readonly [VideoFaultKind, string, string | undefined])[])(
    "of an upload with the fault %s is %s",
    async (kind, expected, trouble) => {
      const { client, account, standIn } = await openVideo();
      standIn.faults.add({ path: "/me/videos/simple", do: kind });
      const error = await failureOf(client.uploadSimple(account, { source: SOURCE }));
      expect(error).toMatchObject({ kind: expected, ...(trouble && { trouble }) });
      expect(error.requestId).toBe("AFault");
    },
  );

  test("contains the service's sentence for people, the HTTP status and the error code", async () => {
    const { client, account, standIn } = await openVideo();
    standIn.faults.add({ path: "/me/videos/simple", do: "format" });
    expect(await failureOf(client.uploadSimple(account, { source: SOURCE }))).toMatchObject({
      wordsForPeople: "The video you tried to upload is in a format that is not supported.",
      status: 400,
      message: "video: rejected: upload: answered 400, error 352",
    });
  });
});

test("an API version that has ended is logged once", async () => {
  const { client, account, lines } = await openVideo({ version: "v20.0" });
  await client.list(account);
  await client.list(account);
  const logged = lines.filter((line) => line.includes("other API version served"));
  expect(logged).toEqual([expect.stringContaining('"served":"v21.0"')]);
});

test("no error or log line contains a token, proof or secret, whatever goes wrong", async () => {
  const appSecret = "sandbox-video-secret-0123456789abcdef";
  const { client, account, standIn, lines, advanceUntil } = await openVideo({ appSecret, tokenIn: "field" });
  const errors: unknown[] = [];
  const collectError = (asking: Promise<unknown>) =>
    advanceUntil(asking.catch((error: unknown) => errors.push(error)));
  const kinds = [
    "drop",
    "drop-after",
    "500",
    "html",
    "malformed",
    "truncated",
    "token-expired",
    "permission",
  ] as const;
  for (const kind of kinds) {
    standIn.faults.add({ path: /./, do: kind, times: 2 });
    await collectError(client.list(account));
    standIn.faults.clear();
    standIn.faults.add({ path: /./, do: kind, times: 2 });
    await collectError(client.uploadSimple(account, { source: SOURCE }));
    standIn.faults.clear();
    standIn.faults.add({ path: /./, do: kind, times: 4 });
    await collectError(client.whoAmI(account));
    standIn.faults.clear();
  }
  // The service repeats an unknown token in its answer.
  const nonsense = "EAAnonsense0123456789";
  await collectError(client.list({ token: nonsense }));
  await collectError(client.list({ token: standIn.tokens.otherApp }));
  expect(errors.length).toBeGreaterThan(20);
  const all = inspect(errors, { depth: Number.POSITIVE_INFINITY, showHidden: true }) + lines.join("");
  for (const secret of [
    account.token,
    nonsense,
    standIn.tokens.otherApp,
    appSecret,
    proveToken(account.token, appSecret),
  ]) {
    expect(all).not.toContain(secret);
  }
  expect(all).not.toContain("access_token");
});
