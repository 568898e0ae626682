import { describe, expect, it } from "vitest";
import { type CommandSummary, createCommandDirectory } from "../../src/discord/directory.ts";
import { readCommands } from "../../src/discord/read-commands.ts";
import { blocksOf, textsOf } from "../support/reply-parts.ts";
import { commandHelpView, helpView, subjectView } from "../../src/operations/help-view.ts";

const departures: CommandSummary = {
  name: "departures",
  command: "departures",
  kind: "slash",
  description: "The next trains from a station, live",
  options: [
    { name: "station", description: "Name or *code*", required: true },
    { name: "rows", description: "How many", required: false },
  ],
};
const style: CommandSummary = { ...departures, name: "style", command: "style", description: "Restyle" };
const menu: CommandSummary = { ...style, name: "Restyle picture", kind: "message-menu", options: [] };

async function everything(): Promise<readonly CommandSummary[]> {
  const commands = await readCommands(new URL("../../commands", import.meta.url));
  return createCommandDirectory(() => commands).list();
}

describe("the help view", () => {
  it("has a line for each subject that the person can use, with a command to start with", () => {
    expect(textsOf(helpView([departures, style], true))).toEqual([
      "### Signalbox\n" +
        "🚆 `/departures` shows a station's live board.\n" +
        "🎨 `/style` gives a picture a new look.",
    ]);
  });

  it("describes a command that the person can use if they can use none of the subject's usual ones", () => {
    const bus = { ...departures, name: "bus", command: "bus", description: "Buses at a stop" };
    expect(textsOf(helpView([bus], true))).toEqual(["### Signalbox\n🚆 `/bus` Buses at a stop"]);
  });

  it("says if trains are not connected", () => {
    expect(textsOf(helpView([style], false)).at(-1)).toContain("aren't connected");
  });

  it("shows one subject with its commands, and how to reach a menu", () => {
    const reply = subjectView([menu, departures, style], true, "pictures");
    expect(textsOf(reply)).toEqual([
      "### 🎨 Pictures",
      "`/style` Restyle",
      "-# On any message: right-click it, or press and hold, then Apps › **Restyle picture**.",
    ]);
    expect(blocksOf(reply).at(-1)).toMatchObject({ choices: [{}, { value: "pictures", chosen: true }] });
  });

  it("shows all subjects if the chosen one no longer exists", () => {
    expect(subjectView([departures], true, "videos")).toEqual(helpView([departures], true));
  });

  it("has a subject for each of the bot's commands, and each subject fits in a message", async () => {
    const commands = await everything();
    const first = helpView(commands, true);
    const subjects = blocksOf(first).flatMap((block) => (block.type === "select" ? block.choices : []));
    const views = subjects.map(({ value }) => textsOf(subjectView(commands, true, value)).join(""));
    for (const view of views) {
      // Discord's limit for the text of a message. A command becomes a link that is about 20 characters longer.
      expect(view.length + 20 * view.split("`/").length).toBeLessThan(4_000);
    }
    for (const { name, kind } of commands) {
      expect(views.some((view) => view.includes(kind === "slash" ? `\`/${name}\`` : `**${name}**`))).toBe(
        true,
      );
    }
  });

  it("explains one command with its options, saying which are required", () => {
    expect(textsOf(commandHelpView(departures))).toEqual([
      "### `/departures`\nThe next trains from a station, live",
      "`station` Name or \\*code\\* (required)\n`rows` How many",
    ]);
  });

  it("gives examples of what to write without a command", () => {
    const timed = { ...departures, example: "York to Leeds" };
    const words = "-# Without a command: mention me or send me a direct message, e.g. “York to Leeds”.";
    expect(textsOf(subjectView([timed, style], true, "travel")).at(-1)).toBe(words);
    expect(textsOf(commandHelpView(timed)).at(-1)).toBe(words);
    expect(textsOf(subjectView([timed, style], true, "pictures"))).not.toContain(words);
  });

  it("says how to reach a menu, that a command has no options, or that the person can't use it here", () => {
    expect(textsOf(commandHelpView(menu))[1]).toContain("choose Apps");
    expect(textsOf(commandHelpView({ ...departures, options: [] }))[1]).toBe("-# It has no options.");
    expect(textsOf(commandHelpView(departures, true)).at(-1)).toContain("You can't use it here");
  });
});
