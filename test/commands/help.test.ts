import { describe, expect, it } from "vitest";
import help from "../../commands/help.ts";
import { UserError } from "../../src/core/errors.ts";
import type { CommandSummary } from "../../src/discord/directory.ts";

function summary(name: string, description: string): CommandSummary {
  return { name, command: name.split(" ")[0] ?? "", kind: "slash", description, options: [] };
}

const context = {
  services: {
    directory: {
      list: () => [
        summary("about", "About"),
        summary("board subscribe", "A board"),
        summary("departures", "Trains"),
      ],
      slash: () => undefined,
    },
  },
  caller: { id: "1", roles: [] },
  fileLimitBytes: 10_485_760,
  where: { guildId: undefined, channelId: undefined },
  progress: () => {},
  usableCommands: async () => new Set(["about", "departures"]),
};
const MESSAGE = { id: "1", channelId: "2", content: "", attachments: [], media: [] };
const textOf = async (answer: unknown) => JSON.stringify(await answer);

describe("/help", () => {
  it("is private and shows the commands that the person may use here", async () => {
    const text = await textOf(help.run({ ...context, options: { command: undefined } }));
    expect(text).toContain("`/departures`");
    expect(text).not.toContain("`/board subscribe`");
    expect(text).toContain('"visibility":"private"');
    const all = {
      ...context,
      usableCommands: async () => new Set(["about", "board", "departures"]),
      options: { command: undefined },
    };
    expect(await textOf(help.run(all))).toContain("`/board subscribe`");
  });

  it("does not say that trains are not connected if only this channel's rules forbid them", async () => {
    const elsewhere = { ...context, usableCommands: async () => new Set(["about"]) };
    expect(await textOf(help.run({ ...elsewhere, options: { command: undefined } }))).not.toContain(
      "connected",
    );
    const select = { ...elsewhere, args: {}, message: MESSAGE, chosen: ["gone"], options: {} };
    expect(await textOf(help.selects?.subject?.run(select))).not.toContain("connected");
    const list = () => [summary("about", "About")];
    const services = { directory: { list, slash: () => undefined } };
    expect(await textOf(help.run({ ...elsewhere, services, options: { command: undefined } }))).toContain(
      "Live trains aren't connected here yet",
    );
  });

  it("explains one command, however it is typed, even to people who may not use it", async () => {
    const text = await textOf(help.run({ ...context, options: { command: "/Board Subscribe " } }));
    expect(text).toContain("A board");
    expect(text).not.toContain("about");
  });

  it("shows all of a command that has subcommands", async () => {
    const text = await textOf(help.run({ ...context, options: { command: "board" } }));
    expect(text).toContain("### `/board`");
    expect(text).toContain("`/board subscribe` A board");
    expect(text).toContain("use `/help` with its name");
    expect(text).not.toContain("about");
  });

  it("throws a UserError if there is no such command", async () => {
    await expect(help.run({ ...context, options: { command: "timetable" } })).rejects.toThrow(UserError);
  });

  it("suggests commands by any part of their name", () => {
    const suggest = help.options?.command.autocomplete;
    expect(suggest?.({ ...context, text: "/sub", typed: {}, recent: [] })).toEqual([
      { name: "board subscribe", value: "board subscribe" },
    ]);
  });
});
