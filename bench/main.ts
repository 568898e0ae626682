// `npm run bench [name …]`: runs the benchmarks and prints one JSON object a line. Each rival runs interleaved with
// ours in the same run: ratios can be compared between machines, times cannot. Exits with 1 if a goal is missed.
import { boardPictureRows } from "./board-picture.ts";
import { boardPostRows } from "./board-posts.ts";
import { boardsPlanRows } from "./boards-plan.ts";
import { budgetRows } from "./budget.ts";
import { forwardRows } from "./forward.ts";
import { interactionRows } from "./interactions.ts";
import { manyServersRows } from "./many-servers.ts";
import { pageRows } from "./page.ts";
import { pictureRows } from "./pictures.ts";
import { restyleRows } from "./restyle.ts";
import type { BenchRow } from "./row.ts";
import { startRows } from "./start.ts";
import { shardRows } from "./shards.ts";
import { stationSearchRows } from "./station-search.ts";

const BENCHES: Readonly<Record<string, () => Promise<readonly BenchRow[]>>> = {
  interactions: interactionRows,
  start: startRows,
  "many-servers": manyServersRows,
  shards: shardRows,
  stations: stationSearchRows,
  picture: boardPictureRows,
  pictures: pictureRows,
  restyle: restyleRows,
  budget: budgetRows,
  "boards-plan": boardsPlanRows,
  "board-posts": boardPostRows,
  forward: forwardRows,
  page: pageRows,
};

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !(name in BENCHES));
if (unknown.length > 0) {
  console.error(`No bench is called ${unknown.join(", ")}. There are: ${Object.keys(BENCHES).join(", ")}.`);
  process.exit(1);
}

const rows: BenchRow[] = [];
for (const [name, measure] of Object.entries(BENCHES)) {
  if (asked.length === 0 || asked.includes(name)) {
    for (const row of await measure()) {
      console.log(JSON.stringify(row));
      rows.push(row);
    }
  }
}
const failed = rows.filter(({ holds }) => !holds);
console.error(`${rows.length - failed.length} of ${rows.length} goals are reached.`);
for (const { name, value, unit, goal } of failed) {
  console.error(`Not reached: ${name}: ${value} ${unit}, goal ${goal}`);
}
process.exitCode = failed.length === 0 ? 0 : 1;
