// The parts of a reply, for tests of views.
import type { ActionButton, ContentBlock, Reply } from "../../src/core/reply.ts";

/** All content blocks of a reply, inside containers and outside them. */
export function blocksOf({ blocks }: Reply): readonly ContentBlock[] {
  return blocks.flatMap((block) => (block.type === "container" ? block.blocks : [block]));
}

export function textsOf(reply: Reply): readonly string[] {
  return blocksOf(reply).flatMap((block) => (block.type === "text" ? [block.text] : []));
}

export function textOf(reply: Reply): string {
  return textsOf(reply).join("\n");
}

/** The buttons that have a target; link buttons are left out. */
export function buttonsOf(reply: Reply): readonly ActionButton[] {
  return blocksOf(reply)
    .flatMap((block) => (block.type === "buttons" ? block.buttons : []))
    .filter((button) => button.type === "button");
}
