// Which part of a list a request asks for.
import { z } from "zod";
import { parseForm } from "./problems.ts";

const id = z.string().regex(/^\d{1,20}$/);

export interface ListQuery {
  readonly limit: number;
  readonly before: string | undefined;
  readonly after: string | undefined;
  readonly around: string | undefined;
}

/** Reads `limit`, `before`, `after` and `around`. Throws 50035. */
export function parseListQuery(
  query: Readonly<Record<string, string>>,
  bounds: { readonly usual: number; readonly most: number },
): ListQuery {
  const { limit, before, after, around } = parseForm(
    z.object({
      limit: z.coerce.number().int().min(1).max(bounds.most).default(bounds.usual),
      before: id.optional(),
      after: id.optional(),
      around: id.optional(),
    }),
    query,
  );
  return { limit, before, after, around };
}
