// Two processes that share a token and know nothing of each other, e.g. a copy on a test machine.
import { expect, it, onTestFinished } from "vitest";
import { runBotInside } from "../../sandbox/bot/inside.ts";
import { openCheckedWorld } from "../support/checked-world.ts";

it("a command is answered once, and the slower process logs that another answered", async () => {
  await using world = await openCheckedWorld();
  const lines: string[] = [];
  const second = await runBotInside({
    env: world.env,
    clock: world.clock,
    onLine: (line) => lines.push(line),
  });
  onTestFinished(() => second.stop());
  const ada = world.member("Ada");
  const answer = await ada.slash(world.channels.general, "help");
  expect(answer.text).not.toBe("");
  const said = () =>
    [...lines, ...world.bot.log].filter((line) => line.includes("another process answered")).length;
  await expect.poll(said).toBe(1);
  expect(world.discord.requests.filter(({ path }) => path.includes("/callback"))).toHaveLength(2);
});
