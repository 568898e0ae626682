import { describe, expect, it } from "vitest";
import type { Reply } from "../../src/core/reply.ts";
import { type CommandSummary, createCommandDirectory } from "../../src/discord/directory.ts";
import { readCommands } from "../../src/discord/read-commands.ts";
import { commandHelpView, helpView } from "../../src/operations/help-view.ts";

const departures: CommandSummary = {
  name: "departures",
  kind: "slash",
  description: "The next trains from a station, live",
  options: [
    { name: "station", description: "Name or *code*", required: true },
    { name: "rows", description: "How many", required: false },
  ],
  permission: undefined,
  id: "123",
};
const subscribe: CommandSummary = {
  ...departures,
  name: "board subscribe",
  description: "A channel's board",
  permission: "ManageGuild",
  id: undefined,
};
const menu: CommandSummary = {
  ...departures,
  name: "Restyle picture",
  kind: "message-menu",
  description: "Restyle a picture",
  options: [],
};

function textsOf(reply: Reply): string[] {
  const [frame] = reply.blocks;
  return frame?.type === "container"
    ? frame.blocks.flatMap((block) => (block.type === "text" ? block.text : []))
    : [];
}

describe("help", () => {
  it("greets, then lists commands that start with a tap, folders together, menus last", () => {
    const [welcome, ...sections] = textsOf(helpView([menu, subscribe, departures]));
    expect(welcome).toContain("Hello!");
    expect(sections).toEqual([
      "**/board** · 🔒 Manage Server\n`/board subscribe` A channel's board",
      "</departures:123> The next trains from a station, live",
      "**On a message: press and hold, or right-click, then Apps**\n**Restyle picture** Restyle a picture",
      "-# Choose a command in `/help command` to see its options.",
    ]);
  });

  it("says in its greeting what it is there for here, and no more", () => {
    const greeting = (...names: string[]) =>
      textsOf(helpView(names.map((name) => ({ ...departures, name }))))[0] ?? "";
    expect(greeting("departures")).not.toMatch(/picture|video/);
    expect(greeting("departures", "style", "video publish")).toMatch(/trains.*picture.*video.*Tap/);
    expect(greeting("style")).toMatch(/nobody has connected me.*picture/);
  });

  it("marks each where a folder's commands are not for the same people", () => {
    const list = { ...subscribe, name: "board list", permission: undefined };
    expect(textsOf(helpView([subscribe, list]))[1]).toBe(
      "**/board**\n`/board subscribe` A channel's board · 🔒 Manage Server\n`/board list` A channel's board",
    );
  });

  it("fits one message with all the bot's commands", async () => {
    const commands = await readCommands(new URL("../../commands", import.meta.url));
    const names = commands.map(({ name }) => name);
    const ids = new Map(names.map((name) => [`1:${name}`, "1572662673408000034"]));
    const texts = textsOf(helpView(createCommandDirectory(() => commands, ids).list()));
    // Discord's limit for all texts of a message.
    expect(texts.join("").length).toBeLessThan(4_000);
  });

  it("promises no boards where there is no command for them", () => {
    const [welcome] = textsOf(helpView([menu]));
    expect(welcome).toContain("Hello!");
    expect(welcome).not.toContain("Name a station");
  });

  it("explains one command with its options, saying which are needed", () => {
    expect(textsOf(commandHelpView(departures))).toEqual([
      "### </departures:123>\nThe next trains from a station, live",
      "`station` Name or \\*code\\* (needed)\n`rows` How many",
    ]);
  });

  it("says how to reach a menu, and that a command takes nothing", () => {
    expect(textsOf(commandHelpView(menu))[1]).toContain("choose Apps");
    expect(textsOf(commandHelpView({ ...departures, options: [] }))[1]).toBe("-# It takes no options.");
  });
});
