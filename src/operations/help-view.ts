// What the bot can do here, from the commands themselves.
import { joinLines } from "../core/text.ts";
import { type Reply, card, escapeMarkdown } from "../core/reply.ts";
import type { CommandSummary } from "../discord/directory.ts";

const WELCOME =
  "Hello! I keep an eye on Britain's trains and buses. Name a station and I'll put up its board, live and " +
  "lit like the one on the platform, or name two places and I'll find the way.";

/** Without a train data service, there is no board to promise. */
const WELCOME_WITHOUT_TRAINS =
  "Hello! I put up railway boards, but nobody has connected me to a train data service yet: the person who runs " +
  "me can. Until then, this is what I can do here.";

const BESIDES = [
  ["style", "Give me a picture and I'll paint it in another style."],
  ["video publish", "Give me a video and I'll publish it, once you have looked it over."],
] as const;

const HOW_TO_SEE_OPTIONS = "-# Choose a command in `/help command` to see its options.";

/** All commands, those of one folder together, menus last. Made once for each list. */
export function helpView(commands: readonly CommandSummary[]): Reply {
  const view = views.get(commands) ?? listCommands(commands);
  views.set(commands, view);
  return view;
}

/** The list stays the same for weeks, and this is what people ask first and most often. */
const views = new WeakMap<readonly CommandSummary[], Reply>();

function listCommands(commands: readonly CommandSummary[]): Reply {
  const slash = commands.filter(({ kind }) => kind === "slash");
  const groups = Map.groupBy(slash, groupOf);
  const menus = commands.filter(({ kind }) => kind === "message-menu");
  const texts = [
    `### Signalbox\n${welcome(new Set(slash.map(({ name }) => name)))}`,
    ...[...groups].map(([group, members]) => section(group, members)),
    ...(menus.length > 0 ? [section("On a message: press and hold, or right-click, then Apps", menus)] : []),
    HOW_TO_SEE_OPTIONS,
  ];
  return reply(texts);
}

function welcome(names: ReadonlySet<string>): string {
  return [
    names.has("departures") ? WELCOME : WELCOME_WITHOUT_TRAINS,
    ...BESIDES.flatMap(([name, sentence]) => (names.has(name) ? [sentence] : [])),
    "Tap a command to start it.",
  ].join(" ");
}

export function groupHelpView(members: readonly CommandSummary[]): Reply {
  const [first] = members;
  return reply([section(first === undefined ? "" : groupOf(first), members), HOW_TO_SEE_OPTIONS]);
}

export function commandHelpView(command: CommandSummary): Reply {
  const options = command.options.map(
    ({ name, description, required }) =>
      `\`${name}\` ${escapeMarkdown(description)}${required ? " (needed)" : ""}`,
  );
  const how =
    command.kind === "message-menu"
      ? "-# Press and hold a message, or right-click it, then choose Apps."
      : "-# It takes no options.";
  return reply([
    `### ${title(command)}\n${escapeMarkdown(command.description)}${mark(command)}`,
    options.length > 0 ? options.join("\n") : how,
  ]);
}

function reply(texts: readonly string[]): Reply {
  return card(texts.map((text) => text));
}

/** `board subscribe` belongs to `board`; commands of one word stand together, first. */
function groupOf({ name }: CommandSummary): string {
  return name.includes(" ") ? `/${name.slice(0, name.indexOf(" "))}` : "";
}

/** What all of them ask for is said once. */
function section(heading: string, members: readonly CommandSummary[]): string {
  const marks = new Set(members.map(mark));
  const [shared = ""] = heading !== "" && marks.size === 1 ? marks : [];
  const lines = members.map((command) => {
    const own = shared === "" ? mark(command) : "";
    return `${title(command)} ${escapeMarkdown(command.description)}${own}`;
  });
  return joinLines(heading !== "" && `**${heading}**${shared}`, ...lines);
}

/** A mention that starts the command when tapped, once Discord has given it an id. */
function title({ kind, name, id }: CommandSummary): string {
  if (kind === "message-menu") {
    return `**${escapeMarkdown(name)}**`;
  }
  return id === undefined ? `\`/${name}\`` : `</${name}:${id}>`;
}

/** Discord's client calls ManageGuild "Manage Server"; the others as they are. */
function mark({ permission }: CommandSummary): string {
  if (permission === undefined) {
    return "";
  }
  const words =
    permission === "ManageGuild" ? "Manage Server" : permission.replace(/(?<=[a-z])(?=[A-Z])/g, " ");
  return ` · 🔒 ${words}`;
}
