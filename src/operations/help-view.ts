// The commands that a person can use here: first the subjects, then the commands of the subject that they choose.
import { LRUCache } from "lru-cache";
import { type Reply, escapeMarkdown, menu, privateCard } from "../core/reply.ts";
import { joinLines, listOr } from "../core/text.ts";
import type { CommandSummary } from "../discord/directory.ts";

interface Subject {
  readonly id: string;
  readonly emoji: string;
  readonly label: string;
  /** Names of registered commands, in the order in which they are shown. */
  readonly commands: readonly string[];
  readonly sentence: string;
}

const SUBJECTS: readonly Subject[] = [
  {
    id: "travel",
    emoji: "🚆",
    label: "Trains and buses",
    commands: ["departures", "arrivals", "timetable", "journey", "bus", "places", "network"],
    sentence: "`/departures` shows a station's live board; `/journey` plans a trip from door to door.",
  },
  {
    id: "watches",
    emoji: "🔔",
    label: "Alerts",
    commands: ["watch"],
    sentence: "`/watch` tells you, or a channel, when a train, a line or the railway is disrupted.",
  },
  {
    id: "pictures",
    emoji: "🎨",
    label: "Pictures",
    commands: ["style", "styles"],
    sentence: "`/style` gives a picture a new look.",
  },
  {
    id: "videos",
    emoji: "🎬",
    label: "Videos",
    commands: ["video"],
    sentence: "`/video publish` puts a video online once you've checked it.",
  },
  {
    id: "server",
    emoji: "📋",
    label: "This server",
    commands: ["setup", "board"],
    sentence: "`/board subscribe` keeps a live board in a channel.",
  },
  {
    id: "about",
    emoji: "💬",
    label: "About me and your data",
    commands: ["about", "privacy", "help"],
    sentence: "`/about` shows how I'm doing; `/privacy export` gives you what I keep about you.",
  },
];

const NO_TRAINS = "-# Live trains aren't connected here yet. The person who runs me can change that.";

/** Cached by the commands, because most people can use the same ones. */
const overviews = new LRUCache<string, Reply, Parameters<typeof helpView>>({
  max: 50,
  memoMethod: (_about, _old, { context }) => overview(...context),
});

/** `hasTrains`: whether live trains are set up, even if the server's rules do not let this person use them. */
export function helpView(commands: readonly CommandSummary[], hasTrains: boolean): Reply {
  const about = [hasTrains, ...commands.map(({ command }) => command)].join(" ");
  return overviews.memo(about, { context: [commands, hasTrains] });
}

function overview(commands: readonly CommandSummary[], hasTrains: boolean): Reply {
  const offered = subjectsOf(commands);
  const lines = offered.map((subject) => `${subject.emoji} ${sentenceOf(subject, commands)}`);
  return privateCard([joinLines("### Signalbox", ...lines), !hasTrains && NO_TRAINS, subjectMenu(offered)]);
}

/** The commands of a subject that this person can use; the view of `helpView` if there is no such subject. */
export function subjectView(commands: readonly CommandSummary[], hasTrains: boolean, id: string): Reply {
  const offered = subjectsOf(commands);
  const subject = offered.find((each) => each.id === id);
  if (!subject) {
    return helpView(commands, hasTrains);
  }
  const members = subject.commands.flatMap((name) => commands.filter(({ command }) => command === name));
  const menus = members.filter(({ kind }) => kind === "message-menu").map(title);
  return privateCard([
    `### ${subject.emoji} ${subject.label}`,
    listOf(members.filter(({ kind }) => kind === "slash")),
    exampleWords(members),
    menus.length > 0 &&
      `-# On any message: right-click it, or press and hold, then Apps › ${menus.join(" or ")}.`,
    subjectMenu(offered, id),
  ]);
}

/** Drops the clauses about commands that this person cannot use. If none is left, describes the first that they can. */
function sentenceOf({ sentence, commands: names }: Subject, commands: readonly CommandSummary[]): string {
  const clauses = sentence.replace(/\.$/, "").split("; ");
  const offered = clauses.filter((clause) => isAmong(/`\/([a-z]+)/.exec(clause)?.[1] ?? "", commands));
  return offered.length > 0
    ? `${offered.join("; ")}.`
    : listOf(commands.filter(({ command }) => names.includes(command)).slice(0, 1));
}

function subjectsOf(commands: readonly CommandSummary[]): readonly Subject[] {
  return SUBJECTS.filter(({ commands: names }) => names.some((name) => isAmong(name, commands)));
}

function subjectMenu(offered: readonly Subject[], chosenId?: string) {
  return menu(
    { command: "help", action: "subject" },
    "All commands for…",
    offered.map(({ id, emoji, label }) => ({
      label: `${emoji} ${label}`,
      value: id,
      ...(id === chosenId ? { chosen: true } : {}),
    })),
  );
}

export function groupHelpView(name: string, members: readonly CommandSummary[]): Reply {
  return privateCard([
    `### \`/${name}\``,
    listOf(members),
    "-# To see the options of one of these, use `/help` with its name.",
  ]);
}

/** `isRefused`: whether the server lets this person use other commands, but not this one. */
export function commandHelpView(command: CommandSummary, isRefused = false): Reply {
  const options = command.options.map(
    ({ name, description, required }) =>
      `\`${name}\` ${escapeMarkdown(description)}${required ? " (required)" : ""}`,
  );
  const how =
    command.kind === "message-menu"
      ? "-# Right-click a message, or press and hold it, then choose Apps."
      : "-# It has no options.";
  return privateCard([
    `### ${title(command)}\n${escapeMarkdown(command.description)}`,
    options.length > 0 ? options.join("\n") : how,
    exampleWords([command]),
    isRefused && "-# You can't use it here. The people who manage this server decide who can.",
  ]);
}

function exampleWords(commands: readonly CommandSummary[]): string | undefined {
  const examples = commands.flatMap(({ example }) => (example === undefined ? [] : `“${example}”`));
  return examples.length === 0
    ? undefined
    : `-# Without a command: mention me or send me a direct message, e.g. ${listOr(examples)}.`;
}

function isAmong(name: string, commands: readonly CommandSummary[]): boolean {
  return commands.some(({ command }) => command === name);
}

function listOf(commands: readonly CommandSummary[]): string {
  return commands.map((each) => `${title(each)} ${escapeMarkdown(each.description)}`).join("\n");
}

function title({ kind, name }: CommandSummary): string {
  return kind === "message-menu" ? `**${escapeMarkdown(name)}**` : `\`/${name}\``;
}
