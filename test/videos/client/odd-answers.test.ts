// Unexpected answers lead to true values, absent values or a ServiceError.
import type { IncomingMessage, ServerResponse } from "node:http";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseExactJson } from "../../../src/videos/client/read-values.ts";
import type { Video } from "../../../src/videos/client/read-video.ts";
import type { Clock } from "../../../src/core/clock.ts";
import { ServiceError } from "../../../src/core/errors.ts";
import { createStillClock } from "../../support/still-clock.ts";
import { openVideoStub } from "../../support/video-stub.ts";
import { sourceOf, videoBytes } from "../../support/video-stand-in.ts";
import { cases } from "../../support/cases.ts";
import { failureOf } from "../../support/outcomes.ts";

const ACCOUNT = { token: "EAAtoken" };

interface Answer {
  readonly body: string;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The longest wait that passes at once, in milliseconds; time limits are longer. */
const SHORT_WAIT_MS = 5_000;

/** Opens a client of a server with the given answers. The client's short waits pass at once. */
async function openOdd(answer: (request: IncomingMessage) => Answer) {
  const still = createStillClock();
  const clock: Clock = {
    ...still,
    after(delayMs, callback) {
      const cancel = still.after(delayMs, callback);
      if (delayMs <= SHORT_WAIT_MS) {
        setImmediate(() => still.advance(delayMs));
      }
      return cancel;
    },
  };
  const listen = (request: IncomingMessage, response: ServerResponse): void => {
    const { body, status = 200, headers = {} } = answer(request);
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(body);
  };
  return { ...(await openVideoStub(listen, { clock, version: "v26.0" })), clock };
}

function json(value: unknown): Answer {
  return { body: JSON.stringify(value) };
}

function queryOf(request: IncomingMessage): URLSearchParams {
  return new URL(request.url ?? "", "http://127.0.0.1").searchParams;
}

describe("ids", () => {
  test("that arrive as numbers keep every digit", async () => {
    const { client } = await openOdd(({ method, url = "" }) => ({
      body:
        method === "POST"
          ? `{"id":10203040506070817}`
          : url.includes("/comments")
            ? `{"data":[{"id":10203040506070811,"parent":{"id":10203040506070813}}]}`
            : url.includes("/videos")
              ? `{"data":[{"id":10203040506070809,"from":{"id":10203040506070811}},{"id":7}]}`
              : `{"id": 10203040506070809 , "post_id":-0, "from":{"id":10203040506070811}}`,
    }));
    expect(await client.read(ACCOUNT, "1")).toMatchObject({
      id: "10203040506070809",
      ownerId: "10203040506070811",
    });
    expect((await client.list(ACCOUNT)).items.map(({ id }) => id)).toEqual(["10203040506070809", "7"]);
    expect((await client.listComments(ACCOUNT, "1")).items).toMatchObject([
      { id: "10203040506070811", parentId: "10203040506070813" },
    ]);
    const source = sourceOf(videoBytes(2_000));
    expect(await client.uploadSimple(ACCOUNT, { source })).toBe("10203040506070817");
  });

  test("of any length are parsed exactly", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 25n }), (id) => {
        const read = parseExactJson(`[{"id":${id}}]`);
        // The shape of the text above.
        const [entry] = read as [{ id: unknown }];
        expect(String(entry.id)).toBe(String(id));
      }),
    );
    expect(parseExactJson(`{"a":1e300,"b":0.5,"c":"1","d":-1,"e":null}`)).toEqual({
      a: 1e300,
      b: 0.5,
      c: "1",
      d: -1,
      e: null,
    });
  });

  test("that would change a path are ignored", async () => {
    const entries = [{ id: "1/comments?x=" }, { id: "" }, { id: null }, {}, { id: "2" }, "x", null];
    const { client } = await openOdd(() => json({ data: entries }));
    expect((await client.list(ACCOUNT)).items.map(({ id }) => id)).toEqual(["2"]);
    expect((await client.listComments(ACCOUNT, "1")).items.map(({ id }) => id)).toEqual(["2"]);
  });
});

describe("values", () => {
  test("that are invalid are absent", async () => {
    const { client } = await openOdd(() =>
      json({
        id: "1",
        title: 5,
        description: ["x"],
        created_time: 1e300,
        updated_time: "soon, in 5 days",
        scheduled_publish_time: "1780000000",
        length: -3,
        views: 0.5,
        likes: { summary: { total_count: 1e300 } },
        comments: { summary: { total_count: "12" } },
        permalink_url: `/reel/1/?access_token=EAAtoken`,
        status: { video_status: "processing", processing_progress: 4_000 },
      }),
    );
    expect(await client.read(ACCOUNT, "1")).toEqual({
      id: "1",
      title: undefined,
      description: undefined,
      createdAtMs: undefined,
      publishAtMs: 1_780_000_000_000,
      lengthSeconds: undefined,
      views: undefined,
      likes: undefined,
      comments: 12,
      shares: undefined,
      link: undefined,
      ownerId: undefined,
      postId: undefined,
      status: { stage: "processing", percent: 100, problem: undefined },
    });
  });

  test("of statistics that are invalid do not affect the others", async () => {
    const { client } = await openOdd((request) =>
      json({
        data: [
          { name: "total_video_views", values: [{ value: "120" }] },
          { name: "total_video_15s_views", values: [{ value: -4 }] },
          { name: "total_video_complete_views", values: null },
          { name: 5, values: [{ value: 1 }] },
          { name: "total_video_views_by_country_id", values: [{ value: { GB: 3, FR: null, DE: 1e300 } }] },
          null,
        ].filter(() => queryOf(request).get("metric")?.startsWith("total_video_views,")),
      }),
    );
    const { counts, breakdowns, gone } = await client.insights(ACCOUNT, "1");
    expect(Object.fromEntries(counts)).toEqual({ total_video_views: 120 });
    expect(Object.fromEntries(breakdowns)).toEqual({ total_video_views_by_country_id: { GB: 3 } });
    expect(gone).toEqual([]);
  });

  test("of statistics may be empty maps, also those of a Reel, whose own metrics are then requested", async () => {
    const { client } = await openOdd((request) => {
      const names = queryOf(request).get("metric")?.split(",") ?? [];
      return json({
        data: names.map((name) => ({ name, values: [{ value: name.startsWith("blue_") ? 42 : {} }] })),
      });
    });
    const { counts, breakdowns, gone } = await client.insights(ACCOUNT, "1");
    expect(Object.fromEntries(counts)).toEqual({ blue_reels_play_count: 42 });
    expect([breakdowns.size, gone]).toEqual([0, []]);
  });

  test("of a token that are invalid do not affect the others", async () => {
    const { client } = await openOdd(({ url = "" }) =>
      url.includes("debug_token")
        ? json({ data: { type: "PAGE", scopes: ["read_insights", 5], expires_at: 1e300, is_valid: "yes" } })
        : json({ id: "1" }),
    );
    expect(await client.whoAmI(ACCOUNT)).toEqual({
      id: "1",
      name: undefined,
      kind: "page",
      permissions: ["read_insights"],
      endsAtMs: undefined,
    });
  });
});

describe("pages", () => {
  const cursors = (after: string) => ({ cursors: { after }, next: "https://example.org/?after=x" });

  test("that are empty but not the last are skipped", async () => {
    const { client, server } = await openOdd((request) => {
      const at = Number(queryOf(request).get("after") ?? 0);
      return json({ data: at < 3 ? [] : [{ id: "9" }], paging: at < 5 ? cursors(String(at + 1)) : {} });
    });
    expect(await client.list(ACCOUNT)).toMatchObject({ items: [{ id: "9" }], after: "4" });
    expect(server.seen).toHaveLength(4);
    expect((await client.listComments(ACCOUNT, "1")).items).toMatchObject([{ id: "9" }]);
  });

  test.each([
    ["leads to the same page", () => "A"],
    ["never ends", (at: number) => `A${at}`],
  ])("whose cursor %s end, empty or not", async (_, cursorOf) => {
    const filled = { isFilled: false };
    let at = 0;
    const { client, server } = await openOdd(() =>
      json({ data: filled.isFilled ? [{ id: "1" }] : [], paging: cursors(cursorOf((at += 1))) }),
    );
    expect((await client.list(ACCOUNT)).items).toEqual([]);
    expect(server.seen.length).toBeLessThan(8);
    filled.isFilled = true;
    const { after } = await client.list(ACCOUNT, "A");
    expect(after === undefined || after !== "A").toBe(true);
  });

  test("larger than requested are cut, so that a message can show them", async () => {
    const data = Array.from({ length: 400 }, (_, at) => ({ id: String(at + 1) }));
    const { client } = await openOdd(() => json({ data }));
    expect((await client.list(ACCOUNT)).items).toHaveLength(25);
    expect((await client.listComments(ACCOUNT, "1")).items).toHaveLength(10);
  });
});

describe("limits", () => {
  test.each([
    ["x-app-usage", "null"],
    ["x-app-usage", "[1,2]"],
    ["x-app-usage", `{"call_count":"much","total_time":null}`],
    ["x-business-use-case-usage", `{"1":7,"2":null}`],
    ["x-page-usage", `"91"`],
    ["retry-after", "later"],
  ])("in an invalid header are ignored: %s: %s", async (name, value) => {
    const { client, clock } = await openOdd(() => ({ ...json({ id: "1" }), headers: { [name]: value } }));
    await client.status(ACCOUNT, "1");
    await client.status(ACCOUNT, "1");
    expect(clock.now()).toBe(createStillClock().now());
  });

  test("are found beside invalid ones, and reported at once", async () => {
    const usage = { "1": 7, "2": [{ call_count: 100, estimated_time_to_regain_access: 11 }] };
    const { client } = await openOdd(() => ({
      ...json({ error: { code: 32 } }),
      status: 400,
      headers: { "x-business-use-case-usage": JSON.stringify(usage) },
    }));
    const first = await failureOf(client.status(ACCOUNT, "1"));
    expect(first).toMatchObject({ kind: "rate-limited", retryAfterMs: 11 * 60_000 });
  });

  test.each([
    { "retry-after": "9".repeat(30) },
    { "x-business-use-case-usage": `{"1":[{"estimated_time_to_regain_access":9007199254740991}]}` },
  ])("of %j last for a day at most", async (headers) => {
    const { client } = await openOdd(() => ({ ...json({ error: { code: 4 } }), status: 400, headers }));
    const error = await failureOf(client.status(ACCOUNT, "1"));
    expect(error.retryAfterMs).toBe(24 * 3_600_000);
  });
});

describe("refusals", () => {
  test.each<[string, number, string, string]>([
    ["without a code", 400, `{"error":{"message":"no"}}`, "rejected"],
    ["that are a word", 200, `{"error":"invalid_token"}`, "rejected"],
    ["with an unknown code", 400, `{"error":{"code":987654}}`, "rejected"],
    [
      "that are transient, with an unknown code",
      400,
      `{"error":{"code":987654,"is_transient":true}}`,
      "unavailable",
    ],
    ["whose code is a text", 400, `{"error":{"code":"190"}}`, "unauthorised"],
    ["whose code is not a number", 401, `{"error":{"code":[190]}}`, "unauthorised"],
    ["of the application", 400, `{"error":{"code":3}}`, "rejected"],
    ["of a field that no longer exists", 400, `{"error":{"code":200,"error_subcode":2069031}}`, "rejected"],
    ["of a person's token", 400, `{"error":{"code":190,"error_subcode":2069032}}`, "not-permitted"],
    ["in HTML", 500, "<!doctype html><h1>Sorry</h1>", "unavailable"],
    ["in HTML that says 400", 400, "<!doctype html><h1>Sorry</h1>", "unexpected-answer"],
    ["in HTML that says 200", 200, "<!doctype html><h1>Sorry</h1>", "unexpected-answer"],
    ["that are empty", 200, "", "unexpected-answer"],
    ["deeper than any stack", 200, "[".repeat(100_000) + "]".repeat(100_000), "unexpected-answer"],
  ])("%s (%i) are %s", async (_, status, body, kind) => {
    const { client } = await openOdd(() => ({ body, status }));
    expect((await failureOf(client.insights(ACCOUNT, "1"))).kind).toBe(kind);
  });

  test("of one field remove only the counts", async () => {
    const seen: (string | null)[] = [];
    const { client } = await openOdd((request) => {
      const fields = queryOf(request).get("fields");
      seen.push(fields);
      return fields?.includes("likes")
        ? { body: `{"error":{"code":10,"message":"pages_read_user_content"}}`, status: 400 }
        : json({ id: "1", title: "Opening day" });
    });
    expect(await client.read(ACCOUNT, "1")).toMatchObject({ title: "Opening day", likes: undefined });
    expect(seen).toHaveLength(2);
  });
});

test.each([
  [`{"success":true}`, "done"],
  [`{"id":10203040506070809,"name":"x"}`, "done"],
  ["true", "done"],
  ["null", "done"],
  [`{"success":"no"}`, "done"],
  [`{"success":false}`, "rejected"],
  ["", "outcome-unknown"],
  [`{"error":{"code":1}}`, "outcome-unknown"],
  [`{"error":{"code":100,"error_subcode":33}}`, "not-found"],
])("a write with the answer %s is %s, and is sent once", async (body, expected) => {
  const { client, server } = await openOdd(() => ({ body }));
  const writes = [
    client.update(ACCOUNT, "1", { title: "x" }),
    client.delete(ACCOUNT, "1"),
    client.editComment(ACCOUNT, "1_2", "x"),
    client.hideComment(ACCOUNT, "1_2", true),
    client.deleteComment(ACCOUNT, "1_2"),
  ];
  const outcomeOf = (write: Promise<unknown>) =>
    write.then(
      () => "done",
      (error: unknown) => (error instanceof ServiceError ? error.kind : error),
    );
  expect(new Set(await Promise.all(writes.map(outcomeOf)))).toEqual(new Set([expected]));
  expect(server.seen).toHaveLength(writes.length);
});

/** Names of fields that the service uses; `oddValue` fills them with values that none of them should have. */
const field = fc.constantFrom(
  "id",
  "title",
  "description",
  "created_time",
  "updated_time",
  "scheduled_publish_time",
  "length",
  "views",
  "post_id",
  "permalink_url",
  "from",
  "comments",
  "likes",
  "summary",
  "total_count",
  "status",
  "video_status",
  "processing_progress",
  "publishing_phase",
  "publish_status",
  "errors",
  "message",
  "shares",
  "count",
  "data",
  "paging",
  "next",
  "cursors",
  "after",
  "parent",
  "comment_count",
  "is_hidden",
  "name",
  "values",
  "value",
  "error",
  "code",
);
const oddValue = fc
  .letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 5 },
      fc.constantFrom(
        "null",
        "true",
        "0",
        "-1",
        "0.5",
        "1e300",
        "-1e300",
        "10203040506070809",
        "99999999999999999999",
      ),
      fc
        .constantFrom(
          "",
          "1",
          "ready",
          "published",
          "new word",
          "http://[",
          "2026-03-04T17:20:00+0000",
          "\ud800",
          "1".repeat(900),
        )
        .map((text) => JSON.stringify(text)),
      fc.array(tie("value"), { maxLength: 3 }).map((entries) => `[${entries.join()}]`),
      fc
        .array(fc.tuple(field, tie("value")), { maxLength: 8 })
        .map((entries) => `{${entries.map(([name, value]) => `"${name}":${String(value)}`).join()}}`),
    ),
  }))
  .value.map(String);

function checkVideo(video: Video): void {
  expect(video.id).toMatch(/^[\w-]{1,100}$/);
  for (const atMs of [video.createdAtMs, video.publishAtMs]) {
    expect(atMs === undefined || Number.isFinite(new Date(atMs).getTime())).toBe(true);
  }
  for (const count of [video.views, video.comments, video.likes, video.shares]) {
    expect(count === undefined || (Number.isSafeInteger(count) && count >= 0)).toBe(true);
  }
  expect(video.link === undefined || URL.canParse(video.link)).toBe(true);
  expect(video.status.percent ?? 0).toBeLessThanOrEqual(100);
}

test("values from any answer can be shown and stored", { timeout: 60_000 }, async () => {
  const next = { body: "" };
  const { client } = await openOdd(() => next);
  const valueOrUndefined = async <T>(asking: Promise<T>): Promise<T | undefined> =>
    asking.catch((error: unknown) => {
      if (error instanceof ServiceError) {
        return undefined;
      }
      throw error;
    });
  await fc.assert(
    fc.asyncProperty(oddValue, fc.boolean(), async (value, isEntry) => {
      next.body = isEntry
        ? `{"data":[{"id":1},${value}],"id":"1"}`
        : `{"id":"1","x":${value}${value.startsWith("{") && value.length > 2 ? `,${value.slice(1, -1)}` : ""}}`;
      const [video, list, comments, insights] = await Promise.all([
        valueOrUndefined(client.read(ACCOUNT, "1", { withShares: true })),
        valueOrUndefined(client.list(ACCOUNT)),
        valueOrUndefined(client.listComments(ACCOUNT, "1")),
        valueOrUndefined(client.insights(ACCOUNT, "1")),
      ]);
      [...(video ? [video] : []), ...(list?.items ?? [])].forEach(checkVideo);
      for (const { id, createdAtMs = 0, replies, likes } of comments?.items ?? []) {
        expect(id).toMatch(/^[\w-]{1,100}$/);
        expect([createdAtMs, replies, likes].every(Number.isSafeInteger)).toBe(true);
      }
      const numbers = [...(insights?.counts.values() ?? [])];
      expect(numbers.every((number) => number >= 0 && number <= Number.MAX_SAFE_INTEGER)).toBe(true);
    }),
    { numRuns: cases(150) },
  );
});
