import { type BillLine, LINE_CHARS_MAX, UNIT_CHARS_MAX } from '@catalog/formats/bill/bill.ts'
import { linesOf } from '@catalog/formats/xml/document.ts'
import { child, children, localName, textOf, type XmlElement } from '@catalog/formats/xml/element.ts'

/** A position of a tender as a line of its bill. */

/** Characters kept of a long text. */
const LONG_CHARS_MAX = 8_192

type Description = Readonly<{ text: string; long: string }>
type Place = Pick<BillLine, 'counts'> &
  Readonly<{ name: string; code: string; isBid: boolean; description: Description }>

/** `isBid`: the file states the prices of a request. */
export function lineOf(item: XmlElement, { name, code, counts, isBid, description }: Place): BillLine {
  const field = (path: string) => textOf(item, path)
  const isLump = field('LumpSumItem') === 'Yes' || /^(psch|pausch)/i.test(field('QU'))
  const unit = isMarkup(item) ? '%' : field('QU') || (isLump ? 'psch' : '')
  const isOne = isLump && field('Qty') === '' && field('QtyTBD') !== 'Yes'
  const quantity = isOne ? '1' : decimalOf(field('Qty'))
  // A text complement of the bidder is no text of the position.
  const isPriceOnly = isBid && unit === '' && textsOf(item, 'OutlTxt').length === 0
  const text = isPriceOnly ? '' : description.text
  const long = isPriceOnly ? textsOf(item, 'DetailTxt').join('\n').slice(0, LONG_CHARS_MAX) : description.long
  const { line } = item.attributes
  return {
    kind: 'line',
    position: line === undefined ? `${name} ${code}`.trim() : `${name} line ${line}`,
    code: code || null,
    text: text || code || name,
    longText: long || null,
    unit: unit.slice(0, UNIT_CHARS_MAX) || null,
    quantity,
    price: decimalOf(field('UP')),
    amount: decimalOf(field('IT')),
    region: null,
    counts,
    problem: problemOf(item, text !== '' ? '' : isBid ? BID_ONLY : 'no text: expected what the line is of', quantity),
  }
}

export const BID_ONLY =
  'a bid states prices only: expected its request (X83, D83, P83) beside it, with texts, units and quantities'

const isMarkup = (item: XmlElement) => localName(item.name) === 'MarkupItem'

/** Why the line cannot be priced as it stands. */
function problemOf(item: XmlElement, noText: string, quantity: string | null): string | null {
  const written = textOf(item, 'Qty')
  if (textOf(item, 'NotOffered') === 'Yes') return 'the bidder does not offer it: expected a price'
  if (isMarkup(item)) {
    const base = decimalOf(textOf(item, 'ITMarkup')) ?? 'other lines'
    return `a markup${percentOf(textOf(item, 'Markup'))} on ${base}: it has no price of its own`
  }
  if (noText !== '' || quantity !== null) return noText || null
  const isOpen = written === '' && textOf(item, 'QtyTBD') === 'Yes'
  return isOpen
    ? 'the quantity is open: expected the bidder to state it'
    : `quantity '${written.slice(0, 60)}': expected a number such as 12.5`
}

/** The texts of positions: below a performance description, and behind those of the position that they repeat. */
export class Descriptions {
  readonly #known = new Map<string, Description>()

  /** Keeps a performance description, which the positions behind it refer to. */
  perform(element: XmlElement): void {
    const lines = [textOf(element, 'PerfLbl'), ...textsOf(element, 'OutlTxt'), ...textsOf(element, 'DetailTxt')]
    this.#keep('RefPerfNo', element.attributes.ID ?? textOf(element, 'PerfNo'), { text: '', long: longOf(lines) })
  }

  of(item: XmlElement): Description {
    const base = this.#referred('RefRNo', item)
    const performed = this.#referred('RefPerfNo', item)?.long ?? ''
    const short = textsOf(item, 'OutlTxt').join(' ')
    const own = textsOf(item, 'DetailTxt')
    const joined = [base?.text ?? '', own[0]?.replace(/[,;]$/, '') ?? ''].filter((part) => part !== '').join(', ')
    const text = (short || joined || performed.split('\n', 1).join('')).slice(0, LINE_CHARS_MAX)
    const rest = short === '' && base === undefined ? own.slice(1) : own
    const long = longOf([performed, base?.long ?? '', ...rest, ...children(item, 'SubDescr').flatMap(subDescription)])
    this.#keep('RefRNo', item.attributes.ID ?? textOf(item, 'OZ'), { text, long })
    return { text, long }
  }

  #keep(reference: string, id: string, description: Description): void {
    if (id !== '') this.#known.set(`${reference} ${id}`, description)
  }

  #referred(reference: string, item: XmlElement): Description | undefined {
    return this.#known.get(`${reference} ${child(item, reference)?.attributes.IDRef ?? textOf(item, reference)}`)
  }
}

const longOf = (lines: readonly string[]) =>
  lines
    .filter((line) => line !== '')
    .join('\n')
    .slice(0, LONG_CHARS_MAX)

/** The lines of a kind of text below an element; those of its parts stand for themselves. */
function textsOf(element: XmlElement, name: string): readonly string[] {
  return element.children.flatMap((one) => {
    if (localName(one.name) === name) return linesOf(one)
    return localName(one.name) === 'SubDescr' ? [] : textsOf(one, name)
  })
}

/** "1 Expansion vessel (3 Stck)" and the rest of its text. */
function subDescription(part: XmlElement): readonly string[] {
  const [first, ...rest] = [...textsOf(part, 'OutlTxt'), ...textsOf(part, 'DetailTxt')]
  const quantity = Number(textOf(part, 'Qty')) > 0 ? ` (${decimalOf(textOf(part, 'Qty'))} ${textOf(part, 'QU')})` : ''
  return first === undefined ? [] : [`${Number(textOf(part, 'SubDNo')) || ''} ${first}${quantity}`.trim(), ...rest]
}

/** The plain decimal behind "1.000", "0,50" or "1.234,5", without zeros at its end; null for '' and for what is no number. */
export function decimalOf(written: string): string | null {
  const isComma = written.lastIndexOf(',') > written.lastIndexOf('.')
  const text = isComma ? written.replaceAll('.', '').replace(',', '.') : written.replaceAll(',', '')
  const [, sign, whole, fraction] = /^([+-]?)0*(\d{1,15})(?:\.(\d{0,15}?)0*)?$/.exec(text.trim()) ?? []
  return whole === undefined ? null : `${sign === '-' ? '-' : ''}${whole}${fraction ? `.${fraction}` : ''}`
}

/** " 19 %"; '' for no number. */
export const percentOf = (percent: string) => (decimalOf(percent) === null ? '' : ` ${decimalOf(percent)} %`)
