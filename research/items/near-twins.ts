import { kindOf } from '@catalog/core/kinds/kind-of.ts'
import type { KeyedSku } from './keyed-offers.ts'

/** What a near twin differs in. */
const DIFFERENCES = ['size', 'grade', 'helper', 'remove', 'brand line'] as const
export type Difference = (typeof DIFFERENCES)[number]
export type NearTwin = KeyedSku & Readonly<{ difference: Difference }>

/**
 * Offers that differ from a real one in one place, as another vendor would list them: the next size, the next grade,
 * the helper of a trade, the removal of a work, another line of a brand. Each is a product of its own. Pure.
 */
export function nearTwinsOf(sku: KeyedSku): NearTwin[] {
  const { kind, grade, action } = kindOf(sku)
  // The helper of a helper and the removal of a removal are nothing new.
  const isPlain = grade !== 'helper' && action !== 'remove'
  const lang = sku.lang ?? 'en'
  return DIFFERENCES.flatMap((difference) => {
    const name = twinName(sku.name, { difference, kind: isPlain ? kind : null, lang, line: lineOf(sku.product) })
    if (name === null || name === sku.name) return []
    const { gtin: _gtin, manufacturerRef: _ref, ...texts } = sku
    return [
      {
        ...texts,
        vendorSkuId: `${sku.vendorSkuId}~${difference}`,
        sourceId: `${sku.sourceId}~${difference}`,
        name,
        product: `${sku.product}~${difference}`,
        difference,
      },
    ]
  })
}

function twinName(
  name: string,
  { difference, kind, lang, line }: { difference: Difference; kind: string | null; lang: string; line: string },
): string | null {
  switch (difference) {
    case 'size':
      return name.replace(SIZE, (number) => nextNumber(number))
    case 'grade':
      return name.replace(GRADE, (grade) => nextGrade(grade))
    case 'helper':
      return kind === 'labour' ? `${HELPER[lang] ?? HELPER.en} ${name}` : null
    case 'remove':
      return kind === 'work' ? `${REMOVE[lang] ?? REMOVE.en} ${name}` : null
    case 'brand line':
      return kind === 'material' ? `${name} ${line}` : null
  }
}

/** The first number with a unit, and a grade letter or numeral. */
const SIZE =
  /(?<![\d/.,-])(?:\d+(?:[.,]\d+)?(?=\s*(?:mm|cm|m|kg|g|l|in|ft|"|mm²|cm²|a|kw|psi|mpa)(?![\p{L}\d]))|\d{2,}(?=\s*x\s*\d))/iu
const GRADE = /(?<=\b(?:type|tipo|clase|class|classe|typ|grade|grado|serie|curva|curve)\s)(?:[a-z]|\d{1,2}|i{1,3})\b/i

const HELPER: Readonly<Record<string, string>> = {
  en: 'Helper,',
  es: 'Ayudante de',
  pt: 'Ajudante de',
  fr: 'Aide',
  de: 'Helfer',
}
const REMOVE: Readonly<Record<string, string>> = {
  en: 'Removal of',
  es: 'Demolición de',
  pt: 'Demolição de',
  fr: 'Dépose de',
  de: 'Abbruch',
}
const BRAND_LINES = ['Oro Plus', 'Premium', 'Pro', 'Eco', 'Ultra', 'Plus'] as const
/** One line a product, whoever sells it. */
const lineOf = (product: string) => BRAND_LINES[product.length % BRAND_LINES.length] as string

/** 1.7 times as much: 12 → 20.4, 2.5 → 4.25. Half as much again would often be a real size of another product. */
function nextNumber(written: string): string {
  const mark = written.includes(',') ? ',' : '.'
  const next = Number(written.replace(',', '.')) * 1.7
  return String(Number(next.toFixed(2))).replace('.', mark)
}

function nextGrade(grade: string): string {
  if (/^\d+$/.test(grade)) return String(Number(grade) + 1)
  if (/^i{1,3}$/i.test(grade)) return grade.length < 3 ? `${grade}${grade[0]}` : 'V'
  const next = String.fromCharCode(grade.charCodeAt(0) + 1)
  return /[a-z]/i.test(next) ? next : 'B'
}
