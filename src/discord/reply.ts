// Turns a Reply into a message of components V2 that always fits Discord's limits and never pings.
import { formatSize } from "../core/text.ts";
import { MessageFlags } from "discord.js";
import type { Block, Reply } from "../core/reply.ts";
import { countComponents } from "./components.ts";
import {
  type MessageDraft,
  fitComponents,
  formatBlocks,
  formatText,
  linkTo,
  sectionTexts,
} from "./reply-blocks.ts";
import { type SendableFile, chooseFiles } from "./reply-files.ts";

/** Discord's limits for one message. https://discord.com/developers/docs/components/reference */
export const COMPONENTS_LIMIT = 40;
export const TEXT_LIMIT = 4_000;

/** Typed as a number, because callers add further flags. */
const COMPONENTS_V2: number = MessageFlags.IsComponentsV2;

export type OutgoingMessage = ReturnType<typeof formatReply>;

/** Turns a reply into a message. Files over `fileLimitBytes` are left out, and a sentence says so. */
export function formatReply(reply: Reply, fileLimitBytes: number) {
  const chosen = chooseFiles(reply.files ?? [], fileLimitBytes);
  const note = formatLeftOut(chosen.tooLarge, fileLimitBytes);
  const whole = build(reply.blocks, chosen.byName, note);
  const { components, files, draft } =
    chosen.overflowed || whole.draft.overflowed
      ? build(reply.blocks, chosen.byName, `${note}\n-# Not everything fitted in one message.`.trim())
      : whole;
  return {
    body: {
      flags: COMPONENTS_V2,
      components,
      // Always present, so that an edit replaces the files of the message.
      attachments: files.map(({ name, description }, id) => ({
        id: String(id),
        filename: name,
        description: description || undefined,
      })),
      allowed_mentions: { parse: [] },
    },
    /** The files that the JSON refers to, in the order of their ids. */
    files,
    /** Components that cannot be sent in any form, for the log: each is a bug in a view. */
    refused: draft.refused,
  };
}

function build(blocks: readonly Block[], available: ReadonlyMap<string, SendableFile>, note: string) {
  const lengths = blocks.flatMap(textsOf).map((text) => text.trim().length);
  const draft: MessageDraft = {
    textLimit: shareBudget(lengths.slice(0, COMPONENTS_LIMIT), TEXT_LIMIT - note.length),
    files: available,
    shown: new Set(),
    customIds: new Set(),
    overflowed: false,
    refused: [],
  };
  const made = formatBlocks(blocks, draft);
  const noted = formatText(note, TEXT_LIMIT);
  const limit = COMPONENTS_LIMIT - noted.length;
  const isTooMuch = countComponents(made) > limit;
  draft.overflowed ||= isTooMuch;
  const fitting = isTooMuch ? fitComponents(made, limit) : made;
  const components = [...fitting, ...noted];
  const json = isTooMuch ? JSON.stringify(fitting) : "";
  return {
    components: components.length === 0 ? formatText("Nothing to show.", TEXT_LIMIT) : components,
    files: [...draft.shown].filter((file) => !isTooMuch || json.includes(JSON.stringify(linkTo(file)))),
    draft,
  };
}

export function textsOf(block: Block): readonly string[] {
  if (block.type === "container") {
    return block.blocks.flatMap(textsOf);
  }
  if (block.type === "text") {
    return [block.text];
  }
  return block.type === "section" ? sectionTexts(block) : [];
}

function formatLeftOut(count: number, limitBytes: number): string {
  if (count === 0) {
    return "";
  }
  const isOne = count === 1;
  // The limit is 0 after Discord has refused files that it had promised to accept.
  const why =
    limitBytes < 1024 * 1024
      ? `Discord didn't accept ${isOne ? "it" : "them"}`
      : `${isOne ? "it's" : "they're"} larger than the ${formatSize(limitBytes, Math.floor)} allowed here`;
  return `-# ${isOne ? "A file is" : `${count} files are`} missing here: ${why}.`;
}

// Discord limits the text of a whole message. Long texts are cut before short ones, so that a heading and a footer
// survive a long list between them.

/** How many characters each text may keep, so that all of them together have at most `budget`. */
function shareBudget(lengths: readonly number[], budget: number): number {
  // This is true for nearly all messages: nothing must be cut.
  if (lengths.reduce((sum, length) => sum + length, 0) <= budget) {
    return budget;
  }
  const ascending = lengths.toSorted((a, b) => a - b);
  let left = budget;
  for (const [index, length] of ascending.entries()) {
    const share = Math.floor(left / (ascending.length - index));
    if (length > share) {
      return share;
    }
    left -= length;
  }
  return budget;
}
