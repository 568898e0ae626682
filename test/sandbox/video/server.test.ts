import { describe, expect, onTestFinished, test } from "vitest";
import { createSandboxClock, type SandboxClock } from "../../../sandbox/clock/clock.ts";
import {
  startVideoStandIn,
  type VideoStandIn,
  type VideoStandInOptions,
} from "../../../sandbox/video/server.ts";

interface Open {
  readonly standIn: VideoStandIn;
  readonly clock: SandboxClock;
  readonly unknown: string[];
  /** Sends a request with the page's token, to a path below the version. */
  readonly ask: (
    path: string,
    init?: RequestInit,
  ) => Promise<{ readonly status: number; readonly body: unknown; readonly headers: Headers }>;
  /** Publishes a video and returns its id. */
  readonly publish: (fields?: Readonly<Record<string, string>>) => Promise<string>;
}

async function openStandIn(options: Partial<VideoStandInOptions> = {}): Promise<Open> {
  const clock = createSandboxClock({ atMs: Date.parse("2026-11-18T17:20:00Z"), mode: "still" });
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
      // The stand-in's answer has this type.
      return (body as { id: string }).id;
    },
  };
}

function form(fields: Readonly<Record<string, string>>, name = "a.mp4"): FormData {
  const data = new FormData();
  // The file comes first, because fields may have any order.
  data.set("source", new File([new Uint8Array(5_000)], name, { type: "video/mp4" }));
  Object.entries(fields).forEach(([field, value]) => data.set(field, value));
  return data;
}

const post = (fields: Readonly<Record<string, string>>): RequestInit => ({
  method: "POST",
  body: new URLSearchParams(fields),
});

describe("the video stand-in", () => {
  test("publishes a video once it is processed, and not before", async () => {
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

  test("lists uploaded videos only if asked for them, with the token in the next page's link", async () => {
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

  test("changes a title by the field `name`, and ignores `title`", async () => {
    const { ask, publish, standIn } = await openStandIn();
    const id = await publish({ title: "One" });
    await ask(`/${id}`, post({ title: "Two" }));
    expect(standIn.videos()[0]?.title).toBe("One");
    await ask(`/${id}`, post({ name: "Two" }));
    expect(standIn.videos()[0]?.title).toBe("Two");
  });

  test("refuses unknown fields, metrics, file types and ids, each with its code", async () => {
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

  test("schedules only unpublished videos, from ten minutes to 30 days ahead", async () => {
    const { ask, clock, standIn } = await openStandIn();
    const at = (minutes: number) => String(clock.now() / 1000 + minutes * 60);
    const upload = async (fields: Readonly<Record<string, string>>) =>
      (await ask("/me/videos", { method: "POST", body: form(fields) })).status;
    expect(await upload({ scheduled_publish_time: at(60) })).toBe(400);
    expect(await upload({ scheduled_publish_time: at(9), published: "false" })).toBe(400);
    expect(await upload({ scheduled_publish_time: at(11), published: "false" })).toBe(200);
    expect(await upload({ scheduled_publish_time: at(30 * 1_440), published: "false" })).toBe(200);
    expect(await upload({ scheduled_publish_time: at(31 * 1_440), published: "false" })).toBe(400);
    expect(await upload({ scheduled_publish_time: "tomorrow", published: "false" })).toBe(400);
    expect(standIn.videos()).toHaveLength(2);
  });

  test("refuses texts that are too long, and changes nothing for empty ones", async () => {
    const { ask, publish, standIn } = await openStandIn();
    const upload = async (fields: Readonly<Record<string, string>>) =>
      (await ask("/me/videos", { method: "POST", body: form(fields) })).status;
    expect(await upload({ title: "x".repeat(256) })).toBe(400);
    expect(await upload({ description: "x".repeat(63_207) })).toBe(400);
    const id = await publish({ title: "x".repeat(255) });
    expect((await ask(`/${id}`, post({ name: "x".repeat(256) }))).status).toBe(400);
    expect((await ask(`/${id}`, post({ name: "", description: "" }))).status).toBe(200);
    expect(standIn.videos()).toMatchObject([{ title: "x".repeat(255) }]);
  });

  test("allows each action only to a page's token with the right permission", async () => {
    const { ask, publish, standIn } = await openStandIn();
    const id = await publish();
    const { person, readOnly } = standIn.tokens;
    const refusalOf = async (token: string, path: string, init?: RequestInit) => {
      await ask(path, { ...init, headers: { authorization: `Bearer ${token}` } });
      return standIn.ledger.at(-1)?.error;
    };
    const acts = [
      [`/${id}`, post({ name: "Mine" })],
      [`/${id}`, { method: "DELETE" }],
      [`/${id}/comments`, post({ message: "Hello" })],
      [`/${id}/video_insights`, undefined],
    ] as const;
    for (const [path, init] of acts) {
      expect([path, await refusalOf(person, path, init)]).toEqual([path, "190/2069032"]);
      expect([path, await refusalOf(readOnly, path, init)]).toEqual([path, "200"]);
    }
    expect(await refusalOf(readOnly, `/${id}/comments`)).toBe("10");
    expect(await refusalOf(readOnly, `/${id}?fields=title`)).toBeUndefined();
    const { value: nothing } = standIn.addToken({ value: "EAANothing", scopes: ["pages_show_list"] });
    for (const path of [`/${id}?fields=title`, "/me/videos", "/me/published_posts"]) {
      expect([path, await refusalOf(nothing, path)]).toEqual([path, "10"]);
    }
  });

  test("accepts the specification's permissions too", async () => {
    const { ask, standIn } = await openStandIn();
    const { value } = standIn.addToken({ value: "EAAOld", scopes: ["video_upload", "user_videos"] });
    const asOld = { headers: { authorization: `Bearer ${value}` } };
    const { status, body } = await ask("/me/videos", { ...asOld, method: "POST", body: form({}) });
    expect(status).toBe(200);
    // The stand-in's answer has this type.
    const { id } = body as { id: string };
    for (const path of [`/${id}?fields=title`, `/${id}/comments`, `/${id}/video_insights`]) {
      expect((await ask(path, asOld)).status).toBe(200);
    }
    expect((await ask(`/${id}`, { ...asOld, ...post({ name: "Old" }), ...asOld })).status).toBe(200);
  });

  test("refuses upload phases in the wrong order", async () => {
    const { ask, standIn } = await openStandIn();
    const phase = async (fields: Readonly<Record<string, string>>) =>
      await ask("/me/videos", post(fields)).then(() => standIn.ledger.at(-1)?.error);
    expect(await phase({ upload_phase: "finish", upload_session_id: "1" })).toBe("6001/1363020");
    expect(await phase({ upload_phase: "start" })).toBe("100");
    expect(await phase({ upload_phase: "begin" })).toBe("100");
    expect(await phase({ upload_phase: "start", file_size: "5000", file_url: "https://a.example/" })).toBe(
      "100",
    );
    expect(await phase({ upload_phase: "start", file_size: "10" })).toBe("6000/1363022");
    expect(await phase({ upload_phase: "start", file_size: "5000" })).toBeUndefined();
    const upload_session_id = standIn.sessions()[0]?.id ?? "";
    expect(await phase({ upload_phase: "finish", upload_session_id })).toBe("6000/1363045");
    expect(await phase({ upload_phase: "transfer", upload_session_id, start_offset: "0" })).toBe("100");
    expect(await phase({ upload_phase: "cancel", upload_session_id })).toBeUndefined();
    expect(await phase({ upload_phase: "finish", upload_session_id })).toBe("6001/1363020");
    expect(standIn.videos()).toEqual([]);
  });

  test("marks every answer as a stand-in's", async () => {
    const { ask, standIn } = await openStandIn();
    for (const path of ["/me", "/me/live_videos", "/1"]) {
      expect((await ask(path)).headers.get("x-signalbox-stand-in")).toBe("video");
    }
    expect(await (await fetch(standIn.baseUrl)).text()).toContain("stand-in");
  });

  test("lists videos by their posts, even if it denies lists of videos", async () => {
    const { ask, publish, clock } = await openStandIn({ deniesVideoLists: true });
    const id = await publish({ title: "One", description: "The first" });
    await publish({ published: "false" });
    await clock.advance(60_000);
    expect((await ask("/me/videos?type=uploaded")).body).toMatchObject({
      error: { code: 200, error_subcode: 2069030 },
    });
    const fields = "id,message,permalink_url,attachments{media_type,target{id}}";
    expect((await ask(`/me/published_posts?fields=${fields}`)).body).toMatchObject({
      data: [
        {
          id: expect.stringMatching(/^\d+_\d+$/),
          message: "One\nThe first",
          attachments: { data: [{ media_type: "video", target: { id } }] },
        },
      ],
    });
    expect((await ask("/me/published_posts?limit=many")).status).toBe(400);
  });

  test("gives its numbers as text, and accepts exactly the bytes that it asked for", async () => {
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
    const { expired } = standIn.tokens;
    expect((await ask("/me?fields=id,name")).body).toEqual({ id: standIn.pageId, name: "Signal Hall" });
    expect((await ask(`/debug_token?input_token=${expired}`)).body).toMatchObject({
      data: { is_valid: false },
    });
    expect((await fetch(`${standIn.baseUrl}/v26.0/me`)).status).toBe(400);
    expect(JSON.stringify(standIn.ledger)).not.toMatch(/EAASandbox/);
  });

  test("serves an expired version silently as the oldest supported one", async () => {
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

  test("reports requests that it does not serve", async () => {
    const { ask, unknown } = await openStandIn();
    expect((await ask("/me/live_videos")).status).toBe(404);
    expect(unknown).toEqual(["The video stand-in does not serve GET /v26.0/me/live_videos"]);
  });
});

test("the video stand-in gives the same ids for the same actions", async () => {
  const [first, second] = await Promise.all([openStandIn(), openStandIn()]);
  const id = await first.publish();
  expect(await second.publish()).toBe(id);
  expect(Number.isSafeInteger(Number(id))).toBe(false);
});
