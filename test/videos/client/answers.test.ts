import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type VideoStage, videoSchemaOf } from "../../../src/videos/client/read-video.ts";
import { findRefusal } from "../../../src/videos/client/refusal.ts";
import { readWindow } from "../../../src/videos/client/upload-session.ts";
import { readUsage } from "../../../src/videos/client/rate-limiter.ts";
import { nameVideo } from "../../../src/videos/client/video-source.ts";
import { ServiceError } from "../../../src/core/errors.ts";
import { openVideoStub } from "../../support/video-stub.ts";
import { sourceOf, videoBytes } from "../../support/video-stand-in.ts";
import { cases } from "../../support/cases.ts";
import { failureOf } from "../../support/outcomes.ts";

const ACCOUNT = { token: "token" };

const readVideo = (fields: object) =>
  videoSchemaOf(new URL("https://graph.example.org/api")).parse({ id: "1", ...fields });

/** Opens a client of a server that gives every request the same answer. */
function openStub(body: unknown, status = 200) {
  return openVideoStub(
    (_, response) => {
      response.writeHead(status, { "content-type": "application/json" });
      response.end(typeof body === "string" ? body : JSON.stringify(body));
    },
    { path: "/proxy/" },
  );
}

describe("a service that follows only the specification", () => {
  test("is called at its own path, and may answer with any JSON document", async () => {
    const { client, server } = await openStub({ result: "stored" });
    const upload = { source: sourceOf(videoBytes(2_000)), title: "A", description: "" };
    expect(await client.uploadSimple(ACCOUNT, upload)).toBeUndefined();
    const [seen] = server.seen;
    expect([seen?.method, seen?.path]).toEqual(["POST", "/proxy/v3.1/me/videos"]);
    expect(seen?.headers.authorization).toBe("Bearer token");
    const form = await new Response(new Uint8Array(seen?.bytes ?? []), {
      headers: { "content-type": seen?.headers["content-type"] ?? "" },
    }).formData();
    // Empty fields are left out.
    expect([...form.keys()]).toEqual(["title", "source"]);
  });

  test.each([
    [400, { message: "no" }, "rejected"],
    [401, "", "unauthorised"],
    [403, "<html>", "not-permitted"],
    [404, "<html>", "not-found"],
    [413, "<html>", "too-large"],
    [429, "", "rate-limited"],
    [302, "", "outcome-unknown"],
    [502, "<html>", "outcome-unknown"],
    [200, { error: { message: "no" } }, "rejected"],
    [200, { error: { code: 190 } }, "unauthorised"],
  ])("may refuse with %i %j: %s", async (status, body, kind) => {
    const { client, server } = await openStub(body, status);
    const error = await failureOf(client.uploadSimple(ACCOUNT, { source: sourceOf(videoBytes(2_000)) }));
    expect(error.kind).toBe(kind);
    expect(server.seen).toHaveLength(1);
  });
});

test(
  "every method returns a value or throws a ServiceError, whatever JSON arrives",
  { timeout: 60_000 },
  async () => {
    const answer: { body: unknown } = { body: undefined };
    const { client } = await openVideoStub((_, response) => response.end(JSON.stringify(answer.body)), {
      tokenIn: "field",
    });
    const names = [
      "id",
      "data",
      "paging",
      "cursors",
      "after",
      "next",
      "summary",
      "status",
      "published",
      "length",
      "permalink_url",
      "from",
      "values",
      "value",
      "name",
      "upload_session_id",
      "start_offset",
      "success",
    ];
    const json = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom(null, true, 0, -1, 1e300, "", "1", "http://[", "/x", "2026-03-04T17:20:00+0000"),
        fc.array(tie("value"), { maxLength: 3 }),
        fc.dictionary(fc.constantFrom(...names), tie("value"), { maxKeys: 5 }),
      ),
    })).value;
    await fc.assert(
      fc.asyncProperty(json, async (body) => {
        answer.body = body;
        const session = { sessionId: "1", videoId: undefined, sizeBytes: 5, next: "done" } as const;
        const results = await Promise.allSettled([
          client.read(ACCOUNT, "1", { withShares: true }),
          client.status(ACCOUNT, "1"),
          client.list(ACCOUNT),
          client.listComments(ACCOUNT, "1"),
          client.addComment(ACCOUNT, "1", "x"),
          client.insights(ACCOUNT, "1"),
          client.whoAmI(ACCOUNT),
          client.startUpload(ACCOUNT, 5),
          client.finishUpload(ACCOUNT, session, {}),
          client.update(ACCOUNT, "1", { title: "x" }),
        ]);
        const bugs = results.filter(
          (one) => one.status === "rejected" && !(one.reason instanceof ServiceError),
        );
        expect(bugs).toEqual([]);
      }),
      { numRuns: cases(60) },
    );
  },
);

describe("the next window of an upload", () => {
  test.each([
    [
      { start_offset: 0, end_offset: 2_000 },
      { startByte: 0, endByte: 2_000 },
    ],
    [{ start_offset: 10_000, end_offset: 10_000 }, "done"],
    [{ start_offset: 12_000 }, "done"],
    [{ success: true }, "done"],
    [{ start_offset: 3_000 }, { startByte: 3_000, endByte: undefined }],
  ])("of %j is %j", (answer, expected) => {
    expect(readWindow(answer, 10_000)).toEqual(expected);
  });

  test.each([
    {},
    { start_offset: 5, end_offset: 5 },
    { start_offset: 5, end_offset: 2 },
    { start_offset: 0.5 },
  ])("of %j is refused", (answer) => {
    expect(() => readWindow(answer, 10_000)).toThrow(ServiceError);
  });
});

test.each<[object, VideoStage]>([
  [{}, "processing"],
  [{ status: { video_status: "ready" }, published: false }, "processing"],
  [{ status: { video_status: "ready" }, published: true }, "published"],
  [{ published: true }, "published"],
  [{ status: { video_status: "processing" }, published: true }, "processing"],
  [{ status: { video_status: "something new" } }, "processing"],
  [{ status: { video_status: "upload_complete" } }, "uploading"],
  [{ status: { video_status: "uploading" } }, "uploading"],
  [{ status: { video_status: "upload_failed" } }, "failed"],
  [{ status: { video_status: "error" } }, "failed"],
  [{ status: { video_status: "expired" } }, "expired"],
  [{ status: { video_status: "processing", processing_phase: { status: "error" } } }, "failed"],
  [{ status: { video_status: "ready", publishing_phase: { publish_status: "draft" } } }, "draft"],
  [{ status: { video_status: "ready", publishing_phase: { publish_status: "scheduled" } } }, "scheduled"],
  [{ status: { video_status: "ready", publishing_phase: { publish_status: "error" } } }, "failed"],
  [{ status: { video_status: "ready", publishing_phase: { status: "complete" } } }, "published"],
  [{ status: { video_status: "ready", publishing_phase: { status: "completed" } } }, "published"],
  [{ status: "odd", published: "odd" }, "processing"],
])("a video with %j is %s", (body, stage) => {
  expect(readVideo(body).status.stage).toBe(stage);
});

test.each([
  ["/reel/1/", "https://www.example.org/reel/1/"],
  ["https://www.example.org/reel/1/", "https://www.example.org/reel/1/"],
  ["javascript:alert(1)", undefined],
  ["http://elsewhere.example.org/", undefined],
  ["https://me:pass@www.example.org/", undefined],
  ["", undefined],
])("the permalink %j becomes the link %j", (permalink, link) => {
  expect(readVideo({ permalink_url: permalink }).link).toBe(link);
});

test("times are parsed in the service's format and as seconds", () => {
  const read = (time: unknown) => readVideo({ created_time: time }).createdAtMs;
  expect(read("2026-03-04T17:20:00+0000")).toBe(Date.parse("2026-03-04T17:20:00Z"));
  expect(read("2026-03-04T17:20:00+0130")).toBe(Date.parse("2026-03-04T15:50:00Z"));
  expect(read(1_780_000_000)).toBe(1_780_000_000_000);
  expect(read("soon")).toBeUndefined();
});

test("a refusal says where to resume, in any form, and its text contains nothing that could be a key", () => {
  const refuse = (error: object) =>
    findRefusal({ status: 400, headers: {}, bytes: Buffer.from(JSON.stringify({ error })) }, "transfer", 0);
  const offset = { code: 6001, error_subcode: 1363037, is_transient: false };
  const place = { start_offset: 2_097_152, end_offset: "6291456" };
  const resumeAt = { startByte: 2_097_152, endByte: 6_291_456 };
  expect(refuse({ ...offset, error_data: place })).toMatchObject({ trouble: "offset", resumeAt });
  expect(refuse({ ...offset, error_data: JSON.stringify(place) })).toMatchObject({ resumeAt });
  expect(refuse({ ...offset, error_data: "nonsense" })).toMatchObject({
    trouble: "offset",
    resumeAt: undefined,
  });
  const wordsForPeople = "See https://example.org/x EAAB0123456789012345678901234567890123456789\nsoon";
  expect(refuse({ code: 100, error_user_msg: wordsForPeople })?.wordsForPeople).toBe("See … … soon");
  expect(refuse({ code: 6000, error_subcode: 999, is_transient: true })).toMatchObject({
    kind: "unavailable",
  });
});

test("usage is the highest of all reported values", () => {
  expect(readUsage({})).toBeUndefined();
  expect(readUsage({ "x-app-usage": "not json" })).toBeUndefined();
  const counts = { call_count: 12, total_time: 91, total_cputime: 8 };
  expect(readUsage({ "x-app-usage": JSON.stringify(counts) })).toEqual({ usedPercent: 91, regainMs: 0 });
  const business = { "1": [{ ...counts, call_count: 100, estimated_time_to_regain_access: 11 }], "2": [] };
  expect(
    readUsage({
      "x-page-usage": JSON.stringify(counts),
      "x-business-use-case-usage": JSON.stringify(business),
    }),
  ).toEqual({ usedPercent: 100, regainMs: 660_000 });
  const aMoment = JSON.stringify({ "1": [{ ...counts, estimated_time_to_regain_access: 0.000_02 }] });
  expect(readUsage({ "x-business-use-case-usage": aMoment })).toMatchObject({ regainMs: 2 });
});

test.each([
  ["Holiday in Whitby.MOV", "video/quicktime", "video.mov"],
  ["clip", "video/quicktime", "video.mov"],
  ["clip", "application/octet-stream", "video.mp4"],
  ["clip.exe", "video/mp4", "video.mp4"],
  ["a.b.webm", "video/webm", "video.webm"],
])("%j of type %s is uploaded as %s", (fileName, contentType, expected) => {
  expect(nameVideo({ fileName, contentType })).toBe(expected);
});
