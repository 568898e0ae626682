import { DiscordAPIError } from "discord.js";
import { beforeEach, describe, expect, it } from "vitest";
import { createLog } from "../../src/core/log.ts";
import type { Runnable } from "../../src/discord/command.ts";
import { parseInteraction } from "../../src/discord/interaction.ts";
import { createWhoMay } from "../../src/discord/who-may.ts";
import { createStillClock } from "../support/still-clock.ts";

const log = createLog({ level: "silent", secrets: [] });
const MANAGE_GUILD = "32";
const ADMINISTRATOR = "8";

const runnable: Runnable = {
  path: "tools/add",
  command: "tools",
  permission: "ManageGuild",
  definition: { description: "Adds", run: () => ({ blocks: [] }) },
};

function press({ permissions = "0", roles = [] as readonly string[], guild = "500" } = {}) {
  const user = { id: "42", username: "alan" };
  return parseInteraction({
    id: "1",
    token: "t",
    application_id: "900",
    type: 3,
    guild_id: guild,
    member: { user, permissions, roles },
    data: { custom_id: "x", component_type: 2 },
    message: { id: "2", channel_id: "3", author: { id: "900" } },
  });
}

describe("who may press a button", () => {
  let asked: string[] = [];
  let rules: readonly object[] | Error = [];
  const clock = createStillClock();
  const create = () =>
    createWhoMay({
      rest: {
        get: async (route) => {
          asked.push(route);
          if (rules instanceof Error) {
            throw rules;
          }
          return { permissions: rules };
        },
      },
      clock,
      ids: new Map([["1:tools", "700"]]),
      log,
    });

  beforeEach(() => {
    asked = [];
    rules = [];
  });

  it("asks nobody where the command is for everyone", async () => {
    expect(await create().mayUse(press(), { ...runnable, permission: undefined })).toBe(true);
    expect(asked).toEqual([]);
  });

  it("lets administrators through, whatever the rules are", async () => {
    expect(await create().mayUse(press({ permissions: ADMINISTRATOR }), runnable)).toBe(true);
    expect(asked).toEqual([]);
  });

  it("lets those through who have the default permission", async () => {
    expect(await create().mayUse(press({ permissions: MANAGE_GUILD }), runnable)).toBe(true);
  });

  it("lets those through who have it also when the rules cannot be read", async () => {
    rules = new Error("no answer");
    expect(await create().mayUse(press({ permissions: MANAGE_GUILD }), runnable)).toBe(true);
  });

  it.each([
    ["the person", [{ id: "42", type: 2, permission: false }]],
    ["everyone", [{ id: "500", type: 1, permission: false }]],
    [
      "their role, before everyone",
      [
        { id: "500", type: 1, permission: true },
        { id: "77", type: 1, permission: false },
      ],
    ],
  ])("turns away those who have it where the server's rule forbids it to %s", async (_, forbidding) => {
    rules = forbidding;
    expect(await create().mayUse(press({ permissions: MANAGE_GUILD, roles: ["77"] }), runnable)).toBe(false);
  });

  it("lets one allowed role outweigh a forbidden one", async () => {
    rules = [
      { id: "77", type: 1, permission: false },
      { id: "78", type: 1, permission: true },
    ];
    expect(await create().mayUse(press({ roles: ["77", "78"] }), runnable)).toBe(true);
  });

  it("turns away those who have neither the bit nor a rule", async () => {
    expect(await create().mayUse(press({ permissions: "1024" }), runnable)).toBe(false);
    expect(asked).toEqual(["/applications/900/guilds/500/commands/700/permissions"]);
  });

  it.each([
    ["the person", { id: "42", type: 2, permission: true }, true],
    ["everyone", { id: "500", type: 1, permission: true }, true],
    ["another person", { id: "43", type: 2, permission: true }, false],
    ["a role they do not have", { id: "77", type: 1, permission: true }, false],
    ["a channel", { id: "500", type: 3, permission: true }, false],
  ])("follows the server's rule for %s", async (_, rule, may) => {
    rules = [rule];
    expect(await create().mayUse(press(), runnable)).toBe(may);
  });

  it("puts a rule for the person before one for their role", async () => {
    rules = [
      { id: "500", type: 1, permission: true },
      { id: "42", type: 2, permission: false },
    ];
    expect(await create().mayUse(press(), runnable)).toBe(false);
  });

  it("remembers the rules for five minutes, and forgets them on word of a change", async () => {
    const whoMay = create();
    await whoMay.mayUse(press(), runnable);
    clock.advance(4 * 60_000);
    await whoMay.mayUse(press(), runnable);
    expect(asked).toHaveLength(1);
    clock.jump(-3_600_000);
    clock.advance(60_000);
    await whoMay.mayUse(press(), runnable);
    expect(asked).toHaveLength(2);
    whoMay.forget("500");
    await whoMay.mayUse(press(), runnable);
    expect(asked).toHaveLength(3);
  });

  it("turns away, and asks again the next time, when the rules cannot be read", async () => {
    const whoMay = create();
    rules = new Error("no answer");
    expect(await whoMay.mayUse(press(), runnable)).toBe(false);
    rules = [{ id: "42", type: 2, permission: true }];
    expect(await whoMay.mayUse(press(), runnable)).toBe(true);
  });

  it("takes Discord's word for a command without rules as an empty list, and remembers it", async () => {
    const whoMay = create();
    rules = new DiscordAPIError({ code: 10_066, message: "Unknown" }, 10_066, 404, "GET", "/", {
      files: undefined,
      body: undefined,
    });
    expect(await whoMay.mayUse(press(), runnable)).toBe(false);
    await whoMay.mayUse(press(), runnable);
    expect(asked).toHaveLength(1);
  });
});
