import { expect, it } from "vitest";
import about from "../../commands/about.ts";

it("/about shows what the service knows", async () => {
  const facts = { version: "9.9.9", upForMs: 60_000, latencyMs: 12, guildCount: 3, plans: [] };
  const reply = await about.run({
    services: { readAbout: async () => facts },
    caller: { id: "1", roles: [] },
    usableCommands: async () => new Set<string>(),
    fileLimitBytes: 10_485_760,
    where: { guildId: undefined, channelId: undefined },
    progress: () => {},
    options: {},
  });
  expect(JSON.stringify(reply)).toContain("Signalbox 9.9.9");
});
