import { execFile } from "node:child_process";
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { setImmediate as turn } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { describe, expect, onTestFinished, test } from "vitest";
import { UserError } from "../../src/core/errors.ts";
import { createHttp, type HttpStreamRequest } from "../../src/core/http.ts";
import { collectLog } from "../support/collect-log.ts";
import { createStillClock } from "../support/still-clock.ts";
import { startStub } from "../support/stub-server.ts";
import { close, listen } from "../../sandbox/http/listen.ts";

function openHttp() {
  const clock = createStillClock();
  const { log, lines } = collectLog("debug");
  const http = createHttp({ clock, log, random: () => 0 });
  onTestFinished(() => http.close());
  return { clock, http, lines };
}

/** Starts a server whose listener gets each request before its body is read. */
async function serve(listener: RequestListener): Promise<URL> {
  const server = createServer(listener);
  const baseUrl = await listen(server, 0);
  onTestFinished(() => close(server));
  return new URL(`${baseUrl}/file?ex=hunter2`);
}

const about = (url: URL, more: Partial<HttpStreamRequest> = {}): HttpStreamRequest => ({
  service: "video",
  verb: "file",
  url,
  idleMs: 5_000,
  maxBytes: 1_000_000,
  ...more,
});

const upload = (url: URL, content: Readable, sizeBytes: number, more: Partial<HttpStreamRequest> = {}) => ({
  ...about(url, more),
  method: "POST" as const,
  body: () => ({ headers: { "content-length": String(sizeBytes) }, content }),
});

const CHUNK = Buffer.alloc(64 * 1024, 7);

/** Waits until all buffers in between are full and no more bytes are taken. A busy machine may only pause them briefly. */
async function untilStalled(taken: { readonly bytes: number }): Promise<void> {
  let before = 0;
  let equalSamples = 0;
  await expect
    .poll(() => {
      equalSamples = before > 0 && before === taken.bytes ? equalSamples + 1 : 0;
      before = taken.bytes;
      return equalSamples;
    })
    .toBeGreaterThanOrEqual(4);
}

/** An endless stream that counts the bytes taken from it. */
function endless() {
  const taken = { bytes: 0 };
  const stream = new Readable({
    read() {
      taken.bytes += CHUNK.byteLength;
      this.push(CHUNK);
    },
  });
  return { stream, taken };
}

describe("a streamed answer", () => {
  test("passes its bytes on as they arrive, whatever the status", async () => {
    const url = await serve((_, response) => response.writeHead(404, { "x-a": "b" }).end("gone"));
    const { http, clock } = openHttp();
    const { status, headers, body } = await http.open(about(url));
    expect([status, headers["x-a"], String(await buffer(body))]).toEqual([404, "b", "gone"]);
    await expect.poll(() => clock.waits()).toEqual([]);
  });

  test("is received no faster than it is read", async () => {
    const { stream, taken } = endless();
    const url = await serve((_, response) => stream.pipe(response));
    const { http } = openHttp();
    const { body } = await http.open(about(url, { maxBytes: Number.POSITIVE_INFINITY }));
    await untilStalled(taken);
    // Only a few chunks of up to 64 KB are read ahead.
    expect(body.readableLength).toBeLessThan(24);
    body.destroy();
  });

  test("fails if it is larger than its limit or compressed", async () => {
    const { stream } = endless();
    const { http } = openHttp();
    const long = await http.open(about(await serve((_, response) => stream.pipe(response))));
    await expect(buffer(long.body)).rejects.toMatchObject({ kind: "too-large", service: "video" });
    const packed = await serve((_, response) =>
      response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync("x")),
    );
    await expect(http.open(about(packed))).rejects.toMatchObject({ kind: "unexpected-answer" });
  });

  test("times out if no bytes arrive, before or after the headers", async () => {
    const { http, clock } = openHttp();
    const asked: string[] = [];
    const silent = http.open(about(await serve(() => asked.push("silent"))));
    await expect.poll(() => asked.length).toBe(1);
    clock.advance(5_000);
    await expect(silent).rejects.toMatchObject({ kind: "timeout" });

    const half = await http.open(about(await serve((_, response) => response.writeHead(200).write("half"))));
    await once(half.body, "readable");
    clock.jump(-3_600_000);
    clock.advance(4_999);
    expect(half.body.destroyed).toBe(false);
    const rest = buffer(half.body);
    clock.advance(1);
    await expect(rest).rejects.toMatchObject({ kind: "timeout", status: 200 });
  });

  test("does not time out while bytes arrive", async () => {
    const { http, clock } = openHttp();
    const writes: ((text: string) => void)[] = [];
    const dripping = await serve((_, response) => {
      response.writeHead(200).flushHeaders();
      writes.push((text) => response.write(text));
    });
    const { body } = await http.open(about(dripping));
    for (const drop of ["a", "b", "c"]) {
      clock.advance(4_000);
      writes[0]?.(drop);
      await once(body, "readable");
      expect(String(body.read())).toBe(drop);
      clock.jump(86_400_000);
    }
    body.destroy();
  });

  test("does not time out while nobody reads", async () => {
    const { http, clock } = openHttp();
    const { stream, taken } = endless();
    const url = await serve((_, response) => stream.pipe(response));
    const { body } = await http.open(about(url, { maxBytes: Number.POSITIVE_INFINITY }));
    await untilStalled(taken);
    clock.advance(60_000);
    let readBytes = 0;
    for await (const chunk of body) {
      // A stream without an encoding emits buffers.
      readBytes += (chunk as Buffer).byteLength;
      if (readBytes > 20_000_000) {
        break;
      }
    }
    expect(readBytes).toBeGreaterThan(20_000_000);
  });

  test("can be aborted, and fails if its connection breaks", async () => {
    const { http } = openHttp();
    const stop = new AbortController();
    const url = await serve((_, response) => response.writeHead(200).write("half"));
    const { body } = await http.open(about(url, { signal: stop.signal }));
    stop.abort();
    await expect(buffer(body)).rejects.toMatchObject({ kind: "aborted" });
    const broken = await serve((_, response) => {
      response.writeHead(200, { "content-length": "10" });
      response.write("half", () => response.destroy());
    });
    await expect(http.open(about(broken)).then(({ body: half }) => buffer(half))).rejects.toMatchObject({
      kind: "unavailable",
    });
  });

  test("has its URL in no error and no log line", async () => {
    const { http, lines } = openHttp();
    const url = await serve((_, response) => response.destroy());
    const error: unknown = await http.open(about(url)).catch((reason: unknown) => reason);
    expect(`${String(error)} ${lines.join("")}`).not.toContain("hunter2");
    expect(lines.join("")).toContain("unavailable");
  });
});

describe("an upload", () => {
  test("arrives whole with its content length, and returns the answer", async () => {
    await using stub = await startStub((_, response) => response.writeHead(201).end("made"));
    const { http, clock } = openHttp();
    const bytes = Buffer.alloc(300_000, "signalbox ");
    const answer = await http.upload(
      upload(stub.url, Readable.from([bytes.subarray(0, 9), bytes.subarray(9)]), 300_000),
    );
    expect([answer.status, String(answer.bytes)]).toEqual([201, "made"]);
    expect(stub.seen[0]?.bytes.equals(bytes)).toBe(true);
    expect(stub.seen[0]?.headers["content-length"]).toBe("300000");
    expect(clock.waits()).toEqual([]);
  });

  test("is read from its source no faster than the server takes it", async () => {
    const { stream, taken } = endless();
    const url = await serve(() => {});
    const { http } = openHttp();
    const stop = new AbortController();
    const sent = http.upload(upload(url, stream, 2 ** 40, { signal: stop.signal }));
    await untilStalled(taken);
    stop.abort();
    await expect(sent).rejects.toMatchObject({ kind: "aborted" });
    await expect.poll(() => stream.destroyed).toBe(true);
  });

  test("times out if the server stops reading, and counts as not accepted", async () => {
    const { stream, taken } = endless();
    const url = await serve(() => {});
    const { http, clock } = openHttp();
    const sent = http.upload(upload(url, stream, 2 ** 40));
    await untilStalled(taken);
    clock.advance(5_000);
    await expect(sent).rejects.toMatchObject({ kind: "timeout" });
  });

  test("does not time out while bytes move", async () => {
    let arrived = 0;
    const url = await serve((request, response) => {
      request.on("data", (chunk: Buffer) => (arrived += chunk.byteLength));
      request.on("end", () => response.end("made"));
    });
    const { http, clock } = openHttp();
    const source = new Readable({ read() {} });
    const sent = http.upload(upload(url, source, 4));
    for (const count of [1, 2, 3, 4]) {
      source.push("x");
      await expect.poll(() => arrived).toBe(count);
      clock.advance(4_000);
    }
    source.push(null);
    expect((await sent).status).toBe(200);
  });

  test("has an unknown outcome if its answer is lost, even if it is aborted then", async () => {
    const { http, clock } = openHttp();
    await using deaf = await startStub(() => {});
    const late = http.upload(upload(deaf.url, Readable.from([Buffer.from("bytes")]), 5));
    await expect.poll(() => deaf.seen.length).toBe(1);
    clock.advance(5_000);
    await expect(late).rejects.toMatchObject({ kind: "outcome-unknown" });
    const stop = new AbortController();
    const aborted = http.upload(
      upload(deaf.url, Readable.from([Buffer.from("bytes")]), 5, { signal: stop.signal }),
    );
    await expect.poll(() => deaf.seen.length).toBe(2);
    stop.abort();
    await expect(aborted).rejects.toMatchObject({ kind: "outcome-unknown" });
    await using broken = await startStub((_, response) => response.destroy());
    await expect(
      http.upload(upload(broken.url, Readable.from([Buffer.from("bytes")]), 5)),
    ).rejects.toMatchObject({ kind: "outcome-unknown" });
  });

  test("counts as not accepted if its connection breaks in the middle", async () => {
    const { stream } = endless();
    const url = await serve((request) => request.once("data", () => request.socket.resetAndDestroy()));
    const { http } = openHttp();
    await expect(http.upload(upload(url, stream, 2 ** 40))).rejects.toMatchObject({ kind: "unavailable" });
  });

  test("counts as not accepted if the service resets a reused connection, and the next one gets a new connection", async () => {
    let requests = 0;
    const sockets = new Set<unknown>();
    const url = await serve((request, response) => {
      requests += 1;
      sockets.add(request.socket);
      if (requests === 2) {
        request.socket.resetAndDestroy();
        return;
      }
      request.resume().once("end", () => response.end("made"));
    });
    const { http } = openHttp();
    const small = () => http.upload(upload(url, Readable.from([Buffer.from("bytes")]), 5));
    expect((await small()).status).toBe(200);
    const { stream } = endless();
    await expect(http.upload(upload(url, stream, 2 ** 40))).rejects.toMatchObject({ kind: "unavailable" });
    expect((await small()).status).toBe(200);
    expect(sockets.size).toBe(2);
  });

  test("receives a refusal that arrives before its end", async () => {
    const { stream } = endless();
    const url = await serve((_, response) => response.writeHead(400).end("no"));
    const { http } = openHttp();
    const answer = await http.upload(upload(url, stream, 2 ** 40));
    expect([answer.status, String(answer.bytes)]).toEqual([400, "no"]);
    await expect.poll(() => stream.destroyed).toBe(true);
  });

  test("fails with its source's error", async () => {
    await using stub = await startStub((_, response) => response.end());
    const { http } = openHttp();
    const mine = new UserError("That file is gone. Send it again.");
    const source = new Readable({ read() {} });
    source.push("by");
    const sent = http.upload(upload(stub.url, source, 5));
    await turn();
    source.destroy(mine);
    await expect(sent).rejects.toBe(mine);
    expect(stub.seen).toEqual([]);
  });
});

test("200 MB pass from one server to another without being buffered", { timeout: 60_000 }, async () => {
  const sizeBytes = 200 * 1024 * 1024;
  const source = await serve((_, response) => {
    let left = sizeBytes;
    const file = new Readable({
      read() {
        left -= CHUNK.byteLength;
        this.push(left < 0 ? null : CHUNK);
      },
    });
    response.writeHead(200, { "content-length": sizeBytes });
    file.pipe(response);
  });
  let arrived = 0;
  const target = await serve((request, response) => {
    request.on("data", (chunk: Buffer) => (arrived += chunk.byteLength));
    request.on("end", () => response.end("{}"));
  });
  const program = fileURLToPath(new URL("../support/forward-stream.ts", import.meta.url));
  // The flags with which `npm start` runs the bot.
  const flags = ["--max-semi-space-size=8", "--min-semi-space-size=8", "--v8-pool-size=1", "--expose-gc"];
  const { stdout } = await promisify(execFile)(process.execPath, [
    ...flags,
    program,
    source.href,
    target.href,
  ]);
  const report: unknown = JSON.parse(stdout);
  expect(report).toEqual({ status: 200, grownBytes: expect.any(Number) });
  // The line above has checked the shape.
  const { grownBytes } = report as { grownBytes: number };
  expect(arrived).toBeGreaterThan(sizeBytes);
  expect(grownBytes).toBeLessThan(sizeBytes / 5);
});
