/**
 * Subdivisions of countries by ISO 3166-2: where price lists hold for a part of a country. Of ES the autonomous communities and
 * the provinces, of GB the nations, of IT the regions; of all others the first level.
 */
const TABLE: Readonly<Record<string, string>> = {
  AR: `A Salta, B Buenos Aires, C Ciudad Autónoma de Buenos Aires, D San Luis, E Entre Ríos, F La Rioja, G Santiago del Estero,
    H Chaco, J San Juan, K Catamarca, L La Pampa, M Mendoza, N Misiones, P Formosa, Q Neuquén, R Río Negro, S Santa Fe,
    T Tucumán, U Chubut, V Tierra del Fuego, W Corrientes, X Córdoba, Y Jujuy, Z Santa Cruz`,
  BR: `AC Acre, AL Alagoas, AM Amazonas, AP Amapá, BA Bahia, CE Ceará, DF Distrito Federal, ES Espírito Santo, GO Goiás,
    MA Maranhão, MG Minas Gerais, MS Mato Grosso do Sul, MT Mato Grosso, PA Pará, PB Paraíba, PE Pernambuco, PI Piauí,
    PR Paraná, RJ Rio de Janeiro, RN Rio Grande do Norte, RO Rondônia, RR Roraima, RS Rio Grande do Sul, SC Santa Catarina,
    SE Sergipe, SP São Paulo, TO Tocantins`,
  CL: `AI Aysén, AN Antofagasta, AP Arica y Parinacota, AR La Araucanía, AT Atacama, BI Biobío, CO Coquimbo,
    LI Libertador General Bernardo O’Higgins, LL Los Lagos, LR Los Ríos, MA Magallanes, ML Maule, NB Ñuble,
    RM Región Metropolitana de Santiago, TA Tarapacá, VS Valparaíso`,
  CO: `AMA Amazonas, ANT Antioquia, ARA Arauca, ATL Atlántico, BOL Bolívar, BOY Boyacá, CAL Caldas, CAQ Caquetá, CAS Casanare,
    CAU Cauca, CES Cesar, CHO Chocó, COR Córdoba, CUN Cundinamarca, DC Distrito Capital de Bogotá, GUA Guainía, GUV Guaviare,
    HUI Huila, LAG La Guajira, MAG Magdalena, MET Meta, NAR Nariño, NSA Norte de Santander, PUT Putumayo, QUI Quindío,
    RIS Risaralda, SAN Santander, SAP San Andrés y Providencia, SUC Sucre, TOL Tolima, VAC Valle del Cauca, VAU Vaupés,
    VID Vichada`,
  ES: `AN Andalucía, AR Aragón, AS Principado de Asturias, CB Cantabria, CE Ceuta, CL Castilla y León, CM Castilla-La Mancha,
    CN Canarias, CT Catalunya, EX Extremadura, GA Galicia, IB Illes Balears, MC Región de Murcia, MD Comunidad de Madrid,
    ML Melilla, NC Comunidad Foral de Navarra, PV País Vasco, RI La Rioja, VC Comunitat Valenciana, A Alicante, AB Albacete,
    AL Almería, AV Ávila, B Barcelona, BA Badajoz, BI Bizkaia, BU Burgos, C A Coruña, CA Cádiz, CC Cáceres, CO Córdoba,
    CR Ciudad Real, CS Castellón, CU Cuenca, GC Las Palmas, GI Girona, GR Granada, GU Guadalajara, H Huelva, HU Huesca, J Jaén,
    L Lleida, LE León, LO La Rioja (provincia), LU Lugo, M Madrid, MA Málaga, MU Murcia, NA Navarra, O Asturias, OR Ourense,
    P Palencia, PM Illes Balears (provincia), PO Pontevedra, S Cantabria (provincia), SA Salamanca, SE Sevilla, SG Segovia,
    SO Soria, SS Gipuzkoa, T Tarragona, TE Teruel, TF Santa Cruz de Tenerife, TO Toledo, V Valencia, VA Valladolid, VI Araba,
    Z Zaragoza, ZA Zamora`,
  GB: 'ENG England, NIR Northern Ireland, SCT Scotland, WLS Wales',
  IT: `21 Piemonte, 23 Valle d’Aosta, 25 Lombardia, 32 Trentino-Alto Adige, 34 Veneto, 36 Friuli-Venezia Giulia, 42 Liguria,
    45 Emilia-Romagna, 52 Toscana, 55 Umbria, 57 Marche, 62 Lazio, 65 Abruzzo, 67 Molise, 72 Campania, 75 Puglia, 77 Basilicata,
    78 Calabria, 82 Sicilia, 88 Sardegna`,
  MX: `AGU Aguascalientes, BCN Baja California, BCS Baja California Sur, CAM Campeche, CHH Chihuahua, CHP Chiapas,
    CMX Ciudad de México, COA Coahuila, COL Colima, DUR Durango, GRO Guerrero, GUA Guanajuato, HID Hidalgo, JAL Jalisco, MEX México,
    MIC Michoacán, MOR Morelos, NAY Nayarit, NLE Nuevo León, OAX Oaxaca, PUE Puebla, QUE Querétaro, ROO Quintana Roo, SIN Sinaloa,
    SLP San Luis Potosí, SON Sonora, TAB Tabasco, TAM Tamaulipas, TLA Tlaxcala, VER Veracruz, YUC Yucatán, ZAC Zacatecas`,
  PE: `AMA Amazonas, ANC Áncash, APU Apurímac, ARE Arequipa, AYA Ayacucho, CAJ Cajamarca, CAL El Callao, CUS Cusco, HUC Huánuco,
    HUV Huancavelica, ICA Ica, JUN Junín, LAL La Libertad, LAM Lambayeque, LIM Lima, LMA Municipalidad Metropolitana de Lima,
    LOR Loreto, MDD Madre de Dios, MOQ Moquegua, PAS Pasco, PIU Piura, PUN Puno, SAM San Martín, TAC Tacna, TUM Tumbes,
    UCA Ucayali`,
  US: `AK Alaska, AL Alabama, AR Arkansas, AS American Samoa, AZ Arizona, CA California, CO Colorado, CT Connecticut,
    DC District of Columbia, DE Delaware, FL Florida, GA Georgia, GU Guam, HI Hawaii, IA Iowa, ID Idaho, IL Illinois, IN Indiana,
    KS Kansas, KY Kentucky, LA Louisiana, MA Massachusetts, MD Maryland, ME Maine, MI Michigan, MN Minnesota, MO Missouri,
    MP Northern Mariana Islands, MS Mississippi, MT Montana, NC North Carolina, ND North Dakota, NE Nebraska, NH New Hampshire,
    NJ New Jersey, NM New Mexico, NV Nevada, NY New York, OH Ohio, OK Oklahoma, OR Oregon, PA Pennsylvania, PR Puerto Rico,
    RI Rhode Island, SC South Carolina, SD South Dakota, TN Tennessee, TX Texas, UM United States Minor Outlying Islands, UT Utah,
    VA Virginia, VI United States Virgin Islands, VT Vermont, WA Washington, WI Wisconsin, WV West Virginia, WY Wyoming`,
}

/** The name of each subdivision, by its code ("BR-SP"). */
export const SUBDIVISIONS: ReadonlyMap<string, string> = new Map(
  Object.entries(TABLE).flatMap(([country, listed]) =>
    listed.split(/,\s+/).map((entry): [string, string] => {
      const end = entry.indexOf(' ')
      return [`${country}-${entry.slice(0, end)}`, entry.slice(end + 1)]
    }),
  ),
)
/** The countries whose subdivisions are markets. */
export const SUBDIVIDED: readonly string[] = Object.keys(TABLE)

export const isSubdivision = (region: string): boolean => SUBDIVISIONS.has(region)

/** The country of a region: that of a subdivision, or the region itself. */
export function countryOf(region: string): string {
  return isSubdivision(region) ? region.slice(0, 2) : region
}
