// Statistics as the service tells of them.
import { z } from "zod";
import { amount, list } from "./values.ts";

/** What the service keeps count of, by its own names, over a video's whole life. */
export interface VideoInsights {
  readonly counts: ReadonlyMap<string, number>;
  /** e.g. reactions by type, views by country. */
  readonly breakdowns: ReadonlyMap<string, Readonly<Record<string, number>>>;
  /** The share of viewers still there at each of 40 moments, 0 to 1; `undefined` where it is not told. */
  readonly retention: readonly number[] | undefined;
  /** Metrics that the service no longer has, those of Reels apart: they are gone, not zero. */
  readonly gone: readonly string[];
}

const RETENTION = "total_video_retention_graph";

/** Numbers by name; odd ones are left out. */
const amounts = z.record(z.string(), z.unknown()).transform((record) =>
  Object.fromEntries(
    Object.entries(record).flatMap(([name, value]): [string, number][] => {
      const read = amount.safeParse(value);
      return read.success ? [[name, read.data]] : [];
    }),
  ),
);

const metricSchema = z.object({
  name: z.string(),
  values: list(z.object({ value: z.union([amount, amounts]) })),
});

export const insightsSchema = z.object({ data: list(metricSchema) });

export type Metric = z.output<typeof metricSchema>;

/** Arranges what was told; `gone` is passed on. */
export function readInsights(metrics: readonly Metric[], gone: readonly string[]): VideoInsights {
  const counts = new Map<string, number>();
  const breakdowns = new Map<string, Readonly<Record<string, number>>>();
  for (const { name, values } of metrics) {
    const value = values[0]?.value;
    if (typeof value === "number") {
      counts.set(name, value);
    } else if (value !== undefined && Object.keys(value).length > 0) {
      breakdowns.set(name, value);
    }
  }
  const graph = breakdowns.get(RETENTION);
  breakdowns.delete(RETENTION);
  return { counts, breakdowns, retention: graph && readRetention(graph), gone };
}

/** Keyed by the number of the moment, "0" to "40". */
function readRetention(graph: Readonly<Record<string, number>>): readonly number[] {
  return Object.entries(graph)
    .filter(([key]) => /^\d{1,2}$/.test(key))
    .toSorted(([a], [b]) => Number(a) - Number(b))
    .map(([, share]) => Math.min(1, share));
}
