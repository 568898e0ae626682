// Measures station search with typing mistakes: how fast it is, and how often the right station is among the first
// five.
import Fuse from "fuse.js";
import stationList from "uk-railway-stations" with { type: "json" };
import { createStations } from "../src/rail/stations.ts";
import { type BenchRow, median, percentile, rounded } from "./row.ts";
import { drawTypingMistakes, type MistypedName } from "./typing-mistakes.ts";

const SEED = 20_261_121;
const SHOWN = 5;
const ROUNDS = 5;
/** The rival takes some 20 ms for each name, so it gets every 37th. */
const RIVAL_EVERY = 37;
const GOAL_MS = 0.5;
const GOAL_SHARE = 0.98;

/**
 * Returns two rows, against Fuse.js over the same list: the fastest library that finds as much. MiniSearch 7.2, uFuzzy
 * 1.0, Orama 3.1 and fuzzysort 4.0 are faster and find 94, 86, 71 and 10 % of these names.
 */
export async function stationSearchRows(): Promise<BenchRow[]> {
  const stations = createStations();
  const fuse = new Fuse(stationList, { keys: ["stationName", "crsCode"] });
  const ours = (text: string): string[] => stations.suggest(text, SHOWN).map(({ crs }) => crs);
  const theirs = (text: string): string[] =>
    fuse.search(text, { limit: SHOWN }).map(({ item }) => item.crsCode);

  const all = drawTypingMistakes(stationList, SEED);
  const oursP99Ms: number[] = [];
  const theirsP99Ms: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    // One after the other, because otherwise ours would pause to collect the rival's garbage.
    const [oursMs, theirsMs] = [all.map(timed(ours)), all.filter(isForRival).map(timed(theirs))];
    oursP99Ms.push(percentile(oursMs, 0.99));
    theirsP99Ms.push(percentile(theirsMs, 0.99));
  }
  const p99Ms = median(oursP99Ms);
  const rivalMs = median(theirsP99Ms);
  const share = shareFound(all, ours);
  const rivalShare = shareFound(all.filter(isForRival), theirs);
  return [
    {
      name: "station search, 2,608 stations, p99",
      unit: "ms",
      value: rounded(p99Ms),
      rival: rounded(rivalMs),
      ratio: rounded(p99Ms / rivalMs),
      goal: `p99 at most ${GOAL_MS} ms`,
      holds: p99Ms <= GOAL_MS,
    },
    {
      name: "station search, in the first five with one typing mistake",
      unit: "share",
      value: rounded(share),
      rival: rounded(rivalShare),
      ratio: rounded(share / rivalShare),
      goal: "at least 0.98 of names of 7 letters or more",
      holds: share >= GOAL_SHARE,
    },
  ];
}

type Search = (text: string) => string[];

function isForRival(_: MistypedName, index: number): boolean {
  return index % RIVAL_EVERY === 0;
}

function timed(search: Search): (name: MistypedName) => number {
  return ({ typed }) => {
    const startMs = performance.now();
    search(typed);
    return performance.now() - startMs;
  };
}

function shareFound(names: readonly MistypedName[], search: Search): number {
  return names.filter(({ typed, crs }) => search(typed).includes(crs)).length / names.length;
}
