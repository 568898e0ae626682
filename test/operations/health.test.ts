import { afterEach, describe, expect, it } from "vitest";
import { type HealthServer, startHealthServer } from "../../src/operations/monitoring.ts";

let server: HealthServer | undefined;
afterEach(async () => {
  await server?.close();
});

async function ask(ok: boolean, path = "/health") {
  server = await startHealthServer(
    { port: 0, host: "127.0.0.1" },
    {
      health: () => ({ ok, shards: [{ id: 0, ready: ok }], latencyMs: 12, guilds: 3 }),
      metrics: async () => ({ contentType: "text/plain; version=0.0.4", text: "signalbox_guilds 3\n" }),
    },
  );
  const response = await fetch(`http://127.0.0.1:${server.port}${path}`);
  return { status: response.status, type: response.headers.get("content-type"), text: await response.text() };
}

describe("/health", () => {
  it("answers 200 when every shard is ready", async () => {
    const { status, text } = await ask(true);
    expect(status).toBe(200);
    expect(JSON.parse(text)).toEqual({
      status: "ok",
      shards: [{ id: 0, ready: true }],
      latencyMs: 12,
      guilds: 3,
    });
  });

  it("answers 503 when a shard is not ready", async () => {
    const { status, text } = await ask(false);
    expect(status).toBe(503);
    expect(JSON.parse(text)).toMatchObject({ status: "unavailable" });
  });

  it("fails with the variable to set if the port is taken", async () => {
    await ask(true);
    const sources = {
      health: () => ({ ok: true }),
      metrics: async () => ({ contentType: "text/plain", text: "" }),
    };
    await expect(startHealthServer({ port: server?.port ?? 0, host: "127.0.0.1" }, sources)).rejects.toThrow(
      /^HTTP_PORT is in use/,
    );
  });

  it("answers 404 on other paths", async () => {
    expect((await ask(true, "/")).status).toBe(404);
  });
});

describe("/metrics", () => {
  it("returns the metrics even while a shard is not ready", async () => {
    expect(await ask(false, "/metrics")).toEqual({
      status: 200,
      type: "text/plain; version=0.0.4",
      text: "signalbox_guilds 3\n",
    });
  });
});
