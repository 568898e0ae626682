// What members were told of publications: all messages that there ever were, what each says in the end, and what of it
// was not true in the moment in which it was said.
import type { SeenMessage } from "../../sandbox/discord/actors/acts.ts";
import type { Message } from "../../sandbox/discord/entities.ts";
import { walkComponents } from "../../sandbox/discord/serialise/message.ts";
import { progressOf } from "../../sandbox/video/progress.ts";
import type { World } from "../../sandbox/world.ts";
import { parseComponentId } from "../../src/core/component-id.ts";

/** What a publication's message says of it. */
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

/** What a message says. Throws for one that says none of it. */
export function readShownState(text: string): ShownState {
  const [, said] = SAYS.find(([words]) => words.test(text)) ?? [];
  if (said === undefined) {
    throw new Error(`a publication's message says nothing known: ${text}`);
  }
  return said;
}

/** Whether it says that nothing came of it. */
export function saysNothingPublished(text: string): boolean {
  return text.includes("Nothing was published.");
}

/** What is known of the messages of one publication. */
export interface MessagesOfPublication {
  /** Its own that there ever were. */
  readonly own: readonly Message[];
  /** Those that asked for approval. */
  readonly approvals: readonly Message[];
}

export interface PublicationMessages {
  /** As it is now; it is added to as messages come. */
  of(id: string): MessagesOfPublication;
  /** A line for each thing that was not true when it was said. */
  readonly falseStatements: readonly string[];
  /** All that was ever to be seen, by anybody. */
  readonly everything: readonly string[];
}

/** Begins to listen. `titleOf`: of which video the publication is; it must be its only one. */
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

/** The videos of a title that the service has. */
export function videosOf({ video }: Pick<World, "video">, title: string) {
  return video.videos().filter((each) => each.title === title);
}

/** All text of a message. */
export function textOf({ components }: Pick<SeenMessage, "components">): string {
  return [...walkComponents(components)]
    .filter(({ type }) => type === 10)
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
