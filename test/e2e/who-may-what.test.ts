// Who may do what: every command, menu, button, select, form and file that people send, in every situation. The
// expected results follow from the definitions and from Discord's rules as written here; the real bot and the local
// Discord give the actual ones.
import { ApplicationCommandPermissionType, ApplicationCommandType } from "discord-api-types/v10";
import { expect, it } from "vitest";
import type { Channel, CommandPermission } from "../../sandbox/discord/entities.ts";
import { commandsOffered } from "../../sandbox/discord/rules/commands.ts";
import type { World } from "../../sandbox/world.ts";
import { type Command, commandFilesOf } from "../../src/discord/registry.ts";
import { NOT_ALLOWED } from "../../src/discord/explain-error.ts";
import { readCommands } from "../../src/discord/read-commands.ts";
import { startThread } from "../../sandbox/discord/rules/threads.ts";
import { postAsBot, pressForged, storedIds } from "../support/forged-presses.ts";
import { openCheckedWorld, reportChecks } from "../support/checked-world.ts";

reportChecks();

const KINDS = ["buttons", "selects", "modals"] as const;
const REFUSALS: ReadonlySet<string> = new Set(Object.values(NOT_ALLOWED));
const FILES = { image: "cat.png", video: "train.mp4" };

type Kind = "command" | "menu" | "message" | (typeof KINDS)[number];

/** Something that a person can do, with what its definition says. */
interface Action {
  readonly kind: Kind;
  readonly name: string;
  /** For a component, an example of its id; for a message, its words or the name of its file. */
  readonly id: string;
  /** The permission that its command requires. */
  readonly permission: string | undefined;
  readonly anyone: boolean;
  readonly contexts: readonly string[];
  readonly isOwners: boolean;
}

function actionsOf(command: Command): readonly Action[] {
  const { permission, contexts } = command;
  const isOwners = command.runnables.some((runnable) => runnable.ownerOnly);
  const shared = { permission, contexts, isOwners, anyone: false };
  return [
    ...command.runnables.flatMap(({ path, definition: { messageMenu, messages } }): readonly Action[] => [
      { ...shared, kind: "command", name: path, id: command.name },
      ...(messageMenu
        ? [{ ...shared, kind: "menu", name: messageMenu.name, id: messageMenu.name } as const]
        : []),
      ...[
        ...(messages?.fileTypes ?? []).map((type) => FILES[type]),
        ...(messages?.words ? [messages.words.example] : []),
      ].map((sent) => ({
        ...shared,
        kind: "message" as const,
        name: `${path}: ${sent}`,
        id: sent,
        contexts: messages?.contexts ?? contexts,
      })),
    ]),
    ...commandFilesOf(command).flatMap((file) =>
      KINDS.flatMap((kind) =>
        Object.entries(file.definition[kind] ?? {}).map(([action, handler]): Action => {
          const name = `${file.path}:${action}`;
          const id = storedIds.find((each) => each.kind === kind && each.route === name)?.id ?? "";
          const anyone = "anyone" in handler && handler.anyone === true;
          return { ...shared, kind, name, id, anyone };
        }),
      ),
    ),
  ];
}

interface Situation {
  readonly where: "server" | "conversation" | "server without the bot";
  readonly channel: Channel;
  readonly person: string;
  /** Whether the person has the permissions that commands require. */
  readonly manages: boolean;
  readonly isTimedOut?: boolean;
  readonly mayUseCommands?: boolean;
  /** Whether the person owns the application. */
  readonly isOwner?: boolean;
  /** The server's permissions for every single command, and for all commands together. */
  readonly own?: CommandPermission;
  readonly forAll?: CommandPermission;
}

/** Discord's rules: a command's own permissions precede those for all commands, which can only take away. */
function isExpected({ kind, permission, anyone, contexts, isOwners }: Action, situation: Situation): boolean {
  const { where, manages, isTimedOut = false, mayUseCommands = true, own, forAll } = situation;
  const isCommand = kind === "command" || kind === "menu";
  const context = where === "conversation" ? "bot-dm" : "guild";
  const isOffered =
    contexts.includes(context) && (where !== "server without the bot" || contexts.length === 3);
  if (isTimedOut || ((isCommand || kind === "message") && !isOffered)) {
    return false;
  }
  if (isOwners && !isCommand) {
    return where === "conversation" && situation.isOwner === true;
  }
  if (where === "conversation" || anyone) {
    return true;
  }
  const isRuled = where === "server";
  const byDefault = permission === undefined || manages;
  const bySubject =
    (own?.kind === ApplicationCommandPermissionType.Channel ? undefined : own?.allow) ??
    (forAll?.allow === false ? false : byDefault);
  const inChannel = own?.kind !== ApplicationCommandPermissionType.Channel || own.allow;
  return isRuled ? mayUseCommands && inChannel && bySubject : byDefault;
}

const USE_COMMANDS = 1n << 31n;
const MODERATOR = 32n;

/** The situations, by name. People who are denied something manage the server, so nothing else stands in their way. */
async function createSituations(world: World): Promise<ReadonlyMap<string, Situation>> {
  const { discord, guild } = world;
  const member = (name: string) => world.member(name);
  const [grace, alan, mary] = [member("Grace").id, member("Alan").id, member("Mary").id];
  // Each situation has its own channel, because Discord limits how much the bot can write in one.
  const room = (name: string) => discord.addChannel(guild, name);
  const [shut, parent] = [room("shut"), room("parent")];
  const thread = startThread(discord.platform, parent);
  const staffId = discord.addRole(guild, { name: "Crew", permissions: MODERATOR, memberIds: [mary] });
  const other = discord.addGuild({ name: "Other", memberIds: [member("Ada").id, grace] });
  const elsewhere = discord.addGuild({
    name: "Elsewhere",
    memberIds: [member("Ada").id, alan],
    withoutBot: true,
  });
  const quiet = discord.addChannel(guild, "no commands", 0, [
    { id: guild.id, kind: 0, allow: 0n, deny: USE_COMMANDS },
  ]);
  discord.setUserInstall("Alan", true);
  const plain = () => ({ where: "server", channel: room("hall"), person: "Alan", manages: false }) as const;
  const manager = () => ({ ...plain(), person: "Grace", manages: true }) as const;
  const everyone = { id: guild.id, kind: 1 } as const;
  return new Map<string, Situation>([
    ["member", plain()],
    ["manager", manager()],
    ["denied by role", { ...manager(), person: "Mary", own: { id: staffId, kind: 1, allow: false } }],
    ["denied by member", { ...manager(), own: { id: grace, kind: 2, allow: false } }],
    ["denied by channel", { ...manager(), channel: shut, own: { id: shut.id, kind: 3, allow: false } }],
    [
      "denied by the channel of a thread",
      { ...manager(), channel: thread, own: { id: parent.id, kind: 3, allow: false } },
    ],
    [
      "denied in all channels",
      { ...manager(), own: { id: String(BigInt(guild.id) - 1n), kind: 3, allow: false } },
    ],
    ["denied application-wide", { ...manager(), forAll: { ...everyone, allow: false } }],
    [
      "denied application-wide, allowed by member",
      { ...plain(), forAll: { ...everyone, allow: false }, own: { id: alan, kind: 2, allow: true } },
    ],
    ["allowed by member", { ...plain(), own: { id: alan, kind: 2, allow: true } }],
    ["allowed application-wide", { ...plain(), forAll: { id: alan, kind: 2, allow: true } }],
    ["may use no commands", { ...manager(), channel: quiet, mayUseCommands: false }],
    ["timed out", { ...manager(), isTimedOut: true }],
    [
      "other server",
      { where: "server", channel: discord.addChannel(other, "hall"), person: "Grace", manages: false },
    ],
    [
      "user install",
      {
        where: "server without the bot",
        channel: discord.addChannel(elsewhere, "hall"),
        person: "Alan",
        manages: false,
      },
    ],
    [
      "DM of the owner",
      { where: "conversation", channel: member("Ada").dm(), person: "Ada", manages: false, isOwner: true },
    ],
    ["DM", { where: "conversation", channel: member("Alan").dm(), person: "Alan", manages: false }],
  ]);
}

/** Sets up a situation, or undoes it. */
function arrange({ discord, guild, clock }: World, situation: Situation, isOn: boolean): void {
  const { own, forAll, isTimedOut, person } = situation;
  for (const command of discord.state.commands.values()) {
    discord.setCommandPermissions(guild, command, isOn && own ? [own] : []);
  }
  discord.setCommandPermissions(guild, discord.state.application, isOn && forAll ? [forAll] : []);
  if (isTimedOut === true) {
    const untilMs = isOn ? clock.now() + 60_000 : undefined;
    discord.timeOut(guild, discord.member(person).id, untilMs);
  }
}

/** Whether a person may do something: Discord offers it, or the bot does not refuse it. */
async function isAllowed(
  world: World,
  action: Action,
  situation: Situation,
  messageId: string,
): Promise<boolean> {
  const { channel, person } = situation;
  const member = world.member(person);
  if (action.kind === "command" || action.kind === "menu") {
    const offered = commandsOffered(world.discord.platform, channel, member.id);
    return offered.some(
      ({ kind, name }) =>
        kind ===
          (action.kind === "menu" ? ApplicationCommandType.Message : ApplicationCommandType.ChatInput) &&
        name === action.id,
    );
  }
  if (action.kind === "message") {
    const isFile = Object.values(FILES).includes(action.id);
    const files = isFile ? [{ name: action.id, bytes: new Uint8Array(9) }] : [];
    const asked = await member.mention(channel, isFile ? "" : action.id, files);
    const answer = await member.waitForMessage(channel, ({ repliesTo }) => repliesTo === asked.id);
    return !REFUSALS.has(answer.text);
  }
  const place = { userId: member.id, channel, messageId };
  const answer = await pressForged(world, place, { kind: action.kind, id: action.id });
  return !REFUSALS.has(answer.text);
}

it(
  "permissions are as the definitions and Discord's rules say, for every action in every situation",
  { timeout: 180_000 },
  async () => {
    await using world = await openCheckedWorld();
    // Allowed actions need not succeed: samples of all styles would take longer than everything else here.
    world.style.faults.add({ path: "/v1/process", do: "401", times: 999 });
    const commands = await readCommands(new URL("../../commands/", import.meta.url));
    // A component without a stored id cannot be pressed here; test/commands/stored-ids.test.ts reports it.
    const actions = commands.flatMap(actionsOf).filter(({ id }) => id !== "");
    const situations = await createSituations(world);
    const wrong: string[] = [];
    let cells = 0;
    let allowed = 0;
    for (const [name, situation] of situations) {
      const isGuest = situation.where === "server without the bot";
      const messageId = isGuest
        ? (await world.member(situation.person).slash(situation.channel, "help")).message.id
        : postAsBot(world, situation.channel);
      arrange(world, situation, true);
      const reached = actions.filter(({ kind }) => kind !== "message" || !isGuest);
      const found = await Promise.all(
        reached.map((action) => isAllowed(world, action, situation, messageId)),
      );
      arrange(world, situation, false);
      for (const [index, action] of reached.entries()) {
        cells += 1;
        allowed += found[index] === true ? 1 : 0;
        if (found[index] !== isExpected(action, situation)) {
          wrong.push(
            `${action.kind} ${action.name}, ${name}: ${found[index] === true ? "allowed" : "refused"}`,
          );
        }
      }
    }
    expect(wrong).toEqual([]);
    // There must be many of both: a bot that never answers, or allows everything, proves nothing.
    expect({ actions: actions.length, cells, allowed, refused: cells - allowed }).toEqual({
      actions: expect.toSatisfy((count: number) => count > 160),
      cells: expect.toSatisfy((count: number) => count > 2_500),
      allowed: expect.toSatisfy((count: number) => count > 900),
      refused: expect.toSatisfy((count: number) => count > 1_500),
    });
  },
);
