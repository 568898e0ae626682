import { describe, expect, it } from "vitest";
import help from "../../commands/help.ts";
import { UserError } from "../../src/core/errors.ts";

const services = {
  directory: {
    list: () => [
      {
        name: "about",
        kind: "slash" as const,
        description: "About",
        options: [],
        permission: undefined,
        id: "1",
      },
      {
        name: "board subscribe",
        kind: "slash" as const,
        description: "A board",
        options: [],
        permission: undefined,
        id: "2",
      },
    ],
  },
};
const context = {
  services,
  caller: { id: "1", name: "Ada", roles: [], locale: "en-GB" },
  fileLimitBytes: 10_485_760,
  where: { guildId: undefined, channelId: undefined },
  progress: () => {},
};

describe("/help", () => {
  it("lists everything", () => {
    const text = JSON.stringify(help.run({ ...context, options: { command: undefined } }));
    expect(text).toContain("</about:1>");
    expect(text).toContain("</board subscribe:2>");
  });

  it("explains one command, however it is written", () => {
    const text = JSON.stringify(help.run({ ...context, options: { command: "/Board Subscribe " } }));
    expect(text).toContain("A board");
    expect(text).not.toContain("about");
  });

  it("shows all of a command that has subcommands", () => {
    const text = JSON.stringify(help.run({ ...context, options: { command: "board" } }));
    expect(text).toContain("**/board**\\n</board subscribe:2> A board");
    expect(text).not.toContain("about");
  });

  it("says so when there is no such command", () => {
    expect(() => help.run({ ...context, options: { command: "timetable" } })).toThrow(UserError);
  });

  it("completes commands by any part of their name", () => {
    const suggest = help.options?.command.autocomplete;
    expect(suggest?.({ ...context, text: "/sub", typed: {} })).toEqual([
      { name: "board subscribe", value: "board subscribe" },
    ]);
  });
});
