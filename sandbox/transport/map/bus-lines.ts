// The bus lines of Great Britain, invented: lines that cross each town on a straight street through its station. They are
// the same for every seed.
import { hash } from "../railway/chance.ts";
import { linesAt } from "../railway/network.ts";
import { STATIONS } from "../railway/stations.ts";
import type { Stop, UnnumberedLine } from "./local-lines.ts";
import { movedBy } from "./position.ts";
import { isInLondon, placeNameOf, postTownNear, townName } from "./postcodes.ts";

/** The distance between two stops, in metres, and the number of stops on each side of the station. */
const STOP_DISTANCE_METRES = 600;
const STOPS_A_SIDE = 4;
const FIRST_WORDS = "Mill Church High Park Victoria Station Manor School Grange Bridge King Windsor".split(
  " ",
);
const STREET_WORDS = "Lane Street Road Avenue Green".split(" ");

export function createBusLines(): readonly UnnumberedLine[] {
  return STATIONS.flatMap((station, index) => {
    const { crs } = station;
    const served = linesAt(crs);
    const count = served >= 8 ? 3 : served >= 3 ? 2 : 1;
    const town = postTownNear(station);
    const isLondon = isInLondon(town);
    const townsName = townName(town);
    const place = placeNameOf(station.name);
    const locality = place === townsName ? place : `${place}, ${townsName}`;
    // e.g. `49001327A` in London, where the stand-in of Transport for London knows the stops too.
    const codes = (isLondon ? "4900" : "3290") + String(index).padStart(4, "0");
    const stopAt = (nth: number, stop: Pick<Stop, "name" | "latitude" | "longitude" | "letter">): Stop => ({
      type: "bus_stop",
      atcocode: codes + String.fromCharCode(65 + nth),
      locality,
      ...stop,
    });
    const name = `${station.name} Rail Station`;
    const stand = stopAt(0, { name, ...movedBy(station, 70, hash(crs) % 360), letter: "A" });
    const firstNumber = isLondon ? 11 + (hash(crs) % 430) : 1 + (hash(crs) % 27) * 3;
    const firstBearing = hash(crs, "streets") % 180;
    return Array.from({ length: count }, (_, line): UnnumberedLine => {
      const lineBearing = firstBearing + (line * 180) / count;
      const side = (bearing: number, isNear: boolean) =>
        Array.from({ length: STOPS_A_SIDE }, (_each, at) => {
          const nth = 1 + line * 2 * STOPS_A_SIDE + at + (isNear ? 0 : STOPS_A_SIDE);
          const position = movedBy(station, (at + 1) * STOP_DISTANCE_METRES, bearing);
          return stopAt(nth, { name: streetOf(crs, nth), ...position, letter: undefined });
        });
      return {
        mode: "bus",
        name: String(firstNumber + line),
        operator: isLondon ? "TFLO" : townsName.slice(0, 4).toUpperCase(),
        operatorName: `${townsName} Buses`,
        everyMinutes: [8, 10, 12, 15][hash(crs, line) % 4] ?? 10,
        stops: [...side(lineBearing, true).toReversed(), stand, ...side(lineBearing + 180, false)],
      };
    });
  });
}

/** The name of a stop. The first sixty around a station differ, because 12 and 5 have no common factor. */
function streetOf(place: string, at: number): string {
  const pair = (hash(place, "stops") % 60) + at;
  return `${FIRST_WORDS[pair % FIRST_WORDS.length]} ${STREET_WORDS[pair % STREET_WORDS.length]}`;
}
