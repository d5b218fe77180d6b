import { parseDecimal, parseRational } from '@catalog/core/money/rational.ts'
import { foldText } from '@catalog/core/text.ts'
import type { ParsedUnit, UnitContext } from './unit.ts'
import { AMBIGUOUS_SPELLINGS, CONTAINERS, COUNTED, MEASURES } from './unit-tables.ts'

/** The unit of a spelling. Some spellings depend on the language or on BC3, and stay unknown in other contexts. */
export function lookUp(spelling: string, { lang, format }: UnitContext): ParsedUnit | null {
  const readings = READINGS.get(spelling)
  if (!readings) return UNIT_OF.get(spelling) ?? null
  const reading = readings.find(({ where }) => where === null || where.has(format ?? lang ?? '-'))
  return reading?.unit ?? null
}

/** Whether the meaning of a spelling depends on its context. */
export function isAmbiguous(spelling: string): boolean {
  return READINGS.has(spelling)
}

/** One spelling for texts that differ only in case, accents, dots, brackets, superscripts and hyphens. */
export function normalised(text: string): string {
  return foldText(text)
    .replace(/\((s|es|en|n|e)\)/g, '')
    .replace(/[×✕*]/g, ' x ')
    .replace(/\^(?=[23])/g, '')
    .replace(/\b([mcd]?m|ft|in|yd) ([23])$/, '$1$2')
    .replace(/\bc\/(?=[ \d])/g, ' ')
    .replace(/μm$/, 'micron')
    .replace(/^(\d+)-pack$/, 'pack $1')
    .replace(/\.(?=[a-z])/g, '')
    .replace(/(?<!\d)[.,]|[.,](?!\d)|[-–_()[\]:;'"]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}

export const UNIT_OF: ReadonlyMap<string, ParsedUnit> = table()

const READINGS = new Map(
  Array.from(AMBIGUOUS_SPELLINGS, ([spelling, rows]) => [
    spelling,
    rows.map(([where, symbol]) => ({
      where: where === '' ? null : new Set(where.split(' ')),
      unit: unitCalled(symbol),
    })),
  ]),
)

/** The unit of a symbol of the tables. Throws for an unknown symbol, whose row would have no effect. */
function unitCalled(symbol: string): ParsedUnit {
  const unit = UNIT_OF.get(normalised(symbol))
  if (!unit) throw new Error(`unit symbol ${JSON.stringify(symbol)}: expected one of the tables`)
  return unit
}

function table(): Map<string, ParsedUnit> {
  const counted = [...CONTAINERS, ...COUNTED].map(([symbol, spellings]) => {
    return [symbol, `count:${symbol}` as const, '1', spellings] as const
  })
  const units = new Map<string, ParsedUnit>()
  for (const [symbol, dimension, factor, spellings] of [...MEASURES, ...counted]) {
    const unit = { dimension, symbol, factor: factor.includes('/') ? parseRational(factor) : parseDecimal(factor) }
    for (const listed of [symbol, ...spellings.split(',')]) {
      const spelling = normalised(listed)
      // A second row would make the meaning depend on the order of the rows.
      if (units.has(spelling)) throw new Error(`unit spelling ${JSON.stringify(spelling)}: listed twice`)
      if (spelling !== '') units.set(spelling, unit)
    }
  }
  return units
}
