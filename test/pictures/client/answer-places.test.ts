import { describe, expect, test } from "vitest";
import type { AnswerPlaces } from "../../../src/pictures/client/answer-places.ts";
import { createStyleClient, type StyleRequest } from "../../../src/pictures/client/style-client.ts";
import type { HttpAnswer, HttpRequest } from "../../../src/core/http.ts";
import { createLog } from "../../../src/core/log.ts";
import { createStillClock } from "../../support/still-clock.ts";
import { PNG, STYLE_KEY, openStyleStub } from "../../support/style-stub.ts";

const INLINE = PNG.toString("base64");

describe("a place that the catalogue names", () => {
  test("is the only place that is read", async () => {
    const places = { picture: "final[1].file" };
    const body = { url: "/preview.png", final: [{ file: "/preview.png" }, { file: INLINE }] };
    const named = await openStyleStub(() => ({ body }), { places });
    expect(Buffer.from(await named.process())).toEqual(PNG);
    const missing = await openStyleStub(() => ({ body: { url: "/preview.png" } }), { places });
    await expect(missing.process()).rejects.toThrow(/no picture in the fields url/);
  });

  test("gives a job's addresses, built from its id below the base URL", async () => {
    const places = {
      job: "task.ref",
      poll: "/v1/tasks/{id}",
      result: "/v1/tasks/{id}/file",
      progress: "task.done",
    };
    const states: Parameters<NonNullable<StyleRequest["onWorking"]>>[0][] = [];
    const { server, process, advanceUntil } = await openStyleStub(
      (request, count) => {
        if (request.endsWith("/process")) {
          return { body: { id: "other", task: { ref: "a/1", done: 0.1 } } };
        }
        if (request.endsWith("/file")) {
          return { body: PNG };
        }
        return { body: { task: { ref: "a/1", done: 30 * count }, status: count === 1 ? "running" : "done" } };
      },
      { basePath: "/art", places },
    );
    const onWorking: StyleRequest["onWorking"] = (state) => states.push(state);
    expect(Buffer.from(await advanceUntil(process({ onWorking })))).toEqual(PNG);
    expect(server.seen.slice(1).map(({ path }) => path)).toEqual([
      "/art/v1/tasks/a%2F1",
      "/art/v1/tasks/a%2F1",
      "/art/v1/tasks/a%2F1/file",
    ]);
    expect(states.map(({ share }) => share)).toEqual([0.1, 0.3]);
  });

  test("can say that a picture was filtered", async () => {
    const body = { url: "/a.png", checks: { unsafe: true } };
    const { process } = await openStyleStub(() => ({ body }), { places: { filtered: "checks.unsafe" } });
    await expect(process()).rejects.toMatchObject({ kind: "rejected" });
  });
});

describe("a job on another host", () => {
  const QUEUE = "https://queue.example.net";

  /** Returns the requests, to the service's own host and another one, for a job that is cancelled while it runs. */
  async function follow(places: AnswerPlaces): Promise<readonly HttpRequest[]> {
    const asked: HttpRequest[] = [];
    const stop = new AbortController();
    const client = createStyleClient({
      baseUrl: new URL("https://art.example.org/"),
      apiKey: STYLE_KEY,
      places,
      http: {
        async request(request): Promise<HttpAnswer> {
          asked.push(request);
          if (asked.length === 2) {
            stop.abort();
          }
          const body = { id: 1, status: "running", urls: { get: `${QUEUE}/1`, cancel: `${QUEUE}/1/cancel` } };
          return { status: 200, headers: {}, bytes: Buffer.from(JSON.stringify(body)) };
        },
      },
      // Timers run at once.
      clock: {
        ...createStillClock(),
        after: (_, callback) => clearImmediate.bind(undefined, setImmediate(callback)),
      },
      log: createLog({ level: "silent", secrets: [] }),
    });
    const image = { bytes: PNG, contentType: "image/png" };
    const error: unknown = await client
      .process({ image, style: "oil", signal: stop.signal })
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ kind: "aborted" });
    return asked;
  }

  test("is polled with the guard and without the key, and is not cancelled", async () => {
    const [sent, polled, ...others] = await follow({});
    expect(sent?.headers).toHaveProperty("authorization");
    expect([polled?.url.href, polled?.guard]).toEqual([
      `${QUEUE}/1`,
      { ownOrigin: "https://art.example.org" },
    ]);
    expect(polled?.headers).not.toHaveProperty("authorization");
    expect(others).toEqual([]);
  });

  test("gets the key if the catalogue names that host", async () => {
    const [, polled, cancelled] = await follow({ keyHosts: ["queue.example.net"] });
    expect(polled?.headers).toHaveProperty("authorization");
    expect([cancelled?.method, cancelled?.url.href]).toEqual(["POST", `${QUEUE}/1/cancel`]);
    expect(cancelled?.headers).toHaveProperty("authorization");
  });
});
