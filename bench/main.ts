// `npm run bench [name …]`: measures the figures the design asks for, one JSON object a line.
// Every rival runs interleaved with ours in the same run; ratios travel between machines, times do not.
import { boardPictureRows } from "./board-picture.ts";
import { budgetRows } from "./budget.ts";
import { interactionRows } from "./interactions.ts";
import type { BenchRow } from "./row.ts";
import { startRows } from "./start.ts";
import { stationSearchRows } from "./station-search.ts";

const BENCHES: Readonly<Record<string, () => Promise<readonly BenchRow[]>>> = {
  interactions: interactionRows,
  start: startRows,
  stations: stationSearchRows,
  picture: boardPictureRows,
  budget: budgetRows,
};

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !(name in BENCHES));
if (unknown.length > 0) {
  console.error(`No bench is called ${unknown.join(", ")}. There are: ${Object.keys(BENCHES).join(", ")}.`);
  process.exit(1);
}

for (const [name, measure] of Object.entries(BENCHES)) {
  if (asked.length === 0 || asked.includes(name)) {
    for (const row of await measure()) {
      console.log(JSON.stringify(row));
    }
  }
}
