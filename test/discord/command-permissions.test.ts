import { beforeEach, describe, expect, it } from "vitest";
import { UserError } from "../../src/core/errors.ts";
import { createLog } from "../../src/core/log.ts";
import type { Runnable } from "../../src/discord/registry.ts";
import { parseInteraction } from "../../src/discord/interaction.ts";
import { createCommandPermissions } from "../../src/discord/command-permissions.ts";
import { createStillClock } from "../support/still-clock.ts";

const log = createLog({ level: "silent", secrets: [] });
const USE_COMMANDS = 1n << 31n;
const MEMBER = String(USE_COMMANDS);
const MANAGER = String(USE_COMMANDS | 32n);
const ADMINISTRATOR = "8";
const PUBLIC_THREAD = 11;

const runnable: Runnable = {
  path: "tools/add",
  command: "tools",
  permission: "ManageGuild",
  definition: { description: "Adds", run: () => ({ blocks: [] }) },
};

function press({
  permissions = MEMBER,
  roles = [],
  owners = { 0: "500" },
  channel = { id: "3", type: 0, parent_id: "30" },
}: {
  readonly permissions?: string;
  readonly roles?: readonly string[];
  readonly owners?: Readonly<Record<string, string>>;
  readonly channel?: { readonly id: string; readonly type: number; readonly parent_id?: string };
} = {}) {
  const user = { id: "42", username: "alan" };
  return parseInteraction({
    id: "1",
    token: "t",
    application_id: "900",
    type: 3,
    guild_id: "500",
    channel_id: channel.id,
    channel,
    authorizing_integration_owners: owners,
    member: { user, permissions, roles },
    data: { custom_id: "x", component_type: 2 },
    message: { id: "2", channel_id: "3", author: { id: "900" } },
  });
}

const open: Runnable = { ...runnable, permission: undefined };

type Rule = { readonly id: string; readonly type: number; readonly permission: boolean };

describe("the check of a server's rules for commands", () => {
  let asked: string[] = [];
  let rules: readonly Rule[] = [];
  let rulesForAll: readonly Rule[] = [];
  let isSilent = false;
  let answering: Promise<void> = Promise.resolve();
  const clock = createStillClock();
  const create = () =>
    createCommandPermissions({
      rest: {
        get: async (route) => {
          asked.push(route);
          if (isSilent) {
            throw new Error("no answer");
          }
          const asAsked = rules;
          await answering;
          return [
            { id: "700", permissions: asAsked },
            { id: "900", permissions: rulesForAll },
            { id: "701", permissions: [{ id: "42", type: 2, permission: false }] },
          ];
        },
      },
      clock,
      ids: { all: () => new Map([["tools", "700"]]) },
      log,
    });

  beforeEach(() => {
    asked = [];
    rules = [];
    rulesForAll = [];
    isSilent = false;
    answering = Promise.resolve();
  });

  it("allows administrators everything, whatever the rules say", async () => {
    expect(await create().mayUse(press({ permissions: ADMINISTRATOR }), runnable)).toBe(true);
    expect(asked).toEqual([]);
  });

  it("allows people with the default permission, and refuses the others", async () => {
    expect(await create().mayUse(press({ permissions: MANAGER }), runnable)).toBe(true);
    expect(await create().mayUse(press({ permissions: MEMBER }), runnable)).toBe(false);
    expect(await create().mayUse(press(), open)).toBe(true);
  });

  it("reads the rules of all commands of a server with one request", async () => {
    const commandPermissions = create();
    await Promise.all([
      commandPermissions.mayUse(press(), runnable),
      commandPermissions.mayUse(press(), open),
    ]);
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
    // A rule can deny a command that is open to everyone, and one that the default permission allows.
    expect(await create().mayUse(press({ roles: ["77", "78"] }), open)).toBe(may);
    const manager = press({ permissions: MANAGER, roles: ["77", "78"] });
    expect(await create().mayUse(manager, runnable)).toBe(may);
  });

  it.each([
    {
      of: "everyone, before all commands for the person",
      own: [allow(EVERYONE, ROLE)],
      all: [deny("42", USER)],
    },
    {
      of: "all channels, before all commands here",
      own: [allow(ALL_CHANNELS, CHANNEL)],
      all: [deny("3", CHANNEL)],
    },
  ])("prefers the command's own rule for $of", async ({ own, all }) => {
    rules = own;
    rulesForAll = all;
    expect(await create().mayUse(press(), open)).toBe(true);
  });

  it("does not grant a command's permission by a rule for all commands", async () => {
    rulesForAll = [allow("42", USER), allow(EVERYONE, ROLE)];
    expect(await create().mayUse(press(), runnable)).toBe(false);
    expect(await create().mayUse(press({ permissions: MANAGER }), runnable)).toBe(true);
  });

  it("applies the rule for a thread's parent, but none for a channel's category", async () => {
    rules = [deny("30", CHANNEL)];
    const thread = { id: "31", type: PUBLIC_THREAD, parent_id: "30" };
    expect(await create().mayUse(press({ channel: thread }), open)).toBe(false);
    expect(await create().mayUse(press(), open)).toBe(true);
  });

  it("applies the rule for all channels if there is no channel, e.g. in a DM", async () => {
    const { channel_id: _, channel: __, ...use } = press();
    expect(await create().mayUse(use, open)).toBe(true);
    rules = [deny(ALL_CHANNELS, CHANNEL), allow("3", CHANNEL)];
    expect(await create().mayUse(use, open)).toBe(false);
  });

  it("refuses people who may use no commands there, whatever the rules for one command say", async () => {
    rules = [allow("42", USER)];
    expect(await create().mayUse(press({ permissions: "0" }), open)).toBe(false);
  });

  it("allows nothing if it does not know the command's id yet", async () => {
    await expect(create().mayUse(press(), { command: "others", permission: undefined })).rejects.toThrow(
      /^I can't check at the moment/,
    );
  });

  it("allows people a restricted command if a rule does", async () => {
    rules = [allow("42", USER)];
    expect(await create().mayUse(press(), runnable)).toBe(true);
  });

  it("does not read the rules of a server that the bot is not in", async () => {
    rules = [deny("42", USER)];
    expect(await create().mayUse(press({ owners: { 1: "42" } }), open)).toBe(true);
    expect(asked).toEqual([]);
  });

  it("remembers the rules for five minutes, and reads them again after a change", async () => {
    const commandPermissions = create();
    await commandPermissions.mayUse(press(), runnable);
    clock.advance(4 * 60_000);
    await commandPermissions.mayUse(press(), runnable);
    expect(asked).toHaveLength(1);
    clock.jump(-3_600_000);
    clock.advance(60_000);
    await commandPermissions.mayUse(press(), runnable);
    expect(asked).toHaveLength(2);
    commandPermissions.forget("500");
    await commandPermissions.mayUse(press(), runnable);
    expect(asked).toHaveLength(3);
  });

  it.each(["the first time", "again"])(
    "reads the rules again if they change while Discord is asked %s",
    async (time) => {
      const commandPermissions = create();
      if (time === "again") {
        await commandPermissions.mayUse(press(), runnable);
        commandPermissions.forget("500");
      }
      const { promise, resolve } = Promise.withResolvers<void>();
      answering = promise;
      const asking = commandPermissions.mayUse(press(), open);
      rules = [deny("42", USER)];
      commandPermissions.forget("500");
      resolve();
      expect(await asking).toBe(true);
      expect(await commandPermissions.mayUse(press(), open)).toBe(false);
    },
  );

  it("uses the last known rules for a day while they cannot be read", async () => {
    const commandPermissions = create();
    rules = [deny("42", USER)];
    expect(await commandPermissions.mayUse(press(), open)).toBe(false);
    isSilent = true;
    commandPermissions.forget("500");
    clock.advance(23 * 3_600_000);
    expect(await commandPermissions.mayUse(press(), open)).toBe(false);
    clock.advance(3_600_000);
    await expect(commandPermissions.mayUse(press(), open)).rejects.toThrow(/^I can't check at the moment/);
    isSilent = false;
    expect(await commandPermissions.mayUse(press(), open)).toBe(false);
  });

  it("allows nothing, and says why, if the rules were never read", async () => {
    isSilent = true;
    await expect(create().mayUse(press({ permissions: MANAGER }), runnable)).rejects.toThrow(UserError);
  });
});
