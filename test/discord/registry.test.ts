import { beforeAll, describe, expect, it } from "vitest";
import { textReply } from "../../src/core/reply.ts";
import { type Command, createRegistry } from "../../src/discord/registry.ts";
import type { InteractionContext } from "../../src/discord/define.ts";
import { createCommandDirectory } from "../../src/discord/directory.ts";
import { readCommands } from "../../src/discord/read-commands.ts";
import { commandOf } from "./command-of.ts";
import type { Departures } from "../../src/rail/departures.ts";

const departures: Departures = { board: () => Promise.reject(new Error("this test asks for no board")) };
let commands: readonly Command[] = [];
const target = (command: string, action: string) => ({ command, action, args: {} });

beforeAll(async () => {
  commands = await readCommands(new URL("../fixtures/commands/", import.meta.url));
});

describe("the registry", () => {
  it("omits a command whose needs are not configured", () => {
    const names = (services: object) => createRegistry(commands, services).commands.map(({ name }) => name);
    expect(names({})).not.toContain("unavailable");
    expect(names({ departures })).toContain("unavailable");
  });

  it("finds commands, subcommands and menus by name", () => {
    const registry = createRegistry(commands, {});
    expect(registry.slash("fast")?.path).toBe("fast");
    expect(registry.slash("tools/add")?.path).toBe("tools/add");
    expect(registry.slash("tools")).toBeUndefined();
    expect(registry.slash("tools/deep/role")?.path).toBe("tools/deep/role");
    expect(registry.slash("unavailable")).toBeUndefined();
    expect(registry.messageMenu("Count letters")?.path).toBe("fast");
  });

  it("finds buttons, menus and forms by command and action, each only as its own kind", () => {
    const registry = createRegistry(commands, {});
    expect(registry.button(target("tools/add", "more"))?.commandFile.path).toBe("tools/add");
    expect(registry.button(target("tools/deep/role", "again"))?.commandFile.command).toBe("tools");
    expect(registry.button(target("fast", "pick"))).toBeUndefined();
    expect(registry.select(target("fast", "pick"))?.commandFile.path).toBe("fast");
    expect(registry.modal(target("form", "send"))?.commandFile.path).toBe("form");
    expect(registry.button(target("fast", "constructor"))).toBeUndefined();
  });
});

describe("a file with only components", () => {
  it("is found by its own name and has its command's permission", () => {
    const registry = createRegistry(commands, {});
    const sums = { path: "tools/sums", command: "tools", permission: "ManageGuild" };
    expect(registry.button(target("tools/sums", "reset"))?.commandFile).toMatchObject(sums);
    expect(registry.select(target("tools/sums", "pick"))?.commandFile).toMatchObject(sums);
    expect(registry.modal(target("tools/sums", "send"))?.commandFile).toMatchObject(sums);
    const steps = { path: "tally/steps", command: "tally", permission: "ManageGuild" };
    expect(registry.button(target("tally/steps", "up"))?.commandFile).toMatchObject(steps);
  });

  it("is not a subcommand", () => {
    const registry = createRegistry(commands, {});
    expect(registry.slash("tools/sums")).toBeUndefined();
    expect(registry.slash("tally/steps")).toBeUndefined();
    expect(registry.slash("tally")?.path).toBe("tally");
  });

  it("is omitted if its needs are not configured, while its command stays", () => {
    const look = (services: object) =>
      createRegistry(commands, services).button(target("tools/trains", "look"));
    expect(look({})).toBeUndefined();
    expect(look({ departures })?.commandFile.path).toBe("tools/trains");
  });

  it("is omitted with a command that has no other parts left", () => {
    const tools = commands.flatMap((command) =>
      command.name === "tools" ? [{ ...command, runnables: [] }] : [],
    );
    expect(tools).toHaveLength(1);
    expect(createRegistry(tools, {}).button(target("tools/sums", "reset"))).toBeUndefined();
  });
});

describe("files that people send", () => {
  it("are accepted where the command is offered, unless its handler names other contexts", () => {
    const run = () => textReply("seen");
    const pathsIn = (place: InteractionContext, contexts?: readonly InteractionContext[]) => {
      const messages = { fileTypes: ["video"] as const, run, ...(contexts && { contexts }) };
      const definition = { description: "Films", contexts: ["guild"] as const, run, messages };
      return createRegistry([commandOf("film", definition)], {})
        .messages(place)
        .map((route) => route.runnable.path);
    };
    expect([pathsIn("guild"), pathsIn("bot-dm")]).toEqual([["film"], []]);
    const both: readonly InteractionContext[] = ["guild", "bot-dm"];
    expect([pathsIn("guild", both), pathsIn("bot-dm", both)]).toEqual([["film"], ["film"]]);
  });
});

describe("the directory for /help", () => {
  it("lists commands, subcommands and menus when they are known", () => {
    let offered: readonly Command[] = [];
    const directory = createCommandDirectory(() => offered);
    expect(directory.list()).toEqual([]);
    offered = createRegistry(commands, {}).commands;
    const list = directory.list();
    expect(list).toContainEqual({
      name: "tools add",
      kind: "slash",
      description: "Adds numbers",
      options: [
        { name: "a", description: "One number", required: true },
        { name: "b", description: "Another", required: false },
      ],
      command: "tools",
    });
    expect(list.find(({ name }) => name === "tools deep role")?.command).toBe("tools");
    expect(list.find(({ kind }) => kind === "message-menu")?.name).toBe("Count letters");
    expect(directory.list()).toBe(list);
  });
});
