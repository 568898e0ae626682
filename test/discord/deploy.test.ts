import { DiscordAPIError, HTTPError } from "discord.js";
import { beforeAll, describe, expect, it } from "vitest";
import { parseCommandForm, parseCommandForms } from "../../sandbox/discord/validate/command.ts";
import { createLog } from "../../src/core/log.ts";
import { type Command, commandFilesOf } from "../../src/discord/registry.ts";
import { createRegistration, deployCommands, planDeploy } from "../../src/discord/deploy.ts";
import { formatCommand } from "../../src/discord/payload.ts";
import { readCommands } from "../../src/discord/read-commands.ts";
import { openapiChecker } from "../support/openapi-checker.ts";
import { createStillClock } from "../support/still-clock.ts";

const log = createLog({ level: "silent", secrets: [] });
let commands: readonly Command[] = [];

beforeAll(async () => {
  commands = await readCommands(new URL("../fixtures/commands/", import.meta.url));
});

interface Stored {
  readonly id: string;
  readonly type: number;
  readonly name: string;
  readonly [field: string]: unknown;
}

/** Stores commands as Discord does: with additional fields, and without empty or false ones. */
function createCommandStore() {
  const stored = new Map<string, Stored>();
  const writes: string[] = [];
  let next = 1;
  const keep = (id: string, body: object): Stored => {
    const { options, ...rest } = {
      options: [],
      description: "",
      type: 1,
      name: "",
      ...body,
    };
    const command: Stored = {
      version: `${next}`,
      application_id: "900",
      nsfw: false,
      name_localizations: null,
      dm_permission: true,
      ...rest,
      ...(options.length > 0
        ? {
            options: JSON.parse(JSON.stringify(options, (_, value) => (value === false ? undefined : value))),
          }
        : {}),
      id,
    };
    stored.set(id, command);
    return command;
  };
  return {
    stored,
    writes,
    rest: {
      get: async () => [...stored.values()],
      async put(_route: string, options?: { body?: unknown }) {
        const before = [...stored.values()];
        stored.clear();
        const bodies: readonly Partial<Stored>[] = Array.isArray(options?.body) ? options.body : [];
        for (const body of bodies) {
          const known = before.find(({ type, name }) => type === body.type && name === body.name);
          keep(known?.id ?? String((next += 1)), body);
        }
        writes.push(`${bodies.length} commands`);
        return [...stored.values()];
      },
    },
  };
}

const deploy = (
  rest: ReturnType<typeof createCommandStore>["rest"],
  wanted: readonly Command[],
  write = true,
) => deployCommands({ rest, applicationId: "900", commands: wanted, userInstall: true, write, log });

describe("registering commands", () => {
  it("creates all commands the first time, and sends nothing the second time", async () => {
    const { rest, writes } = createCommandStore();
    const first = await deploy(rest, commands);
    expect(first.created).toContain("tools");
    expect(first.created).toContain("Count letters");
    const count = writes.length;
    const second = await deploy(rest, commands);
    expect(writes).toHaveLength(count);
    expect([second.created, second.edited, second.deleted]).toEqual([[], [], []]);
    expect(second.ids).toEqual(first.ids);
  });

  it("edits and deletes commands in one request, and returns their names", async () => {
    const { rest, writes, stored } = createCommandStore();
    await deploy(rest, commands);
    writes.length = 0;
    const fast = [...stored.values()].find(({ name }) => name === "fast");
    stored.set(fast?.id ?? "", {
      ...fast,
      id: fast?.id ?? "",
      type: 1,
      name: "fast",
      description: "Older words",
    });
    const left = commands.filter(({ name }) => name !== "quiet");
    const { created, edited, deleted } = await deploy(rest, left);
    expect([created, edited, deleted]).toEqual([[], ["fast"], ["quiet"]]);
    expect(writes).toHaveLength(1);
    expect([...stored.values()].map(({ name }) => name)).not.toContain("quiet");
  });

  it("removes options that a command no longer has", async () => {
    const { rest, stored } = createCommandStore();
    await deploy(rest, commands);
    const form = [...stored.values()].find(({ name }) => name === "form");
    stored.set(form?.id ?? "", {
      ...form,
      id: form?.id ?? "",
      type: 1,
      name: "form",
      options: [{ type: 3, name: "old", description: "Old" }],
    });
    const { edited } = await deploy(rest, commands);
    expect(edited).toEqual(["form"]);
    expect([...stored.values()].find(({ name }) => name === "form")).not.toHaveProperty("options");
  });

  it("only reads if it may not write", async () => {
    const { rest, writes } = createCommandStore();
    await deploy(rest, commands.slice(0, 1));
    writes.length = 0;
    const { ids } = await deploy(rest, commands, false);
    expect(writes).toEqual([]);
    expect([...ids.keys()]).toEqual(["failing"]);
  });

  it("leaves an Activity's entry point alone", async () => {
    const { rest, stored } = createCommandStore();
    stored.set("1", { id: "1", type: 4, name: "launch" });
    const { deleted } = await deploy(rest, commands);
    expect(deleted).toEqual([]);
    expect(stored.get("1")?.name).toBe("launch");
  });
});

describe("a registration that fails", () => {
  const FIVE_MINUTES_MS = 5 * 60_000;
  const HOUR_MS = 3_600_000;
  const raw = { code: 50_035, message: "Invalid Form Body" };
  const refused = (status: number) =>
    new DiscordAPIError(raw, raw.code, status, "PUT", "https://discord.com", { files: undefined, body: [] });
  const failed = new HTTPError(503, "Service Unavailable", "PUT", "https://discord.com", { body: [] });

  it.each([
    ["an hour if Discord refuses the definitions", refused(400), HOUR_MS],
    ["an hour if Discord refuses the bot", refused(403), HOUR_MS],
    ["five minutes if Discord fails", failed, FIVE_MINUTES_MS],
    ["five minutes if Discord cannot be reached", new Error("ECONNRESET"), FIVE_MINUTES_MS],
  ])("is retried after %s", async (_, error, afterMs) => {
    const clock = createStillClock();
    const { rest, writes } = createCommandStore();
    let isFailing = true;
    const put: typeof rest.put = async (...request) => {
      if (isFailing) {
        throw error;
      }
      return rest.put(...request);
    };
    const registration = createRegistration({
      client: { rest: { ...rest, put }, ws: { shards: new Map([[0, {}]]) } },
      commands,
      userInstall: true,
      ids: { note: () => undefined },
      clock,
      log,
    });
    await registration.register("900");
    expect(clock.waits()).toEqual([afterMs]);
    isFailing = false;
    clock.advance(afterMs);
    await expect.poll(() => writes.length).toBe(1);
    expect(clock.waits()).toEqual([]);
  });
});

describe("a command's registration", () => {
  it("is derived from the definition", () => {
    const tools = commands.find(({ name }) => name === "tools");
    expect(tools && formatCommand(tools, true)).toEqual([
      {
        type: 1,
        name: "tools",
        description: "Tools for those who manage the server",
        default_member_permissions: "32",
        contexts: [0],
        integration_types: [0],
        options: [
          {
            type: 1,
            name: "add",
            description: "Adds numbers",
            options: [
              { type: 4, name: "a", description: "One number", required: true, min_value: -1_000 },
              { type: 10, name: "b", description: "Another", required: false },
            ],
          },
          { type: 1, name: "who", description: "Shows who asks, and where", options: [] },
          {
            type: 2,
            name: "deep",
            description: "Tools in a subcommand group",
            options: [
              {
                type: 1,
                name: "role",
                description: "Shows a role, and the caller's roles",
                options: [{ type: 8, name: "role", description: "Which role", required: true }],
              },
            ],
          },
        ],
      },
    ]);
  });

  it("has an option's channel types, and is edited when they change", () => {
    const command = commands.find(({ name }) => name === "files");
    const [slash] = command ? formatCommand(command, true) : [];
    const channel = slash?.options?.find(({ name }) => name === "channel");
    expect(channel).toMatchObject({ type: 7, channel_types: [0, 10, 11, 12] });
    const plan = (channel_types: readonly number[]) => {
      const options = slash?.options?.map((option) =>
        option === channel ? { ...option, channel_types } : option,
      );
      const present = { id: "1", type: 1, name: "files", ...slash, options };
      return planDeploy([present], slash ? [slash] : []).edited.length;
    };
    expect([plan([12, 0, 11, 10]), plan([0])]).toEqual([0, 1]);
  });

  it("offers a command everywhere by default, together with its menu", () => {
    const fast = commands.find(({ name }) => name === "fast");
    const [slash, menu] = fast ? formatCommand(fast, true) : [];
    expect(slash).toMatchObject({
      contexts: [0, 1, 2],
      integration_types: [0, 1],
      default_member_permissions: null,
    });
    expect(menu).toMatchObject({ type: 3, name: "Count letters" });
    expect(menu).not.toHaveProperty("description");
  });

  it("conforms to Discord's schema", () => {
    const checker = openapiChecker();
    const findings = commands
      .flatMap((command) => formatCommand(command, true))
      .flatMap((body) => [
        ...checker.findings({ method: "POST", path: "/applications/900/commands", body }),
        ...checker.findings({ method: "PATCH", path: "/applications/900/commands/1", body }),
      ]);
    expect(findings).toEqual([]);
  });

  it("conforms to Discord's rules for each of the bot's own commands", async () => {
    const own = await readCommands(new URL("../../commands/", import.meta.url));
    const bodies = own.flatMap((command) => formatCommand(command, true));
    const problems = bodies.flatMap((body) => {
      try {
        return parseCommandForm(body) && [];
      } catch (error) {
        return `${body.name}: ${String(error)}`;
      }
    });
    expect(problems).toEqual([]);
    expect(() => parseCommandForms(bodies)).not.toThrow();
  });

  it("has valid actions and message handlers for the bot's own commands", async () => {
    const own = await readCommands(new URL("../../commands/", import.meta.url));
    const actions = own
      .flatMap(commandFilesOf)
      .flatMap(({ definition }) => [definition.buttons, definition.selects, definition.modals])
      .flatMap((handlers) => Object.keys(handlers ?? {}));
    expect(actions.length).toBeGreaterThan(20);
    expect(actions.filter((action) => !/^[A-Za-z][\w-]{0,31}$/.test(action))).toEqual([]);
    const messages = own.flatMap(({ runnables }) =>
      runnables.flatMap(({ definition }) => definition.messages ?? []),
    );
    expect(messages.length).toBeGreaterThan(2);
    expect(messages.filter(({ words, fileTypes = [] }) => !words && fileTypes.length === 0)).toEqual([]);
  });
});
