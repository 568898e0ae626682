// The requirements of Grafana on ops/grafana.json. Grafana's own schema is not available here; this is the part without
// which an import fails.
// https://grafana.com/docs/grafana/latest/dashboards/build-dashboards/view-dashboard-json-model/
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { z } from "zod";

const COLUMNS = 24;
const datasource = z.object({ type: z.literal("prometheus"), uid: z.literal("${datasource}") });

const gridPos = z.object({
  h: z.int().min(1),
  w: z.int().min(1).max(COLUMNS),
  x: z.int().min(0),
  y: z.int().min(0),
});

const graph = z.object({
  id: z.int().min(1),
  type: z.literal(["timeseries", "stat"]),
  title: z.string().min(1),
  datasource,
  gridPos,
  targets: z
    .array(z.object({ refId: z.string().regex(/^[A-Z]$/), datasource, expr: z.string().min(1) }))
    .min(1),
  fieldConfig: z.object({ defaults: z.object({ unit: z.string() }), overrides: z.array(z.never()) }),
  options: z.looseObject({}),
});

const row = z.object({
  id: z.int().min(1),
  type: z.literal("row"),
  title: z.string().min(1),
  collapsed: z.literal(false),
  gridPos,
  panels: z.array(z.never()),
});

const dashboard = z.object({
  uid: z.string().max(40),
  title: z.string().min(1),
  /** The schema of Grafana 11; later versions migrate it. */
  schemaVersion: z.literal(39),
  version: z.int(),
  time: z.object({ from: z.string(), to: z.string() }),
  templating: z.object({
    list: z.tuple([
      z.object({
        name: z.literal("datasource"),
        type: z.literal("datasource"),
        query: z.literal("prometheus"),
      }),
      z.object({
        name: z.literal("instance"),
        type: z.literal("query"),
        datasource,
        allValue: z.literal(".*"),
      }),
    ]),
  }),
  annotations: z.object({ list: z.array(z.object({ datasource, expr: z.string() })) }),
  panels: z.array(z.discriminatedUnion("type", [graph, row])),
});

const { panels } = dashboard.parse(
  JSON.parse(readFileSync(new URL("../../ops/grafana.json", import.meta.url), "utf8")),
);

it("each panel has a unique id, and each query a letter that is unique in its panel", () => {
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  for (const panel of panels) {
    const letters = panel.type === "row" ? [] : panel.targets.map(({ refId }) => refId);
    expect(new Set(letters).size).toBe(letters.length);
  }
});

it("no panel overlaps another or leaves the grid", () => {
  const cells = panels.flatMap(({ title, gridPos: { h, w, x, y } }) =>
    Array.from({ length: w * h }, (_, cell) => ({
      title,
      column: x + (cell % w),
      place: `${x + (cell % w)} ${y + Math.floor(cell / w)}`,
    })),
  );
  expect(cells.filter(({ column }) => column >= COLUMNS)).toEqual([]);
  const places = Map.groupBy(cells, ({ place }) => place);
  expect([...places.values()].filter(({ length }) => length > 1)).toEqual([]);
});
