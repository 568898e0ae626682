// Selects the part of a list that a request's query asks for.
import { z } from "zod";
import { parseForm } from "./problems.ts";

const id = z.string().regex(/^\d{1,20}$/);

/**
 * Returns the `items` that `limit`, `before` and `after` ask for; `items` are sorted by id. If more than `limit` match,
 * `after` returns the oldest and `before` alone the newest; with neither, `bounds.first` decides. Throws 50035.
 */
export function listPart<Item extends { readonly id: string }>(
  items: readonly Item[],
  query: Readonly<Record<string, string>>,
  bounds: { readonly usual: number; readonly most: number; readonly first: "newest" | "oldest" },
): readonly Item[] {
  const { limit, before, after } = parseForm(
    z.object({
      limit: z.coerce.number().int().min(1).max(bounds.most).default(bounds.usual),
      before: id.optional(),
      after: id.optional(),
      // Not implemented, so refused: a bot that uses it must not get the wrong messages.
      around: z.never().optional(),
    }),
    query,
  );
  const within = items.filter(
    (item) =>
      (before === undefined || BigInt(item.id) < BigInt(before)) &&
      (after === undefined || BigInt(item.id) > BigInt(after)),
  );
  const isNewest = after === undefined && (before !== undefined || bounds.first === "newest");
  return isNewest ? within.slice(-limit) : within.slice(0, limit);
}
