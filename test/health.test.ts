import { afterEach, describe, expect, it } from "vitest";
import { startHealthServer, type HealthServer } from "../src/health.ts";

let server: HealthServer | undefined;
afterEach(async () => {
  await server?.close();
});

async function ask(ok: boolean, path = "/health") {
  server = await startHealthServer(0, () => ({
    ok,
    shards: [{ id: 0, ready: ok }],
    latencyMs: 12,
    guilds: 3,
  }));
  const response = await fetch(`http://127.0.0.1:${server.port}${path}`);
  return { status: response.status, text: await response.text() };
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

  it("answers 503 when one is not", async () => {
    const { status, text } = await ask(false);
    expect(status).toBe(503);
    expect(JSON.parse(text)).toMatchObject({ status: "unavailable" });
  });

  it("says what to set when the port is taken", async () => {
    await ask(true);
    await expect(startHealthServer(server?.port ?? 0, () => ({ ok: true }))).rejects.toThrow(
      /^HTTP_PORT is in use/,
    );
  });

  it("knows no other path", async () => {
    expect((await ask(true, "/")).status).toBe(404);
  });
});
