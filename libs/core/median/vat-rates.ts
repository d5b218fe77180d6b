/**
 * The standard rates of value added tax by region, from 2010 on: for gross prices whose rate the vendor does not state.
 * Data from the laws named beside each region; "VAT rates applied in the Member States of the European Union"
 * (European Commission) lists those of EU members. Days are those on which a rate begins, read as UTC. Reduced rates
 * and special territories (Canary Islands, Madeira, Mexico's border) are left out.
 *
 * US and BR are absent on purpose: sales tax and ICMS differ by state, so no rate is standard there.
 */
const STANDARD_RATES: Readonly<Record<string, readonly (readonly [from: string, rate: string])[]>> = {
  /** Ley 37/1992 art. 90, changed by Ley 26/2009 and Real Decreto-ley 20/2012. */
  ES: [
    ['2010-01-01', '0.16'],
    ['2010-07-01', '0.18'],
    ['2012-09-01', '0.21'],
  ],
  /** Code général des impôts art. 278, changed by Loi 2012-1510. */
  FR: [
    ['2010-01-01', '0.196'],
    ['2014-01-01', '0.2'],
  ],
  /** Código do IVA art. 18, changed by Lei 12-A/2010 and Lei 55-A/2010; the mainland's rate. */
  PT: [
    ['2010-01-01', '0.2'],
    ['2010-07-01', '0.21'],
    ['2011-01-01', '0.23'],
  ],
  /** Umsatzsteuergesetz §12; §28 (Zweites Corona-Steuerhilfegesetz) for the second half of 2020. */
  DE: [
    ['2010-01-01', '0.19'],
    ['2020-07-01', '0.16'],
    ['2021-01-01', '0.19'],
  ],
  /** D.P.R. 633/1972 art. 16, changed by D.L. 138/2011 and D.L. 98/2011 with D.L. 76/2013. */
  IT: [
    ['2010-01-01', '0.2'],
    ['2011-09-17', '0.21'],
    ['2013-10-01', '0.22'],
  ],
  /** Value Added Tax Act 1994 s. 2, changed by Finance (No. 2) Act 2010 s. 3. */
  GB: [
    ['2010-01-01', '0.175'],
    ['2011-01-04', '0.2'],
  ],
  /** Value-Added Tax Consolidation Act 2010 s. 46, changed by Finance Acts 2012 and 2020. */
  IE: [
    ['2010-01-01', '0.21'],
    ['2012-01-01', '0.23'],
    ['2020-09-01', '0.21'],
    ['2021-03-01', '0.23'],
  ],
  /** Wet op de omzetbelasting 1968 art. 9. */
  NL: [
    ['2010-01-01', '0.19'],
    ['2012-10-01', '0.21'],
  ],
  /** Koninklijk besluit nr. 20 (1970). */
  BE: [['2010-01-01', '0.21']],
  /** Umsatzsteuergesetz 1994 §10. */
  AT: [['2010-01-01', '0.2']],
  /** Ustawa o podatku od towarów i usług art. 41 and 146a. */
  PL: [
    ['2010-01-01', '0.22'],
    ['2011-01-01', '0.23'],
  ],
  /** Mervärdesskattelagen (1994:200, then 2023:200). */
  SE: [['2010-01-01', '0.25']],
  /** Momsloven §33. */
  DK: [['2010-01-01', '0.25']],
  /** Ley del Impuesto al Valor Agregado art. 1, changed on 7 December 2009. */
  MX: [['2010-01-01', '0.16']],
  /** Decreto Ley 825 art. 14, with Ley 19.888. */
  CL: [['2010-01-01', '0.19']],
  /** Estatuto Tributario art. 468, changed by Ley 1819 de 2016. */
  CO: [
    ['2010-01-01', '0.16'],
    ['2017-01-01', '0.19'],
  ],
  /** TUO de la Ley del IGV art. 17 with Ley 29666, the municipal promotion tax included. */
  PE: [
    ['2010-01-01', '0.19'],
    ['2011-03-01', '0.18'],
  ],
  /** Ley de Impuesto al Valor Agregado (23.349) art. 28. */
  AR: [['2010-01-01', '0.21']],
  /** Texto Ordenado 1996 título 10 art. 16, with Ley 18.083. */
  UY: [['2010-01-01', '0.22']],
}

/** The region's standard rate at that instant as a fraction of the net price ("0.21"); null where none is known. */
export function standardVatRate(region: string | null, atMs: number): string | null {
  const rates = region === null ? undefined : STARTS.get(region)
  return rates?.findLast(({ fromMs }) => fromMs <= atMs)?.rate ?? null
}

/** Regions with a standard rate, sorted. */
export const VAT_REGIONS: readonly string[] = Object.keys(STANDARD_RATES).sort()

const STARTS = new Map(
  Object.entries(STANDARD_RATES).map(([region, rates]) => [
    region,
    rates.map(([from, rate]) => ({ fromMs: Date.parse(`${from}T00:00:00Z`), rate })),
  ]),
)
