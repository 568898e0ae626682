import { expect, it } from "vitest";
import { isGateway } from "../../src/discord/resume-session.ts";

const DISCORD = "https://discord.com/api";

it.each([
  ["wss://gateway-us-east1-b.discord.gg", DISCORD, true],
  ["wss://gateway.discord.gg/?v=10", DISCORD, true],
  ["ws://127.0.0.1:8080/gateway", "http://127.0.0.1:9090/api", true],
  ["ws://gateway.discord.gg", DISCORD, false],
  ["wss://discord.gg.example", DISCORD, false],
  ["wss://notdiscord.gg", DISCORD, false],
  ["wss://gateway.discord.gg@example.com", DISCORD, false],
  ["ws://127.0.0.1:8080", DISCORD, false],
  ["nonsense", DISCORD, false],
] as const)("isGateway(%s) with the API %s is %s", (address, api, expected) => {
  expect(isGateway(address, new URL(api))).toBe(expected);
});
