import { Agent, createServer, get } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { Hono } from "hono";
import { describe, expect, it } from "vitest";
import { createFaults, type Fault, type ServerEnv } from "../../../sandbox/faults/faults.ts";
import { close, listen } from "../../../sandbox/http/listen.ts";
import { until } from "../../support/until.ts";

async function openServer() {
  const faults = createFaults({
    prefix: "/v1",
    answer: (kind, retryAfterMs) =>
      kind.startsWith("429")
        ? { status: 429, headers: { "retry-after": String(retryAfterMs / 1000) }, body: "" }
        : { status: 500, headers: {}, body: "" },
  });
  const applied: string[] = [];
  const app = new Hono<ServerEnv>().use(faults.middleware).all("*", ({ env, json }) => {
    applied.push(env.incoming.url ?? "");
    return json({ fine: true });
  });
  const answer = getRequestListener(app.fetch, { overrideGlobalObjects: false });
  const server = createServer((request, response) => void answer(request, response));
  const address = await listen(server, 0);
  return {
    faults,
    applied,
    port: Number(new URL(address).port),
    ask: (path = "/v1/things/7", method = "GET") => fetch(`${address}${path}`, { method }),
    connections: () =>
      new Promise<number>((resolve) => server.getConnections((_error, count) => resolve(count))),
    async [Symbol.asyncDispose]() {
      faults.clear();
      await close(server);
    },
  };
}

/** Sends a request through `agent`. `text` resolves with the body; `isAnswered` is true once the answer has begun. */
function askWith(agent: Agent, port: number) {
  let isAnswered = false;
  const text = new Promise<string>((resolve, reject) => {
    get({ agent, port, host: "127.0.0.1", path: "/v1/things/7" }, (response) => {
      isAnswered = true;
      response.setEncoding("utf8");
      let body = "";
      response.on("data", (part: string) => (body += part)).on("end", () => resolve(body));
    }).on("error", reject);
  });
  return { text, isAnswered: () => isAnswered };
}

const fault = (kind: Fault["do"], more: Partial<Fault> = {}): Fault => ({
  path: "/things/:id",
  do: kind,
  ...more,
});

describe("a fault", () => {
  it("applies only to its method and path, and only as often as set", async () => {
    await using server = await openServer();
    const added = server.faults.add(fault("500", { method: "POST", times: 2 }));
    const statuses: number[] = [];
    for (const [path, method] of [
      ["/v1/things/7", "GET"],
      ["/v1/things/7/parts", "POST"],
      ["/v1/things/7?x=1", "POST"],
      ["/v1/things/8", "POST"],
      ["/v1/things/9", "POST"],
    ] as const) {
      statuses.push((await server.ask(path, method)).status);
    }
    expect(statuses).toEqual([200, 200, 500, 500, 200]);
    expect(added.hits).toBe(2);
  });

  it("can be removed", async () => {
    await using server = await openServer();
    server.faults.add(fault("500", { times: 5 })).remove();
    expect((await server.ask()).status).toBe(200);
  });

  it.each([
    ["500", 0],
    ["500-after", 1],
  ] as const)("%s answers with 500 and applies the request %i times", async (kind, times) => {
    await using server = await openServer();
    server.faults.add(fault(kind));
    expect((await server.ask()).status).toBe(500);
    expect(server.applied).toHaveLength(times);
  });

  it.each([
    ["drop", 0],
    ["drop-after", 1],
  ] as const)("%s loses the answer and applies the request %i times", async (kind, times) => {
    await using server = await openServer();
    server.faults.add(fault(kind));
    await expect(server.ask()).rejects.toThrow("fetch failed");
    expect(server.applied).toHaveLength(times);
  });

  it.each([
    ["hang", 0],
    ["hang-after", 1],
  ] as const)("%s answers once it is released", async (kind, times) => {
    await using server = await openServer();
    const added = server.faults.add(fault(kind));
    const asked = server.ask();
    await until(() => added.hits > 0 && server.applied.length >= times);
    expect(server.applied).toHaveLength(times);
    await new Promise((resolve) => setImmediate(resolve));
    added.release();
    expect(await (await asked).json()).toEqual({ fine: true });
  });

  it("hang-after leaves the connection usable for the next request", async () => {
    await using server = await openServer();
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const added = server.faults.add(fault("hang-after"));
    const first = askWith(agent, server.port);
    await expect.poll(() => server.applied.length).toBe(1);
    await expect.poll(() => (added.release(), first.isAnswered())).toBe(true);
    expect(await first.text).toBe('{"fine":true}');
    expect(await askWith(agent, server.port).text).toBe('{"fine":true}');
    agent.destroy();
  });

  it("hang does not apply the request if its client has disconnected", async () => {
    await using server = await openServer();
    const added = server.faults.add(fault("hang"));
    const given = get({ port: server.port, host: "127.0.0.1", path: "/v1/things/7" });
    given.on("error", () => {});
    await expect.poll(() => added.hits).toBe(1);
    given.destroy();
    await expect.poll(() => server.connections()).toBe(0);
    added.release();
    expect(server.applied).toEqual([]);
  });

  it("slow can be released early, and applies the request once", async () => {
    await using server = await openServer();
    const added = server.faults.add(fault("slow", { delayMs: 1_000_000 }));
    const asked = server.ask();
    await expect.poll(() => added.hits).toBe(1);
    added.release();
    added.release();
    expect((await asked).status).toBe(200);
    expect(server.applied).toHaveLength(1);
  });

  it("truncated states the length of the whole answer, but ends early", async () => {
    await using server = await openServer();
    server.faults.add(fault("truncated"));
    const answer = await server.ask();
    expect(answer.headers.get("content-length")).toBe("13");
    await expect(answer.text()).rejects.toThrow("terminated");
  });

  it("slow answers after its delay", async () => {
    await using server = await openServer();
    server.faults.add(fault("slow", { delayMs: 5 }));
    expect((await server.ask()).status).toBe(200);
  });

  it("429 says when to retry, and does not apply the request", async () => {
    await using server = await openServer();
    server.faults.add(fault("429", { retryAfterMs: 2000 }));
    const answer = await server.ask();
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([429, "2"]);
    expect(server.applied).toEqual([]);
  });

  it("malformed and truncated give unreadable answers, but apply the request", async () => {
    await using server = await openServer();
    server.faults.add(fault("malformed"));
    await expect((await server.ask()).json()).rejects.toThrow(SyntaxError);
    server.faults.add(fault("truncated"));
    await expect(server.ask().then((answer) => answer.text())).rejects.toThrow("terminated");
    expect(server.applied).toHaveLength(2);
  });
});
