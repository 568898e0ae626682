// What bus stops are called, and the localities they are in.
import { hash } from "../railway/chance.ts";

const NAMES = [
  "Mill Lane",
  "Church Street",
  "The Green",
  "High Street",
  "Park Avenue",
  "Victoria Road",
  "Queens Head",
  "The Crown",
  "Post Office",
  "Primary School",
  "Library",
  "Hospital",
  "Church Lane",
  "School Lane",
  "Manor Road",
  "Albert Road",
  "Chapel Street",
  "The Avenue",
  "War Memorial",
  "Market Place",
  "Springfield Road",
  "Grange Road",
  "New Road",
  "Bridge Street",
  "Health Centre",
  "King Street",
  "West Street",
  "The Plough",
  "Kingsway",
  "Windsor Road",
  "York Road",
  "Clifton Road",
  "Highfield Road",
  "Woodland Avenue",
  "Broadway",
  "Cemetery",
  "Golf Club",
  "Leisure Centre",
  "Village Hall",
  "Fire Station",
  "Cross Street",
  "Garden Centre",
  "Orchard Close",
  "Rectory Lane",
  "Sports Centre",
  "Town Hall",
  "Tithe Barn",
  "Water Lane",
  "White Hart",
  "Red Lion",
  "Beech Road",
  "Chestnut Avenue",
  "Elm Grove",
  "Oak Tree Road",
  "London Road",
  "North Road",
  "South View",
  "Hill Top",
  "Canal Bridge",
  "Retail Park",
] as const;

/** The name of the `at`th stop around a place: no two of the first sixty are alike. */
export function stopName(place: string, at: number): string {
  const start = hash(place, "stops") % NAMES.length;
  // 7 shares no factor with 60, so that every name comes before one comes again.
  return NAMES[(start + at * 7) % NAMES.length] ?? "High Street";
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
