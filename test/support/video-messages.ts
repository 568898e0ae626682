// Records all messages about publications, what each says in the end, and statements that were not true when they were
// made.
import { COMPONENT_TYPES } from "../../sandbox/discord/component-types.ts";
import type { SeenMessage } from "../../sandbox/discord/actors/member-types.ts";
import type { Message } from "../../sandbox/discord/entities.ts";
import { walkComponents } from "../../sandbox/discord/serialise/message.ts";
import { progressOf } from "../../sandbox/video/progress.ts";
import type { World } from "../../sandbox/world.ts";
import { parseComponentId } from "../../src/core/component-id.ts";

/** The state that a publication's message shows. */
export type ShownState =
  | "awaiting-approval"
  | "under-way"
  | "scheduled"
  | "published"
  | "outcome-unknown"
  | "cancelled"
  | "expired"
  | "failed"
  | "refused"
  | "deleted";

const SAYS: readonly (readonly [RegExp, ShownState])[] = [
  [/^⏳/m, "awaiting-approval"],
  [/^(?:⬆️|⚙️|⏹️)/mu, "under-way"],
  [/^🗓️/mu, "scheduled"],
  [/^✅ Published/m, "published"],
  [/^❓/m, "outcome-unknown"],
  [/^Cancelled\./m, "cancelled"],
  [/expired before it was sent/, "expired"],
  [/^✖️/mu, "refused"],
  [/^🗑️/mu, "deleted"],
  [/^⚠️/mu, "failed"],
];

/** Reads the state that a message shows. Throws if it shows none. */
export function readShownState(text: string): ShownState {
  const [, said] = SAYS.find(([words]) => words.test(text)) ?? [];
  if (said === undefined) {
    throw new Error(`a publication's message has no known text: ${text}`);
  }
  return said;
}

/** Whether a message says that nothing was published. */
export function saysNothingPublished(text: string): boolean {
  return text.includes("Nothing was published.");
}

export interface MessagesOfPublication {
  /** Its own messages, deleted ones included. */
  readonly own: readonly Message[];
  readonly approvals: readonly Message[];
}

export interface PublicationMessages {
  /** The messages of a publication so far; new ones are added as they come. */
  of(id: string): MessagesOfPublication;
  /** One line for each statement that was not true when it was made. */
  readonly falseStatements: readonly string[];
  /** The content of all messages, whoever could see them. */
  readonly everything: readonly string[];
}

/** Starts recording. `titleOf`: the title of a publication's video, which must be unique. */
export function recordPublicationMessages(
  world: World,
  titleOf: (id: string) => string | undefined,
): PublicationMessages {
  const known = new Map<string, { readonly own: Message[]; readonly approvals: Message[] }>();
  const falseStatements: string[] = [];
  const everything: string[] = [];

  function of(id: string) {
    const found = known.get(id) ?? { own: [], approvals: [] };
    known.set(id, found);
    return found;
  }

  function keep(message: Message): void {
    const mark = markOf(message);
    if (mark !== undefined) {
      of(mark.id)[mark.forApprovers ? "approvals" : "own"].push(message);
    }
  }

  function judge(message: Message): void {
    const mark = markOf(message);
    const title = titleOf(mark?.id ?? "");
    if (mark === undefined || mark.forApprovers || title === undefined) {
      return;
    }
    const text = textOf(message);
    const videos = videosOf(world, title);
    const seen = videos.filter((video) => progressOf(video, world.clock.now()).isPublished);
    const isLie = saysNothingPublished(text)
      ? videos.length > 0
      : readShownState(text) === "published" && seen.length === 0;
    if (isLie) {
      falseStatements.push(
        `${title}: of ${videos.length} videos ${seen.length} can be seen, its message says: ${text}`,
      );
    }
  }

  world.discord.changes.listen((change) => {
    if (change.type === "message-created" || change.type === "message-updated") {
      const { message } = change;
      const { content, components } = message;
      everything.push(JSON.stringify([content, components]));
      if (message.visibleTo === undefined) {
        if (change.type === "message-created") {
          keep(message);
        }
        judge(message);
      }
    }
  });

  return { of, falseStatements, everything };
}

/** The videos with a title that the service has. */
export function videosOf({ video }: Pick<World, "video">, title: string) {
  return video.videos().filter((each) => each.title === title);
}

export function textOf({ components }: Pick<SeenMessage, "components">): string {
  return [...walkComponents(components)]
    .filter(({ type }) => type === COMPONENT_TYPES.textDisplay)
    .map((component) => String(component["content"]))
    .join("\n");
}

function markOf({
  components,
}: Message): { readonly id: string; readonly forApprovers: boolean } | undefined {
  for (const component of walkComponents(components)) {
    const { command = "", args } = parseComponentId(String(component["custom_id"])) ?? {};
    if (command.startsWith("video/") && args?.["p"] !== undefined) {
      return { id: args["p"], forApprovers: args["a"] === "1" };
    }
  }
  return undefined;
}
