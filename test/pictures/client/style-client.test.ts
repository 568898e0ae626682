import { describe, expect, test } from "vitest";
import { createStyleClient } from "../../../src/pictures/client/style-client.ts";
import { ServiceError } from "../../../src/core/errors.ts";
import type { Http, HttpRequest } from "../../../src/core/http.ts";
import { createLog } from "../../../src/core/log.ts";
import { createStillClock } from "../../support/still-clock.ts";
import { JPEG, PNG, STYLE_KEY, type StubAnswer, openStyleStub } from "../../support/style-stub.ts";
import { failureOf } from "../../support/outcomes.ts";

describe("the style client", () => {
  test("sends the picture's bytes, the style and further fields as a form, with the key", async () => {
    const { server, process } = await openStyleStub(() => ({ body: PNG }), { basePath: "/proxy/art/" });
    expect(await process({ parameters: { strength: "0.4" } })).toEqual(PNG);
    const [seen] = server.seen;
    expect([seen?.method, seen?.path]).toEqual(["POST", "/proxy/art/v1/process"]);
    expect(seen?.headers.authorization).toBe(`Bearer ${STYLE_KEY}`);
    const form = await new Response(new Uint8Array(seen?.bytes ?? []), {
      headers: { "content-type": seen?.headers["content-type"] ?? "" },
    }).formData();
    const image = form.get("image");
    expect(image).toBeInstanceOf(File);
    // The expectation above has checked this.
    const file = image as File;
    expect([file.name, file.type]).toEqual(["picture.png", "image/png"]);
    expect(Buffer.from(await file.arrayBuffer())).toEqual(PNG);
    expect([form.get("style"), form.get("strength")]).toEqual(["oil", "0.4"]);
  });

  test("recognises a bare picture by its bytes, whatever the header says", async () => {
    const { process } = await openStyleStub(() => ({ body: JPEG, headers: { "content-type": "text/html" } }));
    expect(await process()).toEqual(JPEG);
  });
});

describe("the budget", () => {
  test("counts each upload before it is sent, retries included, and nothing else", async () => {
    let left = 2;
    const spend = async () => {
      if (left === 0) {
        throw new ServiceError("style", "budget-spent", "none left");
      }
      left -= 1;
    };
    const busy = { status: 503, headers: { "retry-after": "1" } };
    const { server, process, advanceUntil } = await openStyleStub(
      (request, count) =>
        request.startsWith("GET") ? { body: PNG } : count === 1 ? busy : { body: { url: "/a.png" } },
      { spend },
    );
    expect(await advanceUntil(process())).toEqual(PNG);
    expect(left).toBe(0);
    expect(server.seen).toHaveLength(3);
    expect((await failureOf(process())).kind).toBe("budget-spent");
    expect(server.seen).toHaveLength(3);
  });
});

describe("fetching a result", () => {
  const linking = (url: string, result: StubAnswer = { body: PNG }) =>
    openStyleStub((request) => (request.startsWith("POST") ? { body: { url } } : result));

  test("sends the key to a path on the service's own origin", async () => {
    const { server, process } = await linking("/outputs/a1.png?ex=1");
    expect(await process()).toEqual(PNG);
    expect(server.seen[1]?.path).toBe("/outputs/a1.png?ex=1");
    expect(server.seen[1]?.headers.authorization).toBe(`Bearer ${STYLE_KEY}`);
  });

  test.each([
    "http://127.0.0.1:1/a.png",
    "http://169.254.169.254/latest/meta-data/a.png",
    "https://169.254.169.254/a.png",
    "https://[::1]/a.png",
    "https://name-of-this-machine.example.org/a.png",
    "https://user:pass@cdn.example.org/a.png",
    "//127.0.0.1:1/a.png",
  ])("refuses %s", async (url) => {
    const { server, process, advanceUntil } = await linking(url);
    expect((await failureOf(advanceUntil(process()))).kind).toBe("unexpected-answer");
    expect(server.seen).toHaveLength(1);
  });

  test("sends no key to another origin, and uses the guard", async () => {
    const asked: HttpRequest[] = [];
    const http: Pick<Http, "request"> = {
      async request(request) {
        asked.push(request);
        const url = "https://cdn.example.net/a.png";
        return {
          status: 200,
          headers: {},
          bytes: asked.length === 1 ? Buffer.from(JSON.stringify({ url })) : PNG,
        };
      },
    };
    const client = createStyleClient({
      baseUrl: new URL("https://art.example.org/"),
      apiKey: STYLE_KEY,
      http,
      clock: createStillClock(),
      log: createLog({ level: "silent", secrets: [] }),
    });
    expect(await client.process({ image: { bytes: PNG, contentType: "image/png" }, style: "oil" })).toEqual(
      PNG,
    );
    expect(asked[0]?.headers).toHaveProperty("authorization");
    expect(asked[1]?.headers).not.toHaveProperty("authorization");
    expect(asked[1]?.guard).toEqual({ ownOrigin: "https://art.example.org" });
  });

  test("follows no redirect", async () => {
    const { server, process } = await linking("/a.png", { status: 302, headers: { location: "/b.png" } });
    expect((await failureOf(process())).kind).toBe("unexpected-answer");
    expect(server.seen).toHaveLength(2);
  });

  test.each([
    [{ body: "<!doctype html><p>Sign in" }, "unexpected-answer"],
    [{ status: 403, body: "expired" }, "unavailable"],
    [{ status: 404 }, "unavailable"],
    [{ body: Buffer.concat([PNG, Buffer.alloc(33 * 1024 * 1024)]) }, "too-large"],
  ] as const)("fails with the right kind if something else arrives (%#)", async (result, kind) => {
    const { process } = await linking("/a.png", result);
    expect((await failureOf(process())).kind).toBe(kind);
  });

  test.each([500, 503])("retries after a %i, because the picture is already made", async (status) => {
    const { process, advanceUntil } = await openStyleStub((request, count) =>
      request.startsWith("POST") ? { body: { url: "/a.png" } } : count === 1 ? { status } : { body: PNG },
    );
    expect(await advanceUntil(process())).toEqual(PNG);
  });
});

describe("a refusal", () => {
  test.each([
    [401, { message: "bad key" }, "unauthorised"],
    [403, { errors: [{ title: "API Key invalid" }] }, "unauthorised"],
    [403, { name: "content_moderation", errors: ["Your request was flagged"] }, "rejected"],
    [403, { error: "insufficient_api_credits" }, "out-of-credit"],
    [403, { error: "Your plan does not include this" }, "not-permitted"],
    [402, "", "out-of-credit"],
    [
      429,
      { error: { code: "insufficient_quota", message: "You exceeded your current quota" } },
      "out-of-credit",
    ],
    [400, { error: "image is corrupt" }, "rejected"],
    [400, { error: "Unknown style 'oil'" }, "not-found"],
    [422, { detail: [{ loc: ["style"], msg: "style must be one of a, b" }] }, "not-found"],
    [422, { detail: [{ loc: ["image"], msg: "too small" }] }, "rejected"],
    [415, "", "rejected"],
    [413, "<html>nginx</html>", "too-large"],
    [404, "<html>nginx</html>", "unexpected-answer"],
    [301, "", "unexpected-answer"],
    [500, { error: "boom" }, "unavailable"],
    [502, "<html>", "unavailable"],
    [504, "<html>", "unavailable"],
  ] as const)("with %i and %j is %s, and the picture is not sent again", async (status, body, kind) => {
    const { server, process } = await openStyleStub(() => ({ status, body }));
    const error = await failureOf(process());
    expect([error.kind, error.status]).toEqual([kind, status]);
    expect(server.seen).toHaveLength(1);
  });

  test.each([
    [{ code: 4001, data: null, msg: "credit" }, "rejected"],
    [{ error_code: 5, error_msg: "busy" }, "rejected"],
    [{ err: "no credits left" }, "out-of-credit"],
    [{ status: "failed", error: "CUDA out of memory" }, "unavailable"],
    [{ status: "failed", error: "NSFW content detected" }, "rejected"],
    [{ id: "b1", status: "Request Moderated", result: null }, "rejected"],
    [{ statusCode: 401, message: "who are you" }, "unauthorised"],
    [{ success: false, message: "unknown style" }, "not-found"],
    [{ image: PNG.toString("base64"), finish_reason: "CONTENT_FILTERED" }, "rejected"],
    [{ artifacts: [{ base64: PNG.toString("base64"), finishReason: "CONTENT_FILTERED" }] }, "rejected"],
    [{ data: { status: "rejected", url: "/a.png" } }, "rejected"],
    [{ id: 1, data: { status: "failed" } }, "unavailable"],
  ] as const)("inside a 200, %j, is %s", async (body, kind) => {
    const { server, process } = await openStyleStub(() => ({ body }));
    expect((await failureOf(process())).kind).toBe(kind);
    expect(server.seen).toHaveLength(1);
  });

  test.each([
    [{ status: 401 }, "unauthorised"],
    [{ body: { err: "no credits left" } }, "out-of-credit"],
  ] as const)("of the bot itself is remembered until a picture comes (%#)", async (refused, kind) => {
    const answers: StubAnswer[] = [refused, { status: 422 }, { body: PNG }];
    const { client, process } = await openStyleStub((_, count) => answers[count - 1] ?? {});
    expect(client.refusal()).toBeUndefined();
    await failureOf(process());
    expect(client.refusal()).toBe(kind);
    // It says nothing about the key.
    expect((await failureOf(process())).kind).toBe("rejected");
    expect(client.refusal()).toBe(kind);
    await process();
    expect(client.refusal()).toBeUndefined();
  });

  test("reveals neither the key nor an address, but the service's own words", async () => {
    const said = `Key ${STYLE_KEY}-0123456789 is bad, see https://example.org/keys`;
    const { process, lines } = await openStyleStub(() => ({ status: 401, body: { error: said } }));
    const error = await failureOf(process());
    const all = JSON.stringify([error.message, lines]);
    expect(all).not.toMatch(/SECRET|example\.org/);
    expect(all).toContain("is bad");
  });
});

describe("sending a picture again", () => {
  const twice = (status: number, answer: StubAnswer = {}) =>
    openStyleStub((_, count) => (count === 1 ? { status, ...answer } : { body: PNG }));

  test.each([429, 503])("happens after a %i, because the service did nothing", async (status) => {
    const { server, process, advanceUntil } = await twice(status);
    expect(await advanceUntil(process())).toEqual(PNG);
    expect(server.seen).toHaveLength(2);
    expect(server.seen[1]?.bytes.includes(PNG)).toBe(true);
  });

  test("happens no sooner than a 429 says", async () => {
    const { server, process, clock } = await twice(429, { headers: { "retry-after": "7" } });
    const result = process();
    await expect.poll(() => clock.waits()).toContain(7_000);
    clock.advance(6_999);
    expect(server.seen).toHaveLength(1);
    clock.advance(1);
    expect(await result).toEqual(PNG);
  });

  test.each([
    [429, { headers: { "retry-after": "60" } }, 60_000],
    [429, { headers: { "ratelimit-reset": "90" } }, 90_000],
    [429, { headers: { "x-ratelimit-reset": String(Date.UTC(2026, 10, 18, 17, 22) / 1000) } }, 120_000],
    [503, { body: { error: "loading", estimated_time: 180.5 } }, 180_500],
  ] as const)("does not happen if a %i asks for a long wait: %j", async (status, answer, retryAfterMs) => {
    const { server, process } = await twice(status, answer);
    expect((await failureOf(process())).retryAfterMs).toBe(retryAfterMs);
    expect(server.seen).toHaveLength(1);
  });

  test("ends after the third 429", async () => {
    const { server, process, advanceUntil } = await openStyleStub(() => ({ status: 429 }));
    expect((await failureOf(advanceUntil(process()))).kind).toBe("rate-limited");
    expect(server.seen).toHaveLength(3);
  });

  test("never happens after a time-out", async () => {
    const { server, process, clock } = await openStyleStub(() => "hang");
    const result = failureOf(process());
    await expect.poll(() => server.seen.length).toBe(1);
    clock.advance(65_000);
    expect((await result).kind).toBe("timeout");
    expect(server.seen).toHaveLength(1);
  });

  test("never happens after the person has cancelled", async () => {
    const { server, process, clock } = await openStyleStub(() => ({ status: 429 }));
    const stop = new AbortController();
    const result = failureOf(process({ signal: stop.signal }));
    await expect.poll(() => clock.waits()).toEqual([1_000]);
    stop.abort();
    expect((await result).kind).toBe("aborted");
    expect(server.seen).toHaveLength(1);
  });
});

describe("an answer of a wrong shape", () => {
  test.each([
    ["<!doctype html><h1>Welcome", "HTML"],
    ["Not a picture", "something else"],
    ["", "nothing"],
    [{}, "no fields"],
    [{ payload: "secret-value", "secret key": 1 }, "payload, ?"],
    [[], "a list"],
    [{ id: "a1" }, "a job without an address to ask at in the fields id"],
    [{ status: "processing" }, "a job without an address"],
    [{ data: { b64_json: "bm90IGEgcGljdHVyZSBhdCBhbGwsIG5vdCBldmVuIGNsb3Nl" } }, "data, b64_json*"],
    [{ url: "data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciLz4=" }, "url"],
  ] as const)("is described by its fields, never by their values: %j", async (body, words) => {
    const { process } = await openStyleStub(() => ({ body }));
    const error = await failureOf(process());
    expect(error.kind).toBe("unexpected-answer");
    expect(error.message).toContain(words);
    expect(error.message).not.toContain("secret");
  });
});
