// The metrics of requests: each attempt is counted once, with its outcome.
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { createHttp } from "../../src/core/http.ts";
import { createLog } from "../../src/core/log.ts";
import { noMeter } from "../../src/core/meter.ts";
import { collectLog } from "../support/collect-log.ts";
import { freePort } from "../support/free-port.ts";
import { createStillClock } from "../support/still-clock.ts";
import { startStub } from "../support/stub-server.ts";

function openHttp() {
  const counted: string[] = [];
  const http = createHttp({
    clock: createStillClock(),
    log: createLog({ level: "silent", secrets: [] }),
    meter: { ...noMeter, count: (_, labels) => counted.push(Object.values(labels).join(" ")) },
  });
  onTestFinished(() => http.close());
  return { http, counted };
}

test("a request is counted with its status", async () => {
  await using stub = await startStub((_request, response) => response.writeHead(404).end());
  const { http, counted } = openHttp();
  const url = new URL("/board", stub.url);
  const request = { service: "transport", verb: "liveBoard", method: "GET", url } as const;
  await http.request({ ...request, timeoutMs: 5_000, maxBytes: 100 });
  expect(counted).toEqual(["transport liveBoard 404"]);
});

test("a request without an answer is counted with the kind of its failure", async () => {
  await using stub = await startStub((_request, response) => void response.destroy());
  const { http, counted } = openHttp();
  const url = new URL("/v1/process", stub.url);
  const request = { service: "style", verb: "process", method: "POST", url, maxBytes: 100 } as const;
  await expect(http.request({ ...request, timeoutMs: 5_000 })).rejects.toThrow("process");
  expect(counted).toEqual(["style process outcome-unknown"]);
});

test("the log says why a service could not be reached", async () => {
  const { log, lines } = collectLog();
  const http = createHttp({ clock: createStillClock(), log });
  onTestFinished(() => http.close());
  const url = new URL(`http://127.0.0.1:${await freePort()}/board`);
  const request = { service: "transport", verb: "board", method: "GET", url, retries: 0 } as const;
  await expect(http.request({ ...request, timeoutMs: 5_000, maxBytes: 100 })).rejects.toThrow("ECONNREFUSED");
  expect(lines).toEqual([
    expect.stringContaining('"kind":"unavailable","reason":"transport: unavailable: board: ECONNREFUSED"'),
  ]);
});

test("a stream is counted once, when its body ends or breaks off", async () => {
  await using stub = await startStub((request, response) => {
    response.writeHead(200, { "content-length": "4" });
    if (request.url === "/whole") {
      response.end("film");
    } else {
      response.write("fi", () => response.destroy());
    }
  });
  const { http, counted } = openHttp();
  const open = (path: string) =>
    http.open({
      service: "discord",
      verb: "attachment",
      url: new URL(path, stub.url),
      maxBytes: 100,
      idleMs: 5_000,
    });
  const whole = await open("/whole");
  expect(counted).toEqual([]);
  expect((await buffer(whole.body)).toString()).toBe("film");
  await expect.poll(() => counted).toEqual(["discord attachment 200"]);
  await expect(open("/torn").then(({ body }) => buffer(body))).rejects.toThrow("attachment");
  await expect.poll(() => counted.slice(1)).toEqual(["discord attachment unavailable"]);
});

test("an upload is counted with the status of its answer", async () => {
  await using stub = await startStub((_request, response) => response.writeHead(201).end());
  const { http, counted } = openHttp();
  await http.upload({
    service: "video",
    verb: "upload",
    method: "POST",
    url: new URL("/videos", stub.url),
    body: () => ({ headers: { "content-length": "4" }, content: Readable.from([Buffer.from("film")]) }),
    maxBytes: 100,
    idleMs: 5_000,
  });
  expect(counted).toEqual(["video upload 201"]);
});
