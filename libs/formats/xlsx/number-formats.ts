import { elementsIn } from './workbook-parts.ts'

/** Formats of Excel itself that show a percentage (ECMA-376 part 1, §18.8.30). */
const PERCENT_IDS: ReadonlySet<string> = new Set(['9', '10'])

/** The marks that cell formats show beside a number, by the index of the format: "€", "USD", "Rs.", "%". */
export function marksOfStyles(styles: string): ReadonlyMap<number, string> {
  const codes = new Map(
    elementsIn(styles, 'numfmt').map(({ numFmtId = '', formatCode = '' }) => [numFmtId, markIn(formatCode)]),
  )
  const marks = new Map<number, string>()
  for (const [index, { numFmtId = '' }] of elementsIn(styles, 'xf', 'cellxfs').entries()) {
    const mark = codes.get(numFmtId) ?? (PERCENT_IDS.has(numFmtId) ? '%' : '')
    if (mark !== '') marks.set(index, mark)
  }
  return marks
}

/** The section of positive numbers. */
const SECTION = /^(?:"[^"]*"|\\.|\[[^\]]*\]|[^;"])*/
/** Quoted text, an escaped character, a currency with its locale; colours and blanks of a width; signs that need no quotes. */
const PART = /"([^"]*)"|\\(.)|\[\$([^\]-]*)(?:-[^\]]*)?\]|\[[^\]]*\]|[_*].|([%‰\p{Sc}])/gu

function markIn(code: string): string {
  const section = SECTION.exec(code)?.[0] ?? ''
  const parts = [...section.matchAll(PART)].map(
    ([, quoted, escaped, currency, sign]) => quoted ?? escaped ?? currency ?? sign ?? '',
  )
  const mark = parts.join('').replace(/\s+/g, ' ').trim()
  return /[\p{L}\p{Sc}%‰]/u.test(mark) ? mark : ''
}
