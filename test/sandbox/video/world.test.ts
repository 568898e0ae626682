import { expect, test } from "vitest";
import { openWorld } from "../../../sandbox/world.ts";
import { createVideoClient } from "../../../src/videos/client/video-client.ts";
import { readConfig } from "../../../src/core/config.ts";
import { createHttp } from "../../../src/core/http.ts";
import { createLog } from "../../../src/core/log.ts";

test("a world's bot has the address of its video service, an account and a key", async () => {
  await using world = await openWorld({ bot: "none", video: { processingMs: 1_000 } });
  const { video, secretKeys } = readConfig(world.env);
  expect([video?.accessToken, secretKeys[0]?.byteLength]).toEqual([world.video.tokens.page, 32]);
  if (!video?.accessToken) {
    throw new Error("the configuration has no video account");
  }
  const log = createLog({ level: "silent", secrets: [] });
  const http = createHttp({ clock: world.clock, log });
  const client = createVideoClient({ ...video, http, clock: world.clock, log });
  expect(await client.whoAmI({ token: video.accessToken })).toMatchObject({
    kind: "page",
    name: "Signal Hall",
  });
  expect(world.video.ledger.every(({ hasProof }) => hasProof)).toBe(true);
  expect(world.video.processingMs).toBe(1_000);
  await http.close();
});
