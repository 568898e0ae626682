// The headers in which the service tells how much of its limits is used up.
import { z } from "zod";
import type { HttpAnswer } from "../../core/http-types.ts";
import { count, list } from "./values.ts";

/** How much is used up. */
export interface Usage {
  /** The worst of all that is counted; may pass 100. */
  readonly usedPercent: number;
  /** How long until calls are taken again; 0 where they are. */
  readonly regainMs: number;
}

const counts = z.object({
  call_count: count,
  total_time: count,
  total_cputime: count,
  /** Minutes. */
  estimated_time_to_regain_access: count,
});

const byBusiness = z.record(z.string(), list(counts).catch([]));

/** `undefined` where nothing is told, as long as little is used. */
export function readUsage(headers: HttpAnswer["headers"]): Usage | undefined {
  const found = [
    ...["x-app-usage", "x-page-usage"].flatMap((name) => read(headers[name], counts) ?? []),
    ...Object.values(read(headers["x-business-use-case-usage"], byBusiness) ?? {}).flat(),
  ];
  if (found.length === 0) {
    return undefined;
  }
  const percents = found.flatMap((one) => [one.call_count, one.total_time, one.total_cputime]);
  const minutes = found.map((one) => one.estimated_time_to_regain_access ?? 0);
  return {
    usedPercent: Math.max(...percents.map((percent) => percent ?? 0)),
    regainMs: Math.ceil(Math.max(...minutes) * 60_000),
  };
}

function read<T>(header: string | undefined, schema: z.ZodType<T>): T | undefined {
  try {
    return schema.safeParse(JSON.parse(header ?? "")).data;
  } catch {
    return undefined;
  }
}
