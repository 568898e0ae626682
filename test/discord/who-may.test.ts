import { beforeEach, describe, expect, it } from "vitest";
import { UserError } from "../../src/core/errors.ts";
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

function press({
  permissions = "0",
  roles = [],
  owners = { 0: "500" },
}: {
  readonly permissions?: string;
  readonly roles?: readonly string[];
  readonly owners?: Readonly<Record<string, string>>;
} = {}) {
  const user = { id: "42", username: "alan" };
  return parseInteraction({
    id: "1",
    token: "t",
    application_id: "900",
    type: 3,
    guild_id: "500",
    channel_id: "3",
    authorizing_integration_owners: owners,
    member: { user, permissions, roles },
    data: { custom_id: "x", component_type: 2 },
    message: { id: "2", channel_id: "3", author: { id: "900" } },
  });
}

const open: Runnable = { ...runnable, permission: undefined };

type Rule = { readonly id: string; readonly type: number; readonly permission: boolean };

describe("who may use a command, by the server's rules", () => {
  let asked: string[] = [];
  let rules: readonly Rule[] = [];
  let rulesForAll: readonly Rule[] = [];
  let isSilent = false;
  const clock = createStillClock();
  const create = () =>
    createWhoMay({
      rest: {
        get: async (route) => {
          asked.push(route);
          if (isSilent) {
            throw new Error("no answer");
          }
          return [
            { id: "700", permissions: rules },
            { id: "900", permissions: rulesForAll },
            { id: "701", permissions: [{ id: "42", type: 2, permission: false }] },
          ];
        },
      },
      clock,
      ids: new Map([["1:tools", "700"]]),
      log,
    });

  beforeEach(() => {
    asked = [];
    rules = [];
    rulesForAll = [];
    isSilent = false;
  });

  it("lets administrators through, whatever the rules are", async () => {
    expect(await create().mayUse(press({ permissions: ADMINISTRATOR }), runnable)).toBe(true);
    expect(asked).toEqual([]);
  });

  it("lets those through who have the default permission, and turns away those who have not", async () => {
    expect(await create().mayUse(press({ permissions: MANAGE_GUILD }), runnable)).toBe(true);
    expect(await create().mayUse(press({ permissions: "1024" }), runnable)).toBe(false);
    expect(await create().mayUse(press(), open)).toBe(true);
  });

  it("reads the rules of all commands of a server with one request", async () => {
    const whoMay = create();
    await Promise.all([whoMay.mayUse(press(), runnable), whoMay.mayUse(press(), open)]);
    expect(asked).toEqual(["/applications/900/guilds/500/commands/permissions"]);
  });

  const deny = (id: string, type: number) => ({ id, type, permission: false });
  const allow = (id: string, type: number) => ({ id, type, permission: true });
  const [ROLE, USER, CHANNEL] = [1, 2, 3];
  const [EVERYONE, ALL_CHANNELS] = ["500", "499"];

  it.each([
    { of: "the person", own: [deny("42", USER)], may: false },
    { of: "another person", own: [deny("43", USER)], may: true },
    { of: "everyone", own: [deny(EVERYONE, ROLE)], may: false },
    { of: "a role, before everyone", own: [allow(EVERYONE, ROLE), deny("77", ROLE)], may: false },
    { of: "a role they do not have", own: [deny("79", ROLE)], may: true },
    { of: "two roles, of which one may", own: [deny("77", ROLE), allow("78", ROLE)], may: true },
    { of: "the person, before a role", own: [deny("77", ROLE), allow("42", USER)], may: true },
    { of: "the channel, before the person", own: [allow("42", USER), deny("3", CHANNEL)], may: false },
    { of: "another channel", own: [deny("4", CHANNEL)], may: true },
    { of: "all channels", own: [deny(ALL_CHANNELS, CHANNEL)], may: false },
    { of: "all channels but this one", own: [deny(ALL_CHANNELS, CHANNEL), allow("3", CHANNEL)], may: true },
    { of: "all commands", all: [deny(EVERYONE, ROLE)], may: false },
    { of: "all commands but this one", all: [deny(EVERYONE, ROLE)], own: [allow(EVERYONE, ROLE)], may: true },
    {
      of: "all commands, where its own is about others",
      all: [deny("42", USER)],
      own: [deny("43", USER)],
      may: false,
    },
  ])("follows a rule for $of", async ({ own = [], all = [], may }) => {
    rules = own;
    rulesForAll = all;
    // A rule denies what is open to everyone, and what the default permission would allow.
    expect(await create().mayUse(press({ roles: ["77", "78"] }), open)).toBe(may);
    const manager = press({ permissions: MANAGE_GUILD, roles: ["77", "78"] });
    expect(await create().mayUse(manager, runnable)).toBe(may);
  });

  it("lets those through whom a rule allows what is not open to everyone", async () => {
    rules = [allow("42", USER)];
    expect(await create().mayUse(press(), runnable)).toBe(true);
  });

  it("leaves a server alone that the bot is not in", async () => {
    rules = [deny("42", USER)];
    expect(await create().mayUse(press({ owners: { 1: "42" } }), open)).toBe(true);
    expect(asked).toEqual([]);
  });

  it("remembers the rules for five minutes, and reads them again after a change", async () => {
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

  it("goes by the last known rules for a day while they cannot be read", async () => {
    const whoMay = create();
    rules = [deny("42", USER)];
    expect(await whoMay.mayUse(press(), open)).toBe(false);
    isSilent = true;
    whoMay.forget("500");
    clock.advance(23 * 3_600_000);
    expect(await whoMay.mayUse(press(), open)).toBe(false);
    clock.advance(3_600_000);
    await expect(whoMay.mayUse(press(), open)).rejects.toThrow(/^I can't check at the moment/);
    isSilent = false;
    expect(await whoMay.mayUse(press(), open)).toBe(false);
  });

  it("says so, and lets nobody through, where they were never read", async () => {
    isSilent = true;
    await expect(create().mayUse(press({ permissions: MANAGE_GUILD }), runnable)).rejects.toThrow(UserError);
  });
});
