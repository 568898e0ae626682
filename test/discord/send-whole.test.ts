import { createServer } from "node:net";
import { expect, it } from "vitest";
import { listen } from "../../sandbox/http/listen.ts";
import { noMeter } from "../../src/core/meter.ts";
import { withFiles } from "../../src/discord/reply-files.ts";
import { createRestOnce } from "../../src/discord/rest.ts";

const KILOBYTE = 1024;

// An uncaught error would end the bot's process; here it fails the test run.
it("the REST client survives connections that break in the middle of an upload", async () => {
  let connections = 0;
  const server = createServer((socket) => {
    // Each connection is reset after slightly more bytes than the one before.
    const patienceBytes = (connections += 1) * 16 * KILOBYTE;
    socket.on("error", () => {});
    socket.on("data", () => socket.bytesRead > patienceBytes && socket.resetAndDestroy());
  });
  const baseUrl = await listen(server, 0);
  const rest = createRestOnce(
    {
      token: "t",
      apiBaseUrl: new URL(`${baseUrl}/api`),
      cdnHosts: [],
      shards: "auto",
      shardCount: "auto",
    },
    noMeter,
  );
  const files = [1, 2, 3].map((each) => ({
    name: `${each}.png`,
    bytes: Buffer.alloc(each * 400 * KILOBYTE, 7),
    description: "A picture",
  }));
  const outcomes = await Promise.allSettled(
    Array.from({ length: 40 }, (_, each) =>
      rest.post(`/interactions/${each}1/t/callback`, { auth: false, ...withFiles({}, files) }),
    ),
  );
  expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set(["rejected"]));
  rest.clearHashSweeper();
  rest.clearHandlerSweeper();
  server.close();
});
