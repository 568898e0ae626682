// What the buttons of a bus stop remember.
import { z } from "zod";
import type { ComponentTarget } from "../core/component-id.ts";

/** Which stop, and how many of its buses to skip. */
export interface BusArgs {
  readonly atco: string;
  readonly skip: number;
}

/** `show` from a place, `refresh` and the two directions of a long list. Each shows a stop. */
export type BusAction = "show" | "refresh" | "back" | "more";

/** Reads what {@link busTarget} wrote; refuses anything else. */
export const busArgsSchema = z
  .object({
    s: z.string().regex(/^[0-9A-Za-z]{4,12}$/),
    o: z.coerce.number().int().min(0).max(500).default(0),
  })
  .transform(({ s, o }): BusArgs => ({ atco: s, skip: o }));

/** A target that shows a stop's buses. */
export function busTarget(action: BusAction, { atco, skip }: BusArgs): ComponentTarget {
  return { command: "bus", action, args: { s: atco, ...(skip > 0 && { o: String(skip) }) } };
}
