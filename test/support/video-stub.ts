// The real video client with a server whose answers a test defines; both close when the test ends.
import type { RequestListener } from "node:http";
import { onTestFinished } from "vitest";
import { createHttp } from "../../src/core/http.ts";
import { createLog } from "../../src/core/log.ts";
import { createVideoClient } from "../../src/videos/client/video-client.ts";
import type { Clock } from "../../src/core/clock.ts";
import { createStillClock } from "./still-clock.ts";
import { startStub } from "./stub-server.ts";

export async function openVideoStub(
  answer: RequestListener,
  {
    clock = createStillClock(),
    path = "/",
    version = "v3.1",
    tokenIn = "header",
  }: {
    readonly clock?: Clock;
    readonly path?: string;
    readonly version?: string;
    readonly tokenIn?: "header" | "field";
  } = {},
) {
  const server = await startStub(answer);
  const log = createLog({ level: "silent", secrets: [] });
  const http = createHttp({ clock, log, random: () => 0 });
  onTestFinished(async () => {
    await http.close();
    await server[Symbol.asyncDispose]();
  });
  const baseUrl = new URL(path, server.url);
  return { client: createVideoClient({ baseUrl, version, tokenIn, http, clock, log }), server };
}
