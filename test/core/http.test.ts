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
import { collectLog } from "../support/collect-log.ts";

function jsonBody(value: unknown): HttpBody {
  const content = new TextEncoder().encode(JSON.stringify(value));
  return () => ({ headers: { "content-type": "application/json" }, content });
}

interface Line {
  readonly level: string;
  readonly [name: string]: unknown;
}

function openHttp() {
  const clock = createStillClock();
  const { log, lines } = collectLog("debug");
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
  test("has its status, headers and bytes", async () => {
    await using stub = await startStub((_request, response) => {
      response.writeHead(404, { "X-Request-Id": "r-1", "Set-Cookie": ["a=1", "b=2"] }).end("no such station");
    });
    const { http } = openHttp();
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

  test("may be a redirect, which is not followed", async () => {
    await using elsewhere = await startStub((_request, response) => response.end("you should not be here"));
    await using stub = await startStub((_request, response) => {
      response.writeHead(302, { location: elsewhere.url.href }).end();
    });
    const { http } = openHttp();
    await expect(http.request(requestTo(stub.url))).resolves.toMatchObject({ status: 302 });
    expect(elsewhere.seen).toEqual([]);
  });

  test("may be empty", async () => {
    await using stub = await startStub((_request, response) => response.writeHead(204).end());
    const { http } = openHttp();
    await expect(http.request(requestTo(stub.url))).resolves.toMatchObject({
      status: 204,
      bytes: Buffer.alloc(0),
    });
  });

  test("can follow a request with a JSON body, which arrives unchanged", async () => {
    await using stub = await startStub((_request, response) => response.end());
    const { http } = openHttp();
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
    const { http } = openHttp();
    const stub = await serve(gzipSync("x".repeat(10_000)), "GZIP");
    const { bytes } = await http.request(requestTo(stub.url));
    expect(Buffer.from(bytes).toString()).toBe("x".repeat(10_000));
  });

  test("may reach the limit, but not exceed it", async () => {
    const { http } = openHttp();
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

  test("of a gzip bomb are unpacked only up to the limit", async () => {
    const bomb = gzipSync(Buffer.alloc(10_000_000));
    expect(bomb.byteLength).toBeLessThan(10_000);
    const { http } = openHttp();
    const stub = await serve(bomb, "gzip");
    await expect(http.request(requestTo(stub.url, { maxBytes: 20_000 }))).rejects.toMatchObject({
      kind: "too-large",
    });
  });

  test("are limited before unpacking as well", async () => {
    const { http } = openHttp();
    // Stored without compression, so the gzip is larger than its content.
    const stub = await serve(gzipSync(Buffer.alloc(1_000, "x"), { level: 0 }), "gzip");
    await expect(http.request(requestTo(stub.url, { maxBytes: 1_000 }))).rejects.toMatchObject({
      kind: "too-large",
    });
  });

  test("are not awaited if they never end", async () => {
    await using stub = await startStub((_request, response) => {
      Readable.from(endless()).pipe(response);
    });
    const { http } = openHttp();
    await expect(http.request(requestTo(stub.url))).rejects.toMatchObject({ kind: "too-large" });
  });

  test.each([
    ["broken gzip", Buffer.from("not gzip at all"), "gzip"],
    ["half a gzip", gzipSync("x".repeat(10_000)).subarray(0, 30), "gzip"],
    ["an encoding that was not requested", Buffer.from("x"), "br"],
  ])("of %s are an unexpected answer, and the request is not retried", async (_what, bytes, encoding) => {
    const { http } = openHttp();
    const stub = await serve(bytes, encoding);
    await expect(http.request(requestTo(stub.url))).rejects.toMatchObject({ kind: "unexpected-answer" });
    expect(stub.seen).toHaveLength(1);
  });
});

describe("the time-out", () => {
  test("ends a request to a service that does not answer", async () => {
    await using stub = await startStub(() => {});
    const { http, clock } = openHttp();
    const asked = http.request(requestTo(stub.url));
    await expect.poll(() => stub.seen.length).toBe(1);
    clock.advance(5_000);
    await expect(asked).rejects.toMatchObject({ kind: "timeout", service: "transport" });
    expect(stub.seen).toHaveLength(1);
    expect(clock.waits()).toEqual([]);
  });

  test("ends an answer that begins and never ends", async () => {
    await using stub = await startStub((_request, response) => response.writeHead(200).write("{"));
    const { http, clock, logged } = openHttp();
    const asked = http.request(requestTo(stub.url));
    await expect.poll(() => stub.seen.length).toBe(1);
    clock.advance(4_999);
    expect(logged()).toEqual([]);
    clock.advance(1);
    await expect(asked).rejects.toMatchObject({ kind: "timeout" });
  });

  test("is cancelled when the answer has arrived", async () => {
    await using stub = await startStub((_request, response) => response.end());
    const { http, clock } = openHttp();
    await http.request(requestTo(stub.url));
    expect(clock.waits()).toEqual([]);
  });

  test("ends a connection that is never established, before anything is sent", async () => {
    const { http, clock } = openHttp();
    // A full backlog cannot be produced reliably. A TLS server that never completes the handshake has the same effect.
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

describe("an abort", () => {
  test("ends a request, which is not retried", async () => {
    await using stub = await startStub(() => {});
    const { http, clock } = openHttp();
    const controller = new AbortController();
    const asked = http.request(requestTo(stub.url, { signal: controller.signal }));
    await expect.poll(() => stub.seen.length).toBe(1);
    controller.abort();
    await expect(asked).rejects.toMatchObject({ kind: "aborted" });
    expect(clock.waits()).toEqual([]);
    expect(stub.seen).toHaveLength(1);
  });

  test("prevents the request if it comes first", async () => {
    await using stub = await startStub((_request, response) => response.end());
    const { http } = openHttp();
    const asked = http.request(requestTo(stub.url, { signal: AbortSignal.abort() }));
    await expect(asked).rejects.toMatchObject({ kind: "aborted" });
    expect(stub.connections()).toBe(0);
  });

  test("leaves no listeners if many requests share its signal", async () => {
    await using stub = await startStub((_request, response) => response.end());
    const { http } = openHttp();
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

  test("ends the wait before a retry", async () => {
    await using stub = await startStub((_request, response) => response.writeHead(503).end());
    const { http, clock } = openHttp();
    const controller = new AbortController();
    const asked = http.request(requestTo(stub.url, { signal: controller.signal }));
    await expect.poll(() => clock.waits()).toEqual([250]);
    controller.abort();
    await expect(asked).rejects.toMatchObject({ kind: "aborted" });
    expect(clock.waits()).toEqual([]);
  });

  test("happens to all requests in progress when the client closes", async () => {
    await using stub = await startStub(() => {});
    const { http } = openHttp();
    const asked = http.request(requestTo(stub.url, { method: "POST" }));
    await expect.poll(() => stub.seen.length).toBe(1);
    await Promise.all([expect(asked).rejects.toMatchObject({ kind: "aborted" }), http.close()]);
    await expect(http.request(requestTo(stub.url))).rejects.toMatchObject({ kind: "aborted" });
  });
});

describe("a retry", () => {
  test("waits longer each time, and after three attempts in all the last answer is returned", async () => {
    await using stub = await startStub((_request, response) => response.writeHead(503).end("busy"));
    const { http, clock } = openHttp();
    const asked = http.request(requestTo(stub.url));
    await expect.poll(() => clock.waits()).toEqual([250]);
    clock.advance(250);
    await expect.poll(() => clock.waits()).toEqual([500]);
    clock.advance(500);
    await expect(asked).resolves.toMatchObject({ status: 503, bytes: Buffer.from("busy") });
    expect(stub.seen).toHaveLength(3);
  });

  test("waits up to half as long, at random", async () => {
    await using stub = await startStub((_request, response) => response.writeHead(502).end());
    const { clock } = openHttp();
    const log = createLog({ level: "silent", secrets: [] });
    const http = createHttp({ clock, log, random: () => 0 });
    onTestFinished(() => http.close());
    const asked = http.request(requestTo(stub.url, { retries: 1 }));
    await expect.poll(() => clock.waits()).toEqual([125]);
    clock.advance(125);
    await expect(asked).resolves.toMatchObject({ status: 502 });
  });

  test("follows a broken connection", async () => {
    let broken = 0;
    await using stub = await startStub((_request, response) => {
      if (broken++ === 0) {
        response.destroy();
      } else {
        response.end("well");
      }
    });
    const { http, clock } = openHttp();
    const asked = http.request(requestTo(stub.url));
    await expect.poll(() => clock.waits()).toEqual([250]);
    clock.advance(250);
    await expect(asked).resolves.toMatchObject({ status: 200 });
  });

  test("waits as long as a 429 asks for", async () => {
    const answers = [{ "retry-after": "3" }, { "retry-after": "Wed, 18 Nov 2026 17:20:07 GMT" }];
    await using stub = await startStub((_request, response) => {
      const headers = answers.shift();
      response.writeHead(headers ? 429 : 200, headers).end();
    });
    const { http, clock } = openHttp();
    const asked = http.request(requestTo(stub.url));
    await expect.poll(() => clock.waits()).toEqual([3_000]);
    clock.advance(3_000);
    await expect.poll(() => clock.waits()).toEqual([4_000]);
    clock.advance(4_000);
    await expect(asked).resolves.toMatchObject({ status: 200 });
  });

  test("is left to the caller if the service asks for a longer wait than allowed", async () => {
    await using stub = await startStub((_request, response) => {
      response.writeHead(429, { "retry-after": "6" }).end();
    });
    const { http } = openHttp();
    await expect(http.request(requestTo(stub.url))).resolves.toMatchObject({
      status: 429,
      headers: { "retry-after": "6" },
    });
    expect(stub.seen).toHaveLength(1);
  });

  test.each([200, 301, 400, 401, 403, 404, 500, 501])("does not follow a %d", async (status) => {
    await using stub = await startStub((_request, response) => response.writeHead(status).end());
    const { http } = openHttp();
    await expect(http.request(requestTo(stub.url))).resolves.toMatchObject({ status });
    expect(stub.seen).toHaveLength(1);
  });

  test.each(WRITES)("is not made for a %s", async (method) => {
    await using stub = await startStub((_request, response) => response.writeHead(503).end());
    const { http } = openHttp();
    await expect(http.request(requestTo(stub.url, { method }))).resolves.toMatchObject({ status: 503 });
    expect(stub.seen).toHaveLength(1);
  });

  test.each(WRITES)("is never made for a write, even if its caller asks for retries: %s", async (method) => {
    for (const answer of ["busy", "broken", "late"]) {
      await using stub = await startStub((_request, response) => {
        if (answer === "busy") {
          response.writeHead(503).end();
        } else if (answer === "broken") {
          response.destroy();
        }
      });
      const { http, clock } = openHttp();
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

  test("can be disabled", async () => {
    await using stub = await startStub((_request, response) => response.writeHead(503).end());
    const { http } = openHttp();
    await http.request(requestTo(stub.url, { retries: 0 }));
    expect(stub.seen).toHaveLength(1);
  });
});

describe("a write", () => {
  test.each(WRITES)("has an unknown outcome if its answer is lost: %s", async (method) => {
    await using stub = await startStub((_request, response) => response.destroy());
    const { http } = openHttp();
    await expect(http.request(requestTo(stub.url, { method }))).rejects.toMatchObject({
      kind: "outcome-unknown",
    });
    expect(stub.seen).toHaveLength(1);
  });

  test("has an unknown outcome if it is not answered in time", async () => {
    await using stub = await startStub(() => {});
    const { http, clock } = openHttp();
    const asked = http.request(requestTo(stub.url, { method: "POST" }));
    await expect.poll(() => stub.seen.length).toBe(1);
    clock.advance(5_000);
    await expect(asked).rejects.toMatchObject({ kind: "outcome-unknown" });
  });

  test("has an unknown outcome but a known status if its answer breaks off after the headers", async () => {
    await using stub = await startStub((_request, response) => {
      response.writeHead(201, { "content-length": "100" });
      response.write("half", () => response.destroy());
    });
    const { http } = openHttp();
    await expect(http.request(requestTo(stub.url, { method: "POST" }))).rejects.toMatchObject({
      kind: "outcome-unknown",
      status: 201,
    });
  });

  test("has an unknown outcome if its answer is too large, so that it is not sent again", async () => {
    await using stub = await startStub((_request, response) => response.end("x".repeat(100)));
    const { http } = openHttp();
    const asked = http.request(requestTo(stub.url, { method: "POST", maxBytes: 10 }));
    await expect(asked).rejects.toMatchObject({ kind: "outcome-unknown" });
  });

  test("is unavailable, so certainly not sent, if the connection is refused", async () => {
    const { http } = openHttp();
    const asked = http.request(requestTo(await closedPort(), { method: "POST" }));
    await expect(asked).rejects.toMatchObject({
      kind: "unavailable",
      message: expect.stringContaining("ECONNREFUSED"),
    });
  });

  test("fails with the error of its source", async () => {
    await using stub = await startStub((_request, response) => response.end());
    const { http } = openHttp();
    const mine = new UserError("That file is gone. Send it again.");
    const body = () => ({ headers: { "content-length": "10" }, content: failingStream(mine) });
    await expect(http.request(requestTo(stub.url, { method: "POST", body }))).rejects.toBe(mine);
    expect(stub.seen).toEqual([]);
  });
});

describe("the log", () => {
  test("has an attempt's service, verb, status and milliseconds, and nothing else", async () => {
    await using stub = await startStub((_request, response) => response.end("hunter1"));
    const { http, logged } = openHttp();
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

  test("never contains the URL, and neither do errors", async () => {
    const { http, lines } = openHttp();
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
