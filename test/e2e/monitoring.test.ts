// What an operator sees of the bot from outside: a line of the log for each interaction, and the metrics.
import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { World } from "../../sandbox/world.ts";
import { openJudgedWorld, reportJudgement } from "../support/judged-world.ts";

reportJudgement();

const lineSchema = z.looseObject({ msg: z.string().default(""), interaction: z.string().optional() });
type Line = z.infer<typeof lineSchema>;

function linesOf(world: World): readonly Line[] {
  return world.bot.log.flatMap((line) => (line.startsWith("{") ? [lineSchema.parse(JSON.parse(line))] : []));
}

describe("an interaction", () => {
  it("is one line at info, and its id is in every line down to the upstream call", async () => {
    await using world = await openJudgedWorld({ env: { LOG_LEVEL: "debug" } });
    const ada = world.member("Ada");
    await ada.slash(world.channels.trains, "departures", { station: "YRK" });
    await ada.slash(world.channels.trains, "departures", { station: "YRK" });
    const answered = () => linesOf(world).filter(({ msg }) => msg === "interaction answered");
    // It is logged once Discord has confirmed the answer, which may be after the member sees it.
    await expect.poll(answered).toHaveLength(2);
    const [first, second] = answered();
    const common = { level: "info", task: "departures", guild: world.guild.id, outcome: "answered" };
    expect(first).toMatchObject({ ...common, milliseconds: expect.any(Number), calls: 1, cached: false });
    expect(second).toMatchObject({ ...common, calls: 0, cached: true });
    expect(first?.interaction).toMatch(/^\d{17,}$/);
    const asked = linesOf(world).filter(({ msg }) => msg === "service answered");
    expect(asked).toEqual([
      expect.objectContaining({ interaction: first?.interaction, verb: expect.any(String) }),
    ]);
  });

  it("that is refused says why and who it was", async () => {
    await using world = await openJudgedWorld();
    const alan = world.member("Alan");
    await alan.slash(world.channels.trains, "departures", { station: "Nowhere at all" });
    const refused = () => linesOf(world).filter(({ msg }) => msg === "interaction refused");
    await expect.poll(refused).toHaveLength(1);
    expect(refused()).toMatchObject([{ outcome: "refused", reason: "input", user: alan.id }]);
  });

  it("is no line with LOG_LEVEL=warn", async () => {
    await using world = await openJudgedWorld({ env: { LOG_LEVEL: "warn" } });
    const answer = await world.member("Ada").slash(world.channels.trains, "help");
    expect(answer.text).toContain("Signalbox");
    expect(linesOf(world)).toEqual([]);
  });
});
