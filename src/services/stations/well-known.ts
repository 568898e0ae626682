// Which stations people most often mean. Ours, by hand, roughly by how many people use them.

/** Codes of large stations, the best known first. They win ties and are offered before anything is typed. */
export const WELL_KNOWN: readonly string[] = [
  "EUS KGX PAD MAN BHM LDS EDB GLC YRK WAT VIC LST LBG STP LIV BRI CDF NCL SHF NOT RDG BTN GLQ CLJ",
  "SRA CHX GTW MYB CBG OXF LEI SOU PBO DON CRE DBY COV WVH EXD PLY NRW IPS MCV FST CST BFR ECR ABD",
  "INV DEE PTH STG SWA NWP PRE LAN CAR DAR DHM HUL BDI CTR SHR BTH SWI SSD LTN BHI MIA HXX PMS PMH",
  "SOT STA NMP MKC WFJ GLD WOK SPT WGN SUN MBR HGT",
].flatMap((codes) => codes.split(" "));
