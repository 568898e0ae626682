// Great Britain's train operators, for filters that people type. Ours, by hand; rows may name others.

/** An operator by its two-letter ATOC code. */
export interface Operator {
  readonly code: string;
  /** As people know it. */
  readonly name: string;
  /** Other names, in full or from earlier days. */
  readonly aliases?: readonly string[];
}

/** In the order of their codes. */
export const OPERATORS: readonly Operator[] = [
  { code: "AW", name: "Transport for Wales", aliases: ["TfW", "TfW Rail", "Arriva Trains Wales"] },
  { code: "CC", name: "c2c" },
  { code: "CH", name: "Chiltern Railways" },
  { code: "CS", name: "Caledonian Sleeper" },
  { code: "EM", name: "East Midlands Railway", aliases: ["EMR", "East Midlands Trains"] },
  { code: "ES", name: "Eurostar" },
  { code: "GC", name: "Grand Central" },
  { code: "GN", name: "Great Northern" },
  { code: "GR", name: "LNER", aliases: ["London North Eastern Railway"] },
  { code: "GW", name: "Great Western Railway", aliases: ["GWR", "First Great Western"] },
  { code: "GX", name: "Gatwick Express" },
  { code: "HT", name: "Hull Trains" },
  { code: "HX", name: "Heathrow Express" },
  { code: "IL", name: "Island Line" },
  { code: "LD", name: "Lumo" },
  { code: "LE", name: "Greater Anglia", aliases: ["Abellio Greater Anglia"] },
  { code: "LM", name: "West Midlands Railway", aliases: ["West Midlands Trains", "London Midland", "WMR"] },
  { code: "LN", name: "London Northwestern Railway", aliases: ["LNR", "LNWR"] },
  { code: "LO", name: "London Overground", aliases: ["Overground"] },
  { code: "ME", name: "Merseyrail" },
  { code: "NT", name: "Northern", aliases: ["Northern Rail", "Northern Trains"] },
  { code: "SE", name: "Southeastern" },
  { code: "SN", name: "Southern" },
  { code: "SR", name: "ScotRail" },
  { code: "SW", name: "South Western Railway", aliases: ["SWR", "South West Trains"] },
  { code: "SX", name: "Stansted Express" },
  { code: "TL", name: "Thameslink" },
  { code: "TP", name: "TransPennine Express", aliases: ["TPE", "First TransPennine Express"] },
  { code: "VT", name: "Avanti West Coast", aliases: ["Avanti", "Virgin Trains"] },
  { code: "XC", name: "CrossCountry" },
  { code: "XR", name: "Elizabeth line", aliases: ["TfL Rail", "Crossrail"] },
];
