// Which part of a list a request asks for.
import { z } from "zod";
import { parseForm } from "./problems.ts";

const id = z.string().regex(/^\d{1,20}$/);

export type ListQuery = ReturnType<typeof parseListQuery>;

/** Reads `limit`, `before` and `after`. Throws 50035. */
export function parseListQuery(
  query: Readonly<Record<string, string>>,
  bounds: { readonly usual: number; readonly most: number },
) {
  return parseForm(
    z.object({
      limit: z.coerce.number().int().min(1).max(bounds.most).default(bounds.usual),
      before: id.optional(),
      after: id.optional(),
    }),
    query,
  );
}
