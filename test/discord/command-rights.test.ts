import { PermissionFlagsBits } from "discord.js";
import { expect, it } from "vitest";
import type { Command } from "../../src/discord/registry.ts";
import { createCommandRights } from "../../src/discord/command-permissions.ts";
import { MessengerError } from "../../src/core/ports.ts";

const board: Command = {
  name: "board",
  description: "Boards",
  permission: "ManageGuild",
  contexts: ["guild"],
  groups: new Map(),
  runnables: [],
  components: [],
};

/** Opens a server whose role 5 may manage it. `asked` has the calls to the check that presses in a server use. */
function open(roles: readonly string[], trouble?: MessengerError, until?: string) {
  const asked: object[] = [];
  const permissions = String(PermissionFlagsBits.ManageGuild);
  const guild = { id: "1", owner_id: "9", roles: [{ id: "5", permissions }] };
  const rights = createCommandRights({
    commands: [board],
    applicationId: () => "900",
    clock: { now: () => Date.parse("2026-11-18T17:20:00Z") },
    async read(route, schema) {
      if (trouble) {
        throw trouble;
      }
      return schema.parse(
        route.endsWith("/members/7") ? { roles, communication_disabled_until: until } : guild,
      );
    },
    commandPermissions: {
      async mayUse(use, part) {
        asked.push({ use, part });
        return true;
      },
    },
  });
  return { rights, asked, permissions };
}

it("findAllowedMember checks a press in a DM like one in the server", async () => {
  const { rights, asked, permissions } = open(["5"]);
  expect(await rights.findAllowedMember("1", "7", "board")).toEqual({ roleIds: ["5"] });
  expect(asked).toMatchObject([
    {
      use: { application_id: "900", guild_id: "1", member: { user: { id: "7" }, roles: ["5"], permissions } },
      part: { command: "board", permission: "ManageGuild" },
    },
  ]);
});

it("findAllowedMember refuses a person who is not in the server, and an unknown command", async () => {
  const gone = new MessengerError("channel-gone", "gone");
  expect(await open([], gone).rights.findAllowedMember("1", "7", "board")).toBeUndefined();
  expect(await open([]).rights.findAllowedMember("1", "7", "boards")).toBeUndefined();
});

it("findAllowedMember throws if Discord does not answer", async () => {
  const away = new MessengerError("unavailable", "away");
  await expect(open([], away).rights.findAllowedMember("1", "7", "board")).rejects.toBe(away);
});

it("findAllowedMember refuses a person who is timed out there, whatever the server's rules say", async () => {
  const timedOut = (until: string) =>
    open(["5"], undefined, until).rights.findAllowedMember("1", "7", "board");
  expect(await timedOut("2026-11-18T17:20:01.000000+00:00")).toBeUndefined();
  expect(await timedOut("2026-11-18T17:20:00.000000+00:00")).toEqual({ roleIds: ["5"] });
  expect(await timedOut("some day")).toBeUndefined();
});
