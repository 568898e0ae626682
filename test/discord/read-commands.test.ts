import { describe, expect, it } from "vitest";
import type { Command } from "../../src/discord/registry.ts";
import { readCommands } from "../../src/discord/read-commands.ts";

const fixtures = new URL("../fixtures/commands/", import.meta.url);

describe("reading the commands' folder", () => {
  it("finds a command in each file, subcommands beside a command.ts, and subcommand groups beside a group.ts", async () => {
    const commands = await readCommands(fixtures);
    const kindOf = ({ name, runnables }: Command) =>
      runnables.some(({ path }) => path === name) ? "single" : "group";
    expect(commands.map((command) => `${kindOf(command)} ${command.name}`)).toEqual([
      "single failing",
      "single fast",
      "single files",
      "single form",
      "single quiet",
      "single slow",
      "single tally",
      "group tools",
      "single unavailable",
    ]);
    const tools = commands.find(({ name }) => name === "tools");
    expect(tools && tools.runnables.map(({ path, permission }) => `${path} ${permission}`)).toEqual([
      "tools/add ManageGuild",
      "tools/who ManageGuild",
      "tools/deep/role ManageGuild",
    ]);
  });

  it("finds files with only components in a command's folder, even beside a command without subcommands", async () => {
    const commands = await readCommands(fixtures);
    const components = commands.flatMap((command) => command.components);
    expect(components.map(({ path, permission }) => `${path} ${permission}`)).toEqual([
      "tally/steps ManageGuild",
      "tools/sums ManageGuild",
      "tools/trains ManageGuild",
    ]);
  });

  it("accepts a folder's URL without a trailing slash", async () => {
    const commands = await readCommands(new URL("../fixtures/commands", import.meta.url));
    expect(commands).toHaveLength(9);
  });

  it("accepts the bot's own commands", async () => {
    const commands = await readCommands(new URL("../../commands/", import.meta.url));
    expect(commands.map(({ name }) => name)).toContain("departures");
  });

  it("refuses subcommands beside a command that runs without them", async () => {
    await expect(readCommands(new URL("../fixtures/mixed-commands/", import.meta.url))).rejects.toThrow(
      "both/command.ts: has a run function, so it cannot have subcommands: both/below",
    );
  });

  it("refuses subcommands in a folder without a description", async () => {
    await expect(readCommands(new URL("../fixtures/ungrouped-commands/", import.meta.url))).rejects.toThrow(
      "tools/deep/role.ts: is in a folder without group.ts",
    );
  });

  it("names a file that is not a command", async () => {
    await expect(readCommands(new URL("../fixtures/not-commands/", import.meta.url))).rejects.toThrow(
      /plain\.ts: .*defineCommand/s,
    );
  });
});
