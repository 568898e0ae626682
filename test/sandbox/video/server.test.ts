import { describe, expect, onTestFinished, test } from "vitest";
import { createTurnedClock, type TurnedClock } from "../../../sandbox/clock.ts";
import {
  startVideoStandIn,
  type VideoStandIn,
  type VideoStandInOptions,
} from "../../../sandbox/video/server.ts";

interface Open {
  readonly standIn: VideoStandIn;
  readonly clock: TurnedClock;
  readonly unknown: string[];
  /** Asks as the page, below the version. */
  readonly ask: (
    path: string,
    init?: RequestInit,
  ) => Promise<{ readonly status: number; readonly body: unknown; readonly headers: Headers }>;
  /** Publishes a video and gives its id. */
  readonly publish: (fields?: Readonly<Record<string, string>>) => Promise<string>;
}

async function openStandIn(options: Partial<VideoStandInOptions> = {}): Promise<Open> {
  const clock = createTurnedClock({ atMs: Date.parse("2026-11-18T17:20:00Z"), mode: "still" });
  const unknown: string[] = [];
  const standIn = await startVideoStandIn({
    clock,
    onUnknown: (sentence) => unknown.push(sentence),
    ...options,
  });
  onTestFinished(async () => {
    await standIn.close();
    clock.stop();
  });
  const ask: Open["ask"] = async (path, init = {}) => {
    const headers = new Headers(init.headers);
    headers.set("authorization", headers.get("authorization") ?? `Bearer ${standIn.tokens.page}`);
    const answer = await fetch(`${standIn.baseUrl}/v26.0${path}`, { ...init, headers });
    return { status: answer.status, body: await answer.json(), headers: answer.headers };
  };
  return {
    standIn,
    clock,
    unknown,
    ask,
    async publish(fields = {}) {
      const { body } = await ask("/me/videos", { method: "POST", body: form(fields) });
      // What the stand-in answers.
      return (body as { id: string }).id;
    },
  };
}

function form(fields: Readonly<Record<string, string>>, name = "a.mp4"): FormData {
  const data = new FormData();
  // The file first: fields may come in any order.
  data.set("source", new File([new Uint8Array(5_000)], name, { type: "video/mp4" }));
  Object.entries(fields).forEach(([field, value]) => data.set(field, value));
  return data;
}

const post = (fields: Readonly<Record<string, string>>): RequestInit => ({
  method: "POST",
  body: new URLSearchParams(fields),
});

describe("the video stand-in, as the service", () => {
  test("publishes when processing is over, and not before", async () => {
    const { ask, publish, clock, standIn } = await openStandIn();
    const id = await publish({ title: "A & B <i>", access_token: standIn.tokens.page });
    const status = async () => (await ask(`/${id}?fields=status,published`)).body;
    expect(await status()).toMatchObject({ status: { video_status: "processing" }, published: false, id });
    expect((await fetch(`${standIn.baseUrl}/reel/${id}/`)).status).toBe(404);
    await clock.advance(8_000);
    expect(await status()).toMatchObject({ status: { video_status: "ready" }, published: true });
    expect(await (await fetch(`${standIn.baseUrl}/reel/${id}/`)).text()).toContain("A &amp; B &lt;i&gt;");
    const part = await fetch(`${standIn.baseUrl}/media/${id}.mp4`, { headers: { range: "bytes=10-19" } });
    expect([part.status, part.headers.get("content-range")]).toEqual([206, "bytes 10-19/5000"]);
  });

  test("lists what was uploaded only when asked for that, with the token in the next page's link", async () => {
    const { ask, publish, standIn } = await openStandIn();
    const ids = [await publish(), await publish()];
    expect((await ask("/me/videos")).body).toEqual({ data: [] });
    const { body } = await ask("/me/videos?type=uploaded&limit=1");
    expect(body).toEqual({
      data: [{ updated_time: "2026-11-18T17:20:00+0000", id: ids[1] }],
      paging: {
        cursors: { before: expect.any(String), after: expect.any(String) },
        next: expect.stringContaining(`access_token=${standIn.tokens.page}`),
      },
    });
    expect(await ask("/me/videos?type=uploaded&after=nonsense")).toMatchObject({ status: 400 });
  });

  test("calls the title `name` when it is changed, and passes `title` over", async () => {
    const { ask, publish, standIn } = await openStandIn();
    const id = await publish({ title: "One" });
    await ask(`/${id}`, post({ title: "Two" }));
    expect(standIn.videos()[0]?.title).toBe("One");
    await ask(`/${id}`, post({ name: "Two" }));
    expect(standIn.videos()[0]?.title).toBe("Two");
  });

  test("refuses fields, metrics and names of files that it does not know, each in its code", async () => {
    const { ask, publish, standIn } = await openStandIn();
    const id = await publish();
    const error = async (path: string, init?: RequestInit) => (await ask(path, init)).body;
    expect(await error(`/${id}?fields=shares`)).toMatchObject({
      error: { code: 100, message: expect.stringContaining("nonexisting field (shares)") },
    });
    expect(
      await error(`/${id}/video_insights?metric=total_video_views,total_video_impressions`),
    ).toMatchObject({
      error: { code: 100, message: expect.stringContaining("metric[1]") },
    });
    expect(await error("/me/videos", { method: "POST", body: form({}, "video") })).toMatchObject({
      error: { code: 352 },
    });
    expect(await error("/1?fields=id")).toMatchObject({
      error: { code: 100, error_subcode: 33, fbtrace_id: expect.any(String) },
    });
    expect(standIn.ledger.map(({ error: code }) => code)).toEqual([undefined, "100", "100", "352", "100/33"]);
  });

  test("has a schedule only for what is not published, from ten minutes on", async () => {
    const { ask, clock, standIn } = await openStandIn();
    const at = (minutes: number) => String(clock.now() / 1000 + minutes * 60);
    const upload = async (fields: Readonly<Record<string, string>>) =>
      (await ask("/me/videos", { method: "POST", body: form(fields) })).status;
    expect(await upload({ scheduled_publish_time: at(60) })).toBe(400);
    expect(await upload({ scheduled_publish_time: at(9), published: "false" })).toBe(400);
    expect(await upload({ scheduled_publish_time: at(11), published: "false" })).toBe(200);
    expect(standIn.videos()).toHaveLength(1);
  });

  test("says its numbers as texts, and wants exactly what it asked for", async () => {
    const { ask, standIn } = await openStandIn({ windowBytes: () => 2_000 });
    const begun = await ask("/me/videos", post({ upload_phase: "start", file_size: "5000" }));
    expect(begun.body).toEqual({
      upload_session_id: expect.any(String),
      video_id: expect.any(String),
      start_offset: "0",
      end_offset: "2000",
    });
    const [session] = standIn.sessions();
    const piece = (sizeBytes: number, start: number) => {
      const data = new FormData();
      data.set("upload_phase", "transfer");
      data.set("upload_session_id", session?.id ?? "");
      data.set("start_offset", String(start));
      data.set("video_file_chunk", new File([new Uint8Array(sizeBytes)], "a.mp4"));
      return ask("/me/videos", { method: "POST", body: data });
    };
    expect((await piece(2_001, 0)).status).toBe(400);
    expect((await piece(2_000, 0)).body).toEqual({ start_offset: "2000", end_offset: "4000" });
    const again = await piece(2_000, 0);
    expect(again.body).toMatchObject({ error: { code: 6001, error_subcode: 1363037, is_transient: false } });
    const early = post({ upload_phase: "finish", upload_session_id: session?.id ?? "" });
    expect((await ask("/me/videos", early)).body).toMatchObject({
      error: { code: 6000, error_subcode: 1363045 },
    });
    expect(standIn.ledger.map(({ path }) => path.split("/").at(-1))).toEqual([
      "start",
      "transfer",
      "transfer",
      "transfer",
      "finish",
    ]);
    expect(standIn.videos()).toEqual([]);
  });

  test("forgets an upload that is not finished within a day", async () => {
    const { ask, clock, standIn } = await openStandIn();
    await ask("/me/videos", post({ upload_phase: "start", file_size: "5000" }));
    const [session] = standIn.sessions();
    await clock.advance(25 * 3_600_000);
    expect((await ask(`/${session?.videoId}?fields=status`)).body).toMatchObject({
      status: { video_status: "expired" },
    });
    const end = post({ upload_phase: "finish", upload_session_id: session?.id ?? "" });
    expect((await ask("/me/videos", end)).body).toMatchObject({
      error: { code: 6001, error_subcode: 1363020 },
    });
  });

  test("knows pages, people and tokens", async () => {
    const { ask, standIn } = await openStandIn();
    const { person, expired } = standIn.tokens;
    const asPerson = { headers: { authorization: `OAuth ${person}` } };
    expect((await ask("/me?fields=id,name")).body).toEqual({ id: standIn.pageId, name: "Signal Hall" });
    expect((await ask("/me/accounts", asPerson)).body).toMatchObject({
      data: [
        { id: standIn.pageId, access_token: standIn.tokens.page },
        expect.not.objectContaining({ access_token: expect.anything() }),
      ],
    });
    expect((await ask("/me/permissions")).status).toBe(400);
    expect((await ask(`/debug_token?input_token=${expired}`)).body).toMatchObject({
      data: { is_valid: false },
    });
    expect((await fetch(`${standIn.baseUrl}/v26.0/me`)).status).toBe(400);
    expect(JSON.stringify(standIn.ledger)).not.toMatch(/EAASandbox/);
  });

  test("serves a version that has ended by the oldest that lives, without a word", async () => {
    const { standIn, clock } = await openStandIn();
    const served = async (version: string) =>
      (await fetch(`${standIn.baseUrl}/${version}/me?access_token=${standIn.tokens.page}`)).headers.get(
        "facebook-api-version",
      );
    expect(await served("v26.0")).toBe("v26.0");
    expect(await served("v20.0")).toBe("v21.0");
    await clock.set(Date.parse("2027-06-01T00:00:00Z"));
    expect(await served("v20.0")).toBe("v23.0");
    expect(await served("v99.0")).toBeNull();
  });

  test("is loud about what it does not serve", async () => {
    const { ask, unknown } = await openStandIn();
    expect((await ask("/me/live_videos")).status).toBe(404);
    expect(unknown).toEqual(["The video stand-in does not serve GET /v26.0/me/live_videos"]);
  });
});

test("the same acts give the same ids", async () => {
  const [first, second] = await Promise.all([openStandIn(), openStandIn()]);
  const id = await first.publish();
  expect(await second.publish()).toBe(id);
  expect(Number.isSafeInteger(Number(id))).toBe(false);
});
