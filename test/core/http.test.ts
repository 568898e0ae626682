import { getEventListeners, once } from "node:events";
import { type Socket, createServer } from "node:net";
import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import { type OnTestFinishedHandler, describe, expect, onTestFinished, test } from "vitest";
import { UserError } from "../../src/core/errors.ts";
import { createHttp, type Http, type HttpBody, type HttpRequest } from "../../src/core/http.ts";
import { createLog } from "../../src/core/log.ts";
import { createStillClock } from "../support/still-clock.ts";
import { type StubServer, startStub } from "../support/stub-server.ts";
import { listen } from "../../sandbox/http/listen.ts";

function jsonBody(value: unknown): HttpBody {
  const content = new TextEncoder().encode(JSON.stringify(value));
  return () => ({ headers: { "content-type": "application/json" }, content });
}

interface Line {
  readonly level: string;
  readonly [name: string]: unknown;
}

function openDoor() {
  const clock = createStillClock();
  const lines: string[] = [];
  const log = createLog({ level: "debug", secrets: [], destination: { write: (line) => lines.push(line) } });
  const http: Http = createHttp({ clock, log, random: () => 1 });
  const finish: OnTestFinishedHandler = () => http.close();
  onTestFinished(finish);
  const logged = (): Line[] => lines.map((line) => JSON.parse(line));
  return { clock, http, lines, logged };
}

function requestTo(url: URL, more: Partial<HttpRequest> = {}): HttpRequest {
  return {
    service: "transport",
    verb: "liveBoard",
    method: "GET",
    url,
    timeoutMs: 5_000,
    maxBytes: 10_000,
    ...more,
  };
}

const WRITES = ["POST", "PUT", "PATCH", "DELETE"] as const;

describe("an answer", () => {
  test("comes back with its status, headers and bytes", async () => {
    await using stub = await startStub((_request, response) => {
      response.writeHead(404, { "X-Request-Id": "r-1", "Set-Cookie": ["a=1", "b=2"] }).end("no such station");
    });
    const { http } = openDoor();
    const answer = await http.request(
      requestTo(new URL("/v3?app_key=k", stub.url), { headers: { "x-me": "signalbox" } }),
    );
    expect(answer.status).toBe(404);
    expect(answer.headers).toMatchObject({ "x-request-id": "r-1", "set-cookie": "a=1, b=2" });
    expect(Buffer.from(answer.bytes).toString()).toBe("no such station");
    expect(stub.seen).toMatchObject([
      { method: "GET", path: "/v3?app_key=k", headers: { "x-me": "signalbox", "accept-encoding": "gzip" } },
    ]);
  });

  test("may be a redirect: it is not followed", async () => {
    await using elsewhere = await startStub((_request, response) => response.end("you should not be here"));
    await using stub = await startStub((_request, response) => {
      response.writeHead(302, { location: elsewhere.url.href }).end();
    });
    const { http } = openDoor();
    await expect(http.request(requestTo(stub.url))).resolves.toMatchObject({ status: 302 });
    expect(elsewhere.seen).toEqual([]);
  });

  test("may be empty", async () => {
    await using stub = await startStub((_request, response) => response.writeHead(204).end());
    const { http } = openDoor();
    await expect(http.request(requestTo(stub.url))).resolves.toMatchObject({
      status: 204,
      bytes: Buffer.alloc(0),
    });
  });

  test("answers a body of JSON", async () => {
    await using stub = await startStub((_request, response) => response.end());
    const { http } = openDoor();
    await http.request(requestTo(stub.url, { method: "POST", body: jsonBody({ station: "Łódź" }) }));
    expect(stub.seen[0]?.headers["content-type"]).toBe("application/json");
    expect(JSON.parse(String(stub.seen[0]?.bytes))).toEqual({ station: "Łódź" });
  });
});

describe("bytes", () => {
  async function serve(bytes: Buffer, encoding?: string): Promise<StubServer> {
    const stub = await startStub((_request, response) => {
      response.writeHead(200, encoding ? { "content-encoding": encoding } : {}).end(bytes);
    });
    onTestFinished(() => stub[Symbol.asyncDispose]());
    return stub;
  }

  test("are gunzipped", async () => {
    const { http } = openDoor();
    const stub = await serve(gzipSync("x".repeat(10_000)), "GZIP");
    const { bytes } = await http.request(requestTo(stub.url));
    expect(Buffer.from(bytes).toString()).toBe("x".repeat(10_000));
  });

  test("may be exactly as many as allowed, and not one more", async () => {
    const { http } = openDoor();
    const stub = await serve(Buffer.alloc(1_000, "x"));
    await expect(http.request(requestTo(stub.url, { maxBytes: 1_000 }))).resolves.toMatchObject({
      status: 200,
    });
    await expect(http.request(requestTo(stub.url, { maxBytes: 999 }))).rejects.toMatchObject({
      kind: "too-large",
      status: 200,
    });
    expect(stub.seen).toHaveLength(2);
  });

  test("of a small gzip that unpacks to a lot stop at the limit", async () => {
    const bomb = gzipSync(Buffer.alloc(10_000_000));
    expect(bomb.byteLength).toBeLessThan(10_000);
    const { http } = openDoor();
    const stub = await serve(bomb, "gzip");
    await expect(http.request(requestTo(stub.url, { maxBytes: 20_000 }))).rejects.toMatchObject({
      kind: "too-large",
    });
  });

  test("are counted on the wire as well", async () => {
    const { http } = openDoor();
    // Stored, not compressed: the gzip is larger than what it holds.
    const stub = await serve(gzipSync(Buffer.alloc(1_000, "x"), { level: 0 }), "gzip");
    await expect(http.request(requestTo(stub.url, { maxBytes: 1_000 }))).rejects.toMatchObject({
      kind: "too-large",
    });
  });

  test("without end are not waited for", async () => {
    await using stub = await startStub((_request, response) => {
      Readable.from(endless()).pipe(response);
    });
    const { http } = openDoor();
    await expect(http.request(requestTo(stub.url))).rejects.toMatchObject({ kind: "too-large" });
  });

  test.each([
    ["broken gzip", Buffer.from("not gzip at all"), "gzip"],
    ["half a gzip", gzipSync("x".repeat(10_000)).subarray(0, 30), "gzip"],
    ["a coding that was not asked for", Buffer.from("x"), "br"],
  ])("of %s are an unexpected answer, and not asked for again", async (_what, bytes, encoding) => {
    const { http } = openDoor();
    const stub = await serve(bytes, encoding);
    await expect(http.request(requestTo(stub.url))).rejects.toMatchObject({ kind: "unexpected-answer" });
    expect(stub.seen).toHaveLength(1);
  });
});

describe("time", () => {
  test("runs out for a service that does not answer", async () => {
    await using stub = await startStub(() => {});
    const { http, clock } = openDoor();
    const asked = http.request(requestTo(stub.url));
    await expect.poll(() => stub.seen.length).toBe(1);
    clock.advance(5_000);
    await expect(asked).rejects.toMatchObject({ kind: "timeout", service: "transport" });
    expect(stub.seen).toHaveLength(1);
    expect(clock.waits()).toEqual([]);
  });

  test("runs out for an answer that begins and never ends", async () => {
    await using stub = await startStub((_request, response) => response.writeHead(200).write("{"));
    const { http, clock, logged } = openDoor();
    const asked = http.request(requestTo(stub.url));
    await expect.poll(() => stub.seen.length).toBe(1);
    clock.advance(4_999);
    expect(logged()).toEqual([]);
    clock.advance(1);
    await expect(asked).rejects.toMatchObject({ kind: "timeout" });
  });

  test("is no longer watched once the answer is here", async () => {
    await using stub = await startStub((_request, response) => response.end());
    const { http, clock } = openDoor();
    await http.request(requestTo(stub.url));
    expect(clock.waits()).toEqual([]);
  });

  test("runs out for a machine that never takes the connection, and nothing was sent", async () => {
    const { http, clock } = openDoor();
    // A full backlog cannot be had reliably; a TLS server that never shakes hands is the same to us.
    await using silent = await startSilentServer();
    const asked = http.request(requestTo(new URL(`https://127.0.0.1:${silent.port}`), { method: "POST" }));
    await expect.poll(() => silent.sockets.length).toBe(1);
    clock.advance(5_000);
    await expect(asked).rejects.toMatchObject({
      kind: "timeout",
      message: expect.stringContaining("5000 ms"),
    });
  });
});

describe("giving up", () => {
  test("is aborted, and not tried again", async () => {
    await using stub = await startStub(() => {});
    const { http, clock } = openDoor();
    const controller = new AbortController();
    const asked = http.request(requestTo(stub.url, { signal: controller.signal }));
    await expect.poll(() => stub.seen.length).toBe(1);
    controller.abort();
    await expect(asked).rejects.toMatchObject({ kind: "aborted" });
    expect(clock.waits()).toEqual([]);
    expect(stub.seen).toHaveLength(1);
  });

  test("beforehand sends nothing", async () => {
    await using stub = await startStub((_request, response) => response.end());
    const { http } = openDoor();
    const asked = http.request(requestTo(stub.url, { signal: AbortSignal.abort() }));
    await expect(asked).rejects.toMatchObject({ kind: "aborted" });
    expect(stub.connections()).toBe(0);
  });

  test("leaves nothing behind on a signal that outlives many requests", async () => {
    await using stub = await startStub((_request, response) => response.end());
    const { http } = openDoor();
    const { signal } = new AbortController();
    const warnings: Error[] = [];
    const onWarning = (warning: Error): void => void warnings.push(warning);
    process.on("warning", onWarning);
    onTestFinished(() => void process.off("warning", onWarning));
    await Promise.all(Array.from({ length: 50 }, () => http.request(requestTo(stub.url))));
    await Promise.all(Array.from({ length: 50 }, () => http.request(requestTo(stub.url, { signal }))));
    expect(warnings).toEqual([]);
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });

  test("ends the wait before the next attempt", async () => {
    await using stub = await startStub((_request, response) => response.writeHead(503).end());
    const { http, clock } = openDoor();
    const controller = new AbortController();
    const asked = http.request(requestTo(stub.url, { signal: controller.signal }));
    await expect.poll(() => clock.waits()).toEqual([250]);
    controller.abort();
    await expect(asked).rejects.toMatchObject({ kind: "aborted" });
    expect(clock.waits()).toEqual([]);
  });

  test("happens to everything under way when the door closes", async () => {
    await using stub = await startStub(() => {});
    const { http } = openDoor();
    const asked = http.request(requestTo(stub.url, { method: "POST" }));
    await expect.poll(() => stub.seen.length).toBe(1);
    await Promise.all([expect(asked).rejects.toMatchObject({ kind: "aborted" }), http.close()]);
    await expect(http.request(requestTo(stub.url))).rejects.toMatchObject({ kind: "aborted" });
  });
});

describe("trying again", () => {
  test("waits longer each time, three attempts in all, then hands back the answer", async () => {
    await using stub = await startStub((_request, response) => response.writeHead(503).end("busy"));
    const { http, clock } = openDoor();
    const asked = http.request(requestTo(stub.url));
    await expect.poll(() => clock.waits()).toEqual([250]);
    clock.advance(250);
    await expect.poll(() => clock.waits()).toEqual([500]);
    clock.advance(500);
    await expect(asked).resolves.toMatchObject({ status: 503, bytes: Buffer.from("busy") });
    expect(stub.seen).toHaveLength(3);
  });

  test("leaves up to half of the wait to chance", async () => {
    await using stub = await startStub((_request, response) => response.writeHead(502).end());
    const { clock } = openDoor();
    const log = createLog({ level: "silent", secrets: [] });
    const http = createHttp({ clock, log, random: () => 0 });
    onTestFinished(() => http.close());
    const asked = http.request(requestTo(stub.url, { retries: 1 }));
    await expect.poll(() => clock.waits()).toEqual([125]);
    clock.advance(125);
    await expect(asked).resolves.toMatchObject({ status: 502 });
  });

  test("happens after a connection that broke", async () => {
    let broken = 0;
    await using stub = await startStub((_request, response) => {
      if (broken++ === 0) {
        response.destroy();
      } else {
        response.end("well");
      }
    });
    const { http, clock } = openDoor();
    const asked = http.request(requestTo(stub.url));
    await expect.poll(() => clock.waits()).toEqual([250]);
    clock.advance(250);
    await expect(asked).resolves.toMatchObject({ status: 200 });
  });

  test("waits as long as a 429 says", async () => {
    const answers = [{ "retry-after": "3" }, { "retry-after": "Wed, 18 Nov 2026 17:20:07 GMT" }];
    await using stub = await startStub((_request, response) => {
      const headers = answers.shift();
      response.writeHead(headers ? 429 : 200, headers).end();
    });
    const { http, clock } = openDoor();
    const asked = http.request(requestTo(stub.url));
    await expect.poll(() => clock.waits()).toEqual([3_000]);
    clock.advance(3_000);
    await expect.poll(() => clock.waits()).toEqual([4_000]);
    clock.advance(4_000);
    await expect(asked).resolves.toMatchObject({ status: 200 });
  });

  test("is left to the caller when the service asks for a longer rest than allowed", async () => {
    await using stub = await startStub((_request, response) => {
      response.writeHead(429, { "retry-after": "6" }).end();
    });
    const { http } = openDoor();
    await expect(http.request(requestTo(stub.url))).resolves.toMatchObject({
      status: 429,
      headers: { "retry-after": "6" },
    });
    expect(stub.seen).toHaveLength(1);
  });

  test.each([200, 301, 400, 401, 403, 404, 500, 501])("does not happen after a %d", async (status) => {
    await using stub = await startStub((_request, response) => response.writeHead(status).end());
    const { http } = openDoor();
    await expect(http.request(requestTo(stub.url))).resolves.toMatchObject({ status });
    expect(stub.seen).toHaveLength(1);
  });

  test.each(WRITES)("does not happen to a %s", async (method) => {
    await using stub = await startStub((_request, response) => response.writeHead(503).end());
    const { http } = openDoor();
    await expect(http.request(requestTo(stub.url, { method }))).resolves.toMatchObject({ status: 503 });
    expect(stub.seen).toHaveLength(1);
  });

  test.each(WRITES)("never happens to a write, whatever its caller says: %s", async (method) => {
    for (const answer of ["busy", "broken", "late"]) {
      await using stub = await startStub((_request, response) => {
        if (answer === "busy") {
          response.writeHead(503).end();
        } else if (answer === "broken") {
          response.destroy();
        }
      });
      const { http, clock } = openDoor();
      const asked = http
        .request(requestTo(stub.url, { method, retries: 2, timeoutMs: 5_000 }))
        .catch((error: unknown) => error);
      await expect.poll(() => stub.seen.length).toBe(1);
      if (answer === "late") {
        clock.advance(5_000);
      }
      const expected = answer === "busy" ? { status: 503 } : { kind: "outcome-unknown" };
      await expect(asked).resolves.toMatchObject(expected);
      clock.advance(1_000);
      expect(stub.seen).toHaveLength(1);
    }
  });

  test("can be forbidden", async () => {
    await using stub = await startStub((_request, response) => response.writeHead(503).end());
    const { http } = openDoor();
    await http.request(requestTo(stub.url, { retries: 0 }));
    expect(stub.seen).toHaveLength(1);
  });
});

describe("a write", () => {
  test.each(WRITES)("whose answer was lost has an unknown outcome: %s", async (method) => {
    await using stub = await startStub((_request, response) => response.destroy());
    const { http } = openDoor();
    await expect(http.request(requestTo(stub.url, { method }))).rejects.toMatchObject({
      kind: "outcome-unknown",
    });
    expect(stub.seen).toHaveLength(1);
  });

  test("that was not answered in time has an unknown outcome", async () => {
    await using stub = await startStub(() => {});
    const { http, clock } = openDoor();
    const asked = http.request(requestTo(stub.url, { method: "POST" }));
    await expect.poll(() => stub.seen.length).toBe(1);
    clock.advance(5_000);
    await expect(asked).rejects.toMatchObject({ kind: "outcome-unknown" });
  });

  test("whose answer breaks off after its status has an unknown outcome, and the status is known", async () => {
    await using stub = await startStub((_request, response) => {
      response.writeHead(201, { "content-length": "100" });
      response.write("half", () => response.destroy());
    });
    const { http } = openDoor();
    await expect(http.request(requestTo(stub.url, { method: "POST" }))).rejects.toMatchObject({
      kind: "outcome-unknown",
      status: 201,
    });
  });

  test("whose answer is too large has an unknown outcome: it must not be sent again", async () => {
    await using stub = await startStub((_request, response) => response.end("x".repeat(100)));
    const { http } = openDoor();
    const asked = http.request(requestTo(stub.url, { method: "POST", maxBytes: 10 }));
    await expect(asked).rejects.toMatchObject({ kind: "outcome-unknown" });
  });

  test("that found nobody was surely not sent", async () => {
    const { http } = openDoor();
    const asked = http.request(requestTo(await closedPort(), { method: "POST" }));
    await expect(asked).rejects.toMatchObject({
      kind: "unavailable",
      message: expect.stringContaining("ECONNREFUSED"),
    });
  });

  test("whose source fails gives the source's own error", async () => {
    await using stub = await startStub((_request, response) => response.end());
    const { http } = openDoor();
    const mine = new UserError("That file is gone. Send it again.");
    const body = () => ({ headers: { "content-length": "10" }, content: failingStream(mine) });
    await expect(http.request(requestTo(stub.url, { method: "POST", body }))).rejects.toBe(mine);
    expect(stub.seen).toEqual([]);
  });
});

describe("the log", () => {
  test("has service, verb, status and milliseconds of an attempt, and nothing else", async () => {
    await using stub = await startStub((_request, response) => response.end("hunter1"));
    const { http, logged } = openDoor();
    await http.request(
      requestTo(new URL("/hunter2?app_key=hunter3", stub.url), {
        method: "POST",
        headers: { "x-note": "hunter4" },
        body: jsonBody("hunter5"),
      }),
    );
    expect(logged()).toEqual([
      {
        level: "debug",
        time: expect.any(String),
        service: "transport",
        verb: "liveBoard",
        status: 200,
        milliseconds: 0,
        msg: expect.any(String),
      },
    ]);
  });

  test("and the errors never name the URL", async () => {
    const { http, lines } = openDoor();
    const url = new URL("/hunter1?app_key=hunter2", await closedPort());
    url.username = "hunter3";
    const error: unknown = await http
      .request(requestTo(url, { retries: 0 }))
      .catch((reason: unknown) => reason);
    expect(error).toMatchObject({ kind: "unavailable" });
    expect(`${String(error)} ${error instanceof Error ? error.stack : ""} ${lines.join("")}`).not.toContain(
      "hunter",
    );
    expect(lines).toHaveLength(1);
  });
});

async function* endless(): AsyncGenerator<Buffer> {
  for (;;) {
    yield Buffer.alloc(1_000);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

function failingStream(error: Error): Readable {
  return Readable.from(
    (async function* half() {
      yield Buffer.from("half");
      throw error;
    })(),
  );
}

async function closedPort(): Promise<URL> {
  const stub = await startStub(() => {});
  await stub[Symbol.asyncDispose]();
  return stub.url;
}

async function startSilentServer() {
  const sockets: Socket[] = [];
  const server = createServer((socket) => sockets.push(socket.on("error", () => {})));
  const { port } = new URL(await listen(server, 0));
  return {
    port,
    sockets,
    async [Symbol.asyncDispose]() {
      sockets.forEach((socket) => socket.destroy());
      server.close();
      await once(server, "close");
    },
  };
}
