// The parts of a reply, for tests of views.
import type { ActionButton, ContentBlock, Reply } from "../../src/core/reply.ts";

/** The blocks within the reply's frames, and those without a frame. */
export function blocksOf({ blocks }: Reply): readonly ContentBlock[] {
  return blocks.flatMap((block) => (block.type === "container" ? block.blocks : [block]));
}

export function textsOf(reply: Reply): readonly string[] {
  return blocksOf(reply).flatMap((block) => (block.type === "text" ? [block.text] : []));
}

export function textOf(reply: Reply): string {
  return textsOf(reply).join("\n");
}

/** Without links. */
export function buttonsOf(reply: Reply): readonly ActionButton[] {
  return blocksOf(reply)
    .flatMap((block) => (block.type === "buttons" ? block.buttons : []))
    .filter((button) => button.type === "button");
}
