// Other names that people use for stations. Maintained by hand; upper and lower case do not matter.

/** Aliases by station code. No two stations share one, which a test checks. */
export const ALIASES: Readonly<Record<string, readonly string[]>> = {
  BDI: ["Bradford"],
  BFR: ["Blackfriars"],
  BHI: ["Birmingham Airport", "NEC"],
  BHM: ["Birmingham", "Brum", "New Street"],
  BMO: ["Moor Street"],
  BPW: ["Parkway Bristol"],
  BRI: ["Bristol", "Temple Meads"],
  BSW: ["Snow Hill"],
  BTH: ["Bath"],
  CDF: ["Cardiff", "Caerdydd"],
  CHX: ["Charing Cross"],
  CLJ: ["Clapham", "Clapham Jn"],
  CST: ["Cannon Street"],
  DVP: ["Dover"],
  EDB: ["Edinburgh", "Edi", "Waverley", "Auld Reekie"],
  EUS: ["Euston"],
  EXD: ["Exeter", "St Davids"],
  FKC: ["Folkestone"],
  FST: ["Fenchurch Street"],
  GLC: ["Glasgow"],
  GLQ: ["Queen Street", "Glasgow Queen St"],
  GTW: ["Gatwick", "London Gatwick"],
  HXX: ["Heathrow", "Heathrow Airport", "Heathrow Central"],
  KGX: ["Kings Cross", "Kings X", "London KX"],
  LIV: ["Liverpool", "Lime Street"],
  LST: ["Liverpool Street", "Liv Street"],
  LTN: ["Luton Airport"],
  MAN: ["Manchester", "Manc", "Picc", "Piccadilly", "Man Picc"],
  MCO: ["Oxford Road"],
  MKC: ["Milton Keynes", "MK"],
  MYB: ["Marylebone"],
  NCL: ["Newcastle upon Tyne", "Newcastle Central", "The Toon"],
  NMP: ["Northampton Castle"],
  NWP: ["Newport", "Casnewydd"],
  PAD: ["Paddington", "Paddo"],
  PMS: ["Portsmouth"],
  SAV: ["Stratford on Avon"],
  SHF: ["Sheffield Midland", "Sheff"],
  SOU: ["Southampton"],
  SRA: ["Stratford", "Stratford East London"],
  SSD: ["Stansted", "London Stansted"],
  STP: ["St Pancras", "London St Pancras", "St P"],
  SWA: ["Abertawe"],
  VIC: ["Victoria"],
  WAT: ["Waterloo"],
  WFJ: ["Watford"],
  WGN: ["Wigan"],
};

/**
 * Codes of the most used stations, roughly in order of their passengers. They win ties, and are suggested before
 * anything is typed.
 */
export const WELL_KNOWN: readonly string[] = [
  "EUS KGX PAD MAN BHM LDS EDB GLC YRK WAT VIC LST LBG STP LIV BRI CDF NCL SHF NOT RDG BTN GLQ CLJ",
  "SRA CHX GTW MYB CBG OXF LEI SOU PBO DON CRE DBY COV WVH EXD PLY NRW IPS MCV FST CST BFR ECR ABD",
  "INV DEE PTH STG SWA NWP PRE LAN CAR DAR DHM HUL BDI CTR SHR BTH SWI SSD LTN BHI MIA HXX PMS PMH",
  "SOT STA NMP MKC WFJ GLD WOK SPT WGN SUN MBR HGT",
].flatMap((codes) => codes.split(" "));
