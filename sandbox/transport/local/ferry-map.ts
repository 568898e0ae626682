// Ferries and river boats, each with its piers.

/** `operator's code|operator|every how many minutes|minutes it takes|first and last sailing|name|piers: code name@latitude,longitude@locality; …`. */
export const FERRY_LINES: readonly string[] = [
  "WLNK|Wightlink|30|22|06:15-22:45|Portsmouth - Ryde|PMH Portsmouth Harbour Pier@50.7968,-1.1083@Portsea, Portsmouth;RYP Ryde Pier Head@50.7390,-1.1602@Ryde, Isle of Wight",
  "WLNK|Wightlink|60|40|06:00-21:30|Lymington - Yarmouth|LYP Lymington Pier@50.7583,-1.5292@Lymington, Hampshire;YAR Yarmouth Ferry Terminal@50.7065,-1.5003@Yarmouth, Isle of Wight",
  "RDFN|Red Funnel|30|28|05:45-22:45|Red Jet|SOU Southampton Red Jet Terminal@50.8960,-1.4060@Town Quay, Southampton;WCO West Cowes@50.7595,-1.2975@Cowes, Isle of Wight",
  "GOSF|Gosport Ferry|10|5|05:30-23:45|Gosport Ferry|PHG Portsmouth Harbour (Gosport Ferry)@50.7972,-1.1079@Portsea, Portsmouth;GOS Gosport Ferry Terminal@50.7946,-1.1164@Gosport, Hampshire",
  "CALM|CalMac|55|50|07:00-19:30|Ardrossan - Brodick|ADH Ardrossan Harbour Ferry Terminal@55.6402,-4.8229@Ardrossan, North Ayrshire;BRO Brodick Ferry Terminal@55.5768,-5.1397@Brodick, Isle of Arran",
  "CALM|CalMac|45|35|06:30-20:00|Wemyss Bay - Rothesay|WEM Wemyss Bay Ferry Terminal@55.8758,-4.8907@Wemyss Bay, Inverclyde;ROT Rothesay Pier@55.8385,-5.0534@Rothesay, Isle of Bute",
  "CALM|CalMac|30|27|06:20-21:40|Gourock - Dunoon|GOU Gourock Pier@55.9620,-4.8166@Gourock, Inverclyde;DUN Dunoon Pier@55.9470,-4.9215@Dunoon, Argyll and Bute",
  "CALM|CalMac|120|46|07:30-18:30|Oban - Craignure|OBA Oban Ferry Terminal@56.4123,-5.4756@Oban, Argyll and Bute;CRG Craignure Ferry Terminal@56.4718,-5.7068@Craignure, Isle of Mull",
  "CALM|CalMac|90|35|07:40-18:15|Mallaig - Armadale|MAL Mallaig Ferry Terminal@57.0068,-5.8280@Mallaig, Highland;ARM Armadale Ferry Terminal@57.0644,-5.8946@Armadale, Isle of Skye",
  "NLNK|NorthLink Ferries|360|90|06:30-19:00|Scrabster - Stromness|SCB Scrabster Ferry Terminal@58.6120,-3.5452@Scrabster, Highland;STM Stromness Ferry Terminal@58.9636,-3.2957@Stromness, Orkney Islands",
  "MRFY|Mersey Ferries|20|10|07:20-18:40|Pier Head - Seacombe|PHD Liverpool Pier Head@53.4046,-2.9966@Liverpool, Merseyside;SEA Seacombe Ferry Terminal@53.4094,-3.0148@Wallasey, Wirral",
  "NEXS|Nexus|30|7|06:45-22:30|Shields Ferry|NSH North Shields Ferry Landing@55.0069,-1.4407@North Shields, Tyne and Wear;SSH South Shields Ferry Landing@54.9990,-1.4410@South Shields, Tyne and Wear",
  "UBTC|Uber Boat by Thames Clippers|20|45|06:30-22:30|RB1|BMP Battersea Power Station Pier@51.4835,-0.1457@Battersea, London;EMP Embankment Pier@51.5069,-0.1207@Strand, London;LBP London Bridge City Pier@51.5061,-0.0835@Southwark, London;TMP Tower Pier@51.5077,-0.0791@Tower Hill, London;CWP Canary Wharf Pier@51.5051,-0.0285@Canary Wharf, London;GNP Greenwich Pier@51.4839,-0.0098@Greenwich, London;NGP North Greenwich Pier@51.5023,0.0068@Greenwich, London",
];
