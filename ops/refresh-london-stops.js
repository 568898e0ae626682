// Updates src/sources/tfl/london-stops.json from TfL's Unified API, with about 25 requests. It needs no key.
// Usage: node ops/refresh-london-stops.js [base URL] [file]
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { plainStopName } from "../src/sources/tfl/london-stops.ts";

const FILE = fileURLToPath(new URL("../src/sources/tfl/london-stops.json", import.meta.url));
const MODES = "tube,dlr,elizabeth-line,overground,tram,river-bus,cable-car";
/**
 * Ids of tube, DLR, tram and cable car stations (940GZZ), railway stations (910G) and piers (930G), but not of hubs and
 * platforms.
 */
const STOP = /^(?:940GZZ|910G|930G)[0-9A-Z]+$/;

const [base = "https://api.tfl.gov.uk", file = FILE] = process.argv.slice(2);

/**
 * @param {string} path
 * @returns {Promise<Record<string, string>[]>}
 */
async function ask(path) {
  const answer = await fetch(new URL(path, base), { headers: { "user-agent": "Signalbox" } });
  const body = await answer.json();
  if (!answer.ok || !Array.isArray(body)) {
    throw new Error(`${path} was answered with ${answer.status}, and not with a list`);
  }
  return body;
}

/** @type {Map<string, { id: string, name: string, lines: string[] }>} */
const stops = new Map();
/** @type {{ id: string, name: string, mode: string }[]} */
const lines = [];
for (const { id: line = "", name = line, modeName: mode = "" } of await ask(`/Line/Mode/${MODES}`)) {
  lines.push({ id: line, name, mode });
  // Stops are read by line, because /StopPoint/Mode has no piers.
  for (const { naptanId: id = "", commonName = "" } of await ask(`/Line/${line}/StopPoints`)) {
    if (STOP.test(id) && commonName !== "") {
      const stop = stops.get(id) ?? { id, name: plainStopName(commonName), lines: [] };
      stop.lines.push(line);
      stops.set(id, stop);
    }
  }
}
lines.sort((a, b) => MODES.indexOf(a.mode) - MODES.indexOf(b.mode) || (a.id < b.id ? -1 : 1));
const sorted = [...stops.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1));
/** @param {readonly object[]} entries */
const rows = (entries) => entries.map((entry) => `    ${JSON.stringify(entry)}`).join(",\n");
writeFileSync(file, `{\n  "lines": [\n${rows(lines)}\n  ],\n  "stops": [\n${rows(sorted)}\n  ]\n}\n`);
process.stdout.write(`${sorted.length} stops of ${lines.length} lines. Now run: npm run format\n`);
