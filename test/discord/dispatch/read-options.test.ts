import { describe, expect, it } from "vitest";
import { UserError } from "../../../src/core/errors.ts";
import type { Options } from "../../../src/discord/define/options.ts";
import { type RawOption, resolved } from "../../../src/discord/interaction.ts";
import { readCommandData, readOptions } from "../../../src/discord/dispatch/find-task.ts";

const definition: Options = {
  station: { type: "string", description: "Station", required: true },
  view: { type: "string", description: "View", choices: [{ name: "Text", value: "text" }] },
  rows: { type: "integer", description: "Rows", min: 1, max: 10 },
  share: { type: "number", description: "Share" },
  loud: { type: "boolean", description: "Loud" },
  picture: { type: "attachment", description: "Picture" },
  place: { type: "channel", description: "Channel" },
  role: { type: "role", description: "Role" },
};
const station = { name: "station", type: 3, value: "YRK" };

describe("reading the options of a command", () => {
  it("returns each option's value, and undefined for omitted ones", () => {
    const values = readOptions(
      definition,
      [
        station,
        { name: "view", type: 3, value: "text" },
        { name: "rows", type: 4, value: 3 },
        { name: "share", type: 10, value: 0.5 },
        { name: "loud", type: 5, value: false },
        { name: "picture", type: 11, value: "9" },
        { name: "place", type: 7, value: "8" },
        { name: "role", type: 8, value: "6" },
      ],
      resolved.parse({
        attachments: {
          "9": {
            id: "9",
            filename: "cat.png",
            url: "https://cdn.example/cat.png",
            size: 12,
            content_type: "image/png",
            flags: 8,
          },
        },
        channels: { "8": { id: "8", name: "trains" } },
        roles: { "6": { id: "6", name: "Guards" } },
      }),
    );
    expect(values).toEqual({
      station: "YRK",
      view: "text",
      rows: 3,
      share: 0.5,
      loud: false,
      picture: {
        name: "cat.png",
        url: "https://cdn.example/cat.png",
        sizeBytes: 12,
        contentType: "image/png",
        spoiler: true,
      },
      place: { id: "8", name: "trains" },
      role: { id: "6", name: "Guards" },
    });
    expect(readOptions(definition, [station], undefined)).toMatchObject({ rows: undefined, loud: undefined });
  });

  it.each([
    ["a required option is missing", []],
    ["a choice no longer exists", [station, { name: "view", type: 3, value: "gone" }]],
    ["a number is out of range", [station, { name: "rows", type: 4, value: 11 }]],
    ["an integer has a fraction", [station, { name: "rows", type: 4, value: 1.5 }]],
    ["a value has another type", [{ name: "station", type: 4, value: 3 }]],
    ["an attachment is missing", [station, { name: "picture", type: 11, value: "1" }]],
  ])("asks the person to use the command again if %s", (_, typed) => {
    expect(() => readOptions(definition, typed, {})).toThrow(UserError);
  });

  it("finds the options below a subcommand", () => {
    const read = (...options: readonly RawOption[]) =>
      readCommandData({ name: "tools", options: [...options] });
    const add = { name: "add", type: 1, options: [station] };
    expect(read(add)).toEqual({ path: "tools/add", options: [station] });
    expect(read(station)).toEqual({ path: "tools", options: [station] });
    expect(read({ name: "who", type: 1 })).toEqual({ path: "tools/who", options: [] });
    const below = [{ name: "role", type: 1, options: [station] }];
    expect(read({ name: "deep", type: 2, options: below })).toEqual({
      path: "tools/deep/role",
      options: [station],
    });
    expect(read({ name: "deep", type: 2 })).toEqual({ path: "tools/deep", options: [] });
  });
});
