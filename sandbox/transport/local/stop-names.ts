// What bus stops are called, and the localities they are in.
import { hash } from "../railway/chance.ts";

const FIRST = [
  "Mill",
  "Church",
  "High",
  "Park",
  "Victoria",
  "Station",
  "Manor",
  "School",
  "Grange",
  "Bridge",
  "King",
  "Windsor",
];
const STREETS = ["Lane", "Street", "Road", "Avenue", "Green"];

/** The name of the `at`th stop around a place: no two of the first sixty are alike. */
export function stopName(place: string, at: number): string {
  // 12 and 5 share no factor, so that every pair comes before one comes again.
  const pair = (hash(place, "stops") % 60) + at;
  return `${FIRST[pair % FIRST.length]} ${STREETS[pair % STREETS.length]}`;
}

/** A station's place: its name without what only tells stations apart, e.g. Poppleton, Leeds, Waterloo. */
export function placeNameOf(stationName: string): string {
  return stationName
    .replace(/ \(.*\)$/, "")
    .replace(/^London (?!Road|Fields)/, "")
    .replace(
      / (Central|Parkway|Town|North|South|East|West|Junction|International|General|High Level|Low Level|Victoria|Piccadilly|Queen Street|Lime Street|New Street|Temple Meads|St Davids|Spa|City|Harbour|Waverley)$/,
      "",
    );
}
