// The main lines: expresses between cities.
import type { OperatorLines } from "./notation.ts";

export const LONG_DISTANCE: readonly OperatorLines[] = [
  {
    operator: "GR",
    lines: [
      "60E London Kings Cross, Peterborough?, Newark Northgate?, Doncaster?, York, Darlington, Durham?, Newcastle, Berwick-Upon-Tweed?, Edinburgh Waverley",
      "60E London Kings Cross, Stevenage, Grantham?, Newark Northgate?, Doncaster, York, Northallerton?, Darlington, Durham, Newcastle, Alnmouth?",
      "30E London Kings Cross, Stevenage?, Peterborough, Grantham?, Newark Northgate?, Retford?, Doncaster, Wakefield Westgate, Leeds",
      "x5E London Kings Cross, Peterborough, Grantham, Newark Northgate, Lincoln Central",
      "x5E London Kings Cross, Peterborough, Doncaster, Wakefield Westgate, Leeds, Horsforth, Harrogate",
      "x3E London Kings Cross, York, Darlington, Newcastle, Edinburgh Waverley, Haymarket, Kirkcaldy, Leuchars, Dundee, Arbroath, Montrose, Stonehaven, Aberdeen",
      "x2E London Kings Cross, York, Newcastle, Edinburgh Waverley, Stirling, Perth, Pitlochry, Kingussie, Aviemore, Inverness",
      "x3E London Kings Cross, Doncaster, Wakefield Westgate, Leeds, Shipley, Bradford Forster Square, Keighley?, Skipton?",
    ],
  },
  {
    operator: "HT",
    lines: ["x7E London Kings Cross, Stevenage?, Grantham, Retford, Doncaster, Selby, Howden, Brough, Hull"],
  },
  {
    operator: "GC",
    lines: [
      "x6E London Kings Cross, York, Thirsk, Northallerton, Eaglescliffe, Hartlepool, Sunderland",
      "x4E London Kings Cross, Doncaster, Pontefract Monkhill, Wakefield Kirkgate, Mirfield, Brighouse, Halifax, Low Moor, Bradford Interchange",
    ],
  },
  { operator: "LD", lines: ["x5E London Kings Cross, Stevenage, Newcastle, Morpeth, Edinburgh Waverley"] },
  {
    operator: "VT",
    lines: [
      "20E London Euston, Milton Keynes Central?, Stoke-On-Trent, Macclesfield?, Stockport, Manchester Piccadilly",
      "20E London Euston, Watford Junction?, Milton Keynes Central?, Rugby?, Coventry, Birmingham International, Birmingham New Street",
      "60E London Euston, Milton Keynes Central?, Stafford?, Crewe, Runcorn, Liverpool Lime Street",
      "60E London Euston, Warrington Bank Quay, Wigan North Western, Preston, Lancaster, Oxenholme Lake District?, Penrith?, Carlisle, Motherwell?, Glasgow Central",
      "60E London Euston, Coventry, Birmingham International, Birmingham New Street, Sandwell & Dudley, Wolverhampton, Stafford, Crewe, Warrington Bank Quay, Wigan North Western, Preston, Lancaster, Penrith?, Carlisle, Haymarket, Edinburgh Waverley",
      "x7E London Euston, Milton Keynes Central, Crewe, Chester, Flint?, Rhyl, Colwyn Bay, Llandudno Junction, Bangor (Gwynedd), Holyhead",
      "x4E London Euston, Crewe, Preston, Kirkham & Wesham?, Poulton-Le-Fylde, Blackpool North",
      "x2E London Euston, Birmingham New Street, Wolverhampton, Telford Central, Wellington (Shropshire), Shrewsbury",
    ],
  },
  {
    operator: "XC",
    lines: [
      "60E Plymouth, Totnes?, Newton Abbot, Exeter St Davids, Tiverton Parkway?, Taunton, Bristol Temple Meads, Bristol Parkway, Cheltenham Spa, Birmingham New Street, Tamworth?, Derby, Chesterfield, Sheffield, Wakefield Westgate, Leeds, York, Darlington, Durham, Newcastle, Alnmouth?, Berwick-Upon-Tweed?, Edinburgh Waverley",
      "60E Reading, Oxford, Banbury, Leamington Spa, Coventry?, Birmingham New Street, Derby, Sheffield, Doncaster, York, Northallerton?, Darlington, Durham, Chester-Le-Street?, Newcastle",
      "60E Bournemouth, Brockenhurst, Southampton Central, Southampton Airport Parkway, Winchester, Basingstoke, Reading, Oxford, Banbury, Leamington Spa, Coventry, Birmingham International, Birmingham New Street, Wolverhampton, Stafford, Stoke-On-Trent, Macclesfield, Stockport, Manchester Piccadilly",
      "60E Bristol Temple Meads, Bristol Parkway, Cheltenham Spa, Birmingham New Street, Wolverhampton, Stafford?, Crewe?, Stoke-On-Trent?, Macclesfield, Stockport, Manchester Piccadilly",
      "60E Cardiff Central, Newport (South Wales), Severn Tunnel Junction?, Chepstow, Lydney?, Gloucester, Cheltenham Spa, Ashchurch for Tewkesbury?, Worcestershire Parkway, Bromsgrove?, University (Birmingham)?, Birmingham New Street, Willington?, Burton-On-Trent, Derby, Long Eaton?, Beeston?, Nottingham",
      "60E Birmingham New Street, Coleshill Parkway, Nuneaton, Hinckley?, Narborough?, Leicester, Melton Mowbray, Oakham, Stamford, Peterborough, March, Ely, Cambridge, Audley End, Stansted Airport",
      "60R Birmingham New Street, Water Orton?, Coleshill Parkway, Nuneaton, Hinckley, Narborough, South Wigston?, Leicester",
      "x3E Penzance, St Erth, Camborne, Redruth, Truro, St Austell, Par, Bodmin Parkway, Liskeard, Plymouth, Totnes, Newton Abbot, Exeter St Davids, Taunton, Bristol Temple Meads, Birmingham New Street, Derby, Sheffield, Leeds, York, Newcastle, Edinburgh Waverley, Haymarket, Motherwell, Glasgow Central",
      "x2E Paignton, Torquay, Newton Abbot, Exeter St Davids, Bristol Temple Meads, Birmingham New Street, Manchester Piccadilly",
    ],
  },
  {
    operator: "TP",
    lines: [
      "60E Liverpool Lime Street, Lea Green?, Newton-Le-Willows?, Manchester Victoria, Stalybridge?, Huddersfield, Dewsbury, Leeds, Garforth?, York, Northallerton, Darlington, Durham, Newcastle, Morpeth?",
      "60E Manchester Airport, Gatley?, Manchester Piccadilly, Manchester Oxford Road, Manchester Victoria, Huddersfield, Dewsbury?, Leeds, York, Thirsk, Northallerton, Yarm, Thornaby, Middlesbrough, Redcar Central, Saltburn",
      "60E Manchester Victoria, Huddersfield, Leeds, Garforth, York, Malton, Seamer, Scarborough",
      "60E Manchester Piccadilly, Stalybridge, Huddersfield, Mirfield?, Leeds, Garforth?, South Milford?, Selby, Howden?, Brough, Hull",
      "60R Manchester Piccadilly, Stalybridge, Mossley (Manchester), Greenfield, Marsden, Slaithwaite, Huddersfield",
      "60R Huddersfield, Deighton, Mirfield, Ravensthorpe, Dewsbury, Batley, Morley, Cottingley, Leeds",
      "60E Liverpool Lime Street, Liverpool South Parkway, Warrington Central, Birchwood, Irlam?, Urmston?, Manchester Oxford Road, Manchester Piccadilly, Stockport, Sheffield, Meadowhall, Doncaster, Scunthorpe, Barnetby, Habrough, Grimsby Town, Cleethorpes",
      "60E Manchester Airport, Manchester Piccadilly, Manchester Oxford Road, Bolton, Preston, Lancaster, Oxenholme Lake District, Penrith, Carlisle, Lockerbie, Haymarket, Edinburgh Waverley",
      "x8E Manchester Airport, Manchester Piccadilly, Bolton, Preston, Lancaster, Oxenholme Lake District, Penrith, Carlisle, Lockerbie, Motherwell, Glasgow Central",
      "x5R Newcastle, Cramlington, Morpeth, Alnmouth, Berwick-Upon-Tweed, Reston, Dunbar, East Linton, Musselburgh, Edinburgh Waverley",
    ],
  },
  {
    operator: "EM",
    lines: [
      "30E London St Pancras International, Luton Airport Parkway?, Kettering?, Market Harborough?, Leicester, Loughborough?, East Midlands Parkway?, Long Eaton?, Derby, Chesterfield, Sheffield",
      "30E London St Pancras International, Kettering?, Market Harborough, Leicester, Loughborough, East Midlands Parkway, Beeston, Nottingham",
      "30E London St Pancras International, Luton Airport Parkway, Luton, Bedford, Wellingborough, Kettering, Corby",
      "60E Liverpool Lime Street, Liverpool South Parkway, Widnes, Warrington Central, Manchester Oxford Road, Manchester Piccadilly, Stockport, Sheffield, Chesterfield, Alfreton, Ilkeston?, Nottingham, Grantham, Peterborough, Ely, Thetford, Norwich",
      "60R Nottingham, Radcliffe (Nottinghamshire), Bingham, Bottesford?, Grantham, Ancaster?, Sleaford, Heckington, Boston, Thorpe Culvert?, Wainfleet, Skegness",
      "60R Leicester, Syston, Sileby, Barrow Upon Soar, Loughborough, East Midlands Parkway, Beeston, Nottingham, Carlton, Burton Joyce, Lowdham, Fiskerton, Rolleston, Newark Castle, Collingham, Swinderby, Hykeham, Lincoln Central",
      "x8R Lincoln Central, Market Rasen, Barnetby, Habrough, Grimsby Town, Cleethorpes",
      "60R Lincoln Central, Metheringham, Ruskington, Sleaford, Spalding, Peterborough",
      "60R Derby, Peartree?, Tutbury & Hatton, Uttoxeter, Blythe Bridge, Longton, Stoke-On-Trent, Longport?, Kidsgrove, Alsager, Crewe",
      "60R Nottingham, Beeston, Attenborough, Long Eaton, Spondon?, Derby, Duffield, Belper, Ambergate, Whatstandwell, Cromford, Matlock Bath, Matlock",
      "60R Nottingham, Bulwell, Hucknall, Newstead, Kirkby in Ashfield, Sutton Parkway, Mansfield, Mansfield Woodhouse, Shirebrook, Langwith - Whaley Thorns, Creswell, Whitwell, Worksop",
      "60R Nottingham, Ilkeston, Langley Mill, Alfreton, Chesterfield, Dronfield?, Sheffield",
      "x6R Nottingham, Carlton, Netherfield, Thurgarton, Bleasby, Newark Castle, Newark Northgate",
      "x5R Peterborough, Spalding, Sleaford, Swineshead, Hubberts Bridge, Boston",
      "x4R Nottingham, Netherfield, Radcliffe (Nottinghamshire), Bingham, Aslockton, Elton & Orston, Bottesford, Grantham, Rauceby, Sleaford, Havenhouse, Skegness",
      "x4R Doncaster, Gainsborough Lea Road, Saxilby, Lincoln Central",
    ],
  },
  {
    operator: "CS",
    lines: [
      "x1S London Euston, Watford Junction, Carlisle, Motherwell, Glasgow Central",
      "x1S London Euston, Crewe, Preston, Edinburgh Waverley, Stirling, Gleneagles, Perth, Dunkeld & Birnam, Pitlochry, Blair Atholl, Dalwhinnie, Newtonmore, Kingussie, Aviemore, Carrbridge, Inverness",
      "x1S London Euston, Watford Junction, Carlisle, Edinburgh Waverley",
      "x1S London Euston, Crewe, Preston, Edinburgh Waverley, Dalmuir, Helensburgh Upper, Garelochhead, Arrochar & Tarbet, Ardlui, Crianlarich, Upper Tyndrum, Bridge of Orchy, Rannoch, Corrour, Tulloch, Roy Bridge, Spean Bridge, Fort William",
      "x1S London Euston, Crewe, Edinburgh Waverley, Leuchars, Dundee, Carnoustie, Arbroath, Montrose, Stonehaven, Aberdeen",
    ],
  },
];
