// Freight and empty trains, which nobody can board. A board shows them unless it is limited to passenger trains.

export const FREIGHT = {
  ZZ: [
    "x6F Felixstowe, Ipswich, Ely, March, Peterborough, Leicester, Nuneaton, Crewe",
    "x5F Southampton Central, Winchester, Basingstoke, Reading, Oxford, Banbury, Leamington Spa, Nuneaton, Crewe, Manchester Piccadilly",
    "x5F Grimsby Town, Barnetby, Scunthorpe, Doncaster, York, Northallerton, Middlesbrough",
    "x4F London Kings Cross, Finsbury Park, Hornsey",
    "x4F Leeds, Wakefield Westgate, Doncaster, York",
  ],
};
