import { expect, it } from "vitest";
import type { BotState } from "../../../sandbox/control/api/bot.ts";
import { openWorld } from "../../../sandbox/world.ts";
import { openControl, type Control } from "./ask-control.ts";

const commandsDir = new URL("../../fixtures/commands/", import.meta.url);

const statesOf = ({ heard }: Control) =>
  heard
    // The sandbox writes this stream, and its events of the type `bot` have a state.
    .map(({ data }) => data as { type: string; state?: string })
    .filter(({ type }) => type === "bot")
    .map(({ state }) => state);

it("a bot can be restarted in the middle of a conversation", async () => {
  await using world = await openWorld({ bot: "process", commandsDir });
  await using control = await openControl(world);
  const before = await control.get<BotState>("/bot");
  expect(before).toEqual({ state: "ready", pid: world.bot.pid, starts: 1, problem: null });
  const ada = world.member("Ada");
  const { message } = await ada.slash(world.channels.trains, "fast", { text: "hello" });
  await control.post("/bot", { do: "restart" });
  const ready = await control.until<BotState>(
    "bot",
    ({ state, starts }) => state === "ready" && starts === 2,
  );
  expect(statesOf(control)).toEqual(["stopped", "starting", "ready"]);
  expect(ready.pid).not.toBe(before.pid);
  expect((await ada.click(message, "Shout")).text).toContain("HELLO");
}, 30_000);

it("a killed bot stays stopped until it is started", async () => {
  await using world = await openWorld({ commandsDir });
  await using control = await openControl(world);
  await control.post("/bot", { do: "kill" });
  await control.until<BotState>("bot", ({ state }) => state === "stopped");
  await control.post("/bot", { do: "start" });
  await control.until<BotState>("bot", ({ state }) => state === "ready");
  expect(world.bot.isRunning).toBe(true);
});

it("a bot's state says why it could not start", async () => {
  await using world = await openWorld({ startsBot: false, env: { LOG_LEVEL: "shouting" } });
  await using control = await openControl(world);
  await control.post("/bot", { do: "start" });
  const { problem } = await control.until<BotState>(
    "bot",
    ({ state, starts }) => state === "stopped" && starts === 1,
  );
  expect(problem).toContain("LOG_LEVEL");
});

it("a world without a bot says so", async () => {
  await using world = await openWorld({ bot: "none" });
  await using control = await openControl(world);
  expect(await control.get("/bot")).toMatchObject({ state: "none", pid: null });
  await expect(control.post("/bot", { do: "start" })).rejects.toThrow("does not run the bot");
});
