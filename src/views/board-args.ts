// What a board's buttons remember, small enough for a component's id and readable after a restart.
import type { Temporal } from "temporal-polyfill";
import { z } from "zod";
import { sizeInId } from "./size-in-id.ts";
import { formatMinute, minuteSchema } from "./when-args.ts";

/** How a board is shown. */
export type BoardLook = "picture" | "text";

/** Everything needed to show a board again, as far as a person chose it. */
export interface BoardArgs {
  /** Code of the station. */
  readonly station: string;
  /** Code of the station that departures call at later, or arrivals called at before. */
  readonly via?: string | undefined;
  readonly operator?: string | undefined;
  readonly platform?: string | undefined;
  readonly rows: number;
  readonly look: BoardLook;
  /** First aimed time, to the minute; now where it is absent or past. */
  readonly from?: Temporal.Instant | undefined;
}

/** Rows of a board unless somebody says otherwise. */
export const DEFAULT_ROWS = 8;
/** More would be small print on a phone. */
export const MAX_ROWS = 10;
/** What a person may type for a filter, in characters: room for every real one. */
export const BOARD_TEXT_LIMITS = { operator: 36, platform: 6 } as const;

const crs = z.string().regex(/^[A-Z]{3}$/);

/** Reads what {@link formatBoardArgs} wrote; refuses anything else. */
export const boardArgsSchema = z
  .object({
    s: crs,
    v: crs.optional(),
    o: z.string().min(1).max(BOARD_TEXT_LIMITS.operator).optional(),
    p: z.string().min(1).max(BOARD_TEXT_LIMITS.platform).optional(),
    n: z.coerce.number().int().min(1).max(MAX_ROWS).default(DEFAULT_ROWS),
    w: z.literal("t").optional(),
    a: minuteSchema.optional(),
  })
  .transform(({ s, v, o, p, n, w, a }): BoardArgs => ({
    station: s,
    via: v,
    operator: o,
    platform: p,
    rows: n,
    look: w === "t" ? "text" : "picture",
    from: a,
  }));

/** Writes args for a component's id, leaving out what is as usual. */
export function formatBoardArgs(args: BoardArgs): Record<string, string> {
  return {
    s: args.station,
    ...(args.via !== undefined && { v: args.via }),
    ...(args.operator !== undefined && { o: args.operator }),
    ...(args.platform !== undefined && { p: args.platform }),
    ...(args.rows !== DEFAULT_ROWS && { n: String(args.rows) }),
    ...(args.look === "text" && { w: "t" }),
    ...(args.from !== undefined && { a: formatMinute(args.from) }),
  };
}

/** Whether the buttons can remember these args. */
export function fitsBoardArgs({ operator = "", platform = "" }: BoardArgs): boolean {
  return sizeInId(operator) <= BOARD_TEXT_LIMITS.operator && sizeInId(platform) <= BOARD_TEXT_LIMITS.platform;
}
