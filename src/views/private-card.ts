// A reply that one person alone sees, in the frame that all of the bot's replies have.
import type { ContentBlock, Reply } from "../core/reply.ts";
import { ACCENT } from "./accent.ts";

/** Frames blocks for the person who asked. */
export function privateCard(blocks: readonly ContentBlock[]): Reply {
  return { visibility: "private", blocks: [{ type: "container", accent: ACCENT, blocks }] };
}
