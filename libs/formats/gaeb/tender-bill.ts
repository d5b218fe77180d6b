import { type Bill, type BillRow, LINE_CHARS_MAX, type LineCounts } from '@catalog/formats/bill/bill.ts'
import { BrokenDocument, linesOf } from '@catalog/formats/xml/document.ts'
import { child, children, localName, textOf, type XmlElement } from '@catalog/formats/xml/element.ts'
import { TEXT } from '@catalog/formats/xml/record-cutter.ts'
import { BID_ONLY, Descriptions, decimalOf, lineOf, percentOf } from './tender-line.ts'

/** The bill of a tender: a tree with the names of GAEB DA XML 3, which the readers of the other formats give too. */

/** Positions of a bill; works have some thousand. */
const POSITIONS_MAX = 50_000

/** The section around positions: the parts of its number, the outermost first. */
type Place = Readonly<{ codes: readonly string[]; counts: LineCounts }>

/** Reads the tree of a file. Throws BrokenDocument for one without a bill, or with more than {@link POSITIONS_MAX} positions. */
export function billOfTree(root: XmlElement, { name, format }: Pick<Bill, 'name' | 'format'>): Bill {
  const award = child(root, 'Award')
  const boq = award && child(award, 'BoQ')
  if (award === undefined || boq === undefined) throw new BrokenDocument(`${name}: ${noBill(root)}`)
  const info = child(boq, 'BoQInfo') ?? boq
  const isBid = textOf(award, 'DP').startsWith('84')
  const walk = new Walk({ name, isBid, mask: children(info, 'BoQBkdn') })
  walk.body(boq, { codes: [], counts: 'yes' })
  for (const group of children(boq, 'LotGrp')) walk.sums(group, textOf(group, 'LotGrNo'))
  const total = walk.sums(info)
  const { rows } = walk
  if (walk.positions === 0) throw new BrokenDocument(`${name}: expected positions, found none`)
  const titles = [textOf(info, 'LblBoQ'), linesOf(child(info, 'LblTx')).join(' '), textOf(info, 'Name')]
  const title = titles.find((text) => text !== '') ?? null
  const currency = currencyOf(textOf(award, 'AwardInfo', 'Cur') || textOf(root, 'PrjInfo', 'Cur'))
  const isPriceOnly = rows.some((row) => row.kind === 'line' && row.problem === BID_ONLY)
  return { name, format, title, currency, rows, total, notes: isPriceOnly ? [BID_ONLY] : [] }
}

function noBill(root: XmlElement): string {
  if (child(root, 'Vergabe')) return 'an old DA XML in German: save it as GAEB DA XML 3.3 in the program that wrote it'
  const found = root.children.flatMap(({ name }) => (name === TEXT ? [] : `<${name}>`)).join(' ')
  return `expected <Award> with <BoQ>, as phases 81 to 86 have; found ${found.slice(0, 200)}`
}

/** ISO 4217 of "EUR", "€", "DM"; null for any other word. */
function currencyOf(written: string): string | null {
  const named = { '€': 'EUR', EURO: 'EUR', DM: 'DEM' }[written.toUpperCase()] ?? written.toUpperCase()
  return /^[A-Z]{3}$/.test(named) ? named : null
}

type File = Readonly<{ name: string; isBid: boolean; mask: readonly XmlElement[] }>

class Walk {
  readonly rows: BillRow[] = []
  positions = 0
  readonly #file: File
  readonly #descriptions = new Descriptions()

  constructor(file: File) {
    this.#file = file
  }

  /** The sections and positions below an element, in their order. */
  body(element: XmlElement, place: Place): void {
    for (const one of element.children) {
      const name = localName(one.name)
      if (name === 'BoQBody' || name === 'Itemlist') this.body(one, place)
      else if (name === 'BoQCtgy') this.#section(one, place)
      else if (name === 'Item' || name === 'MarkupItem') this.#item(one, place)
      else if (name === 'PerfDescr') this.#descriptions.perform(one)
    }
  }

  #section(element: XmlElement, { codes: around, counts }: Place): void {
    const { codes, code } = this.#numberOf(element, around)
    const text = linesOf(child(element, 'LblTx')).join(' ').slice(0, LINE_CHARS_MAX) || code
    const level = around.length + 1
    this.rows.push({ kind: 'section', position: `${this.#file.name} ${code}`, level, code: code || null, text })
    this.body(element, { codes, counts: within(counts, countsOf(element, 'ALNBSerNo')) })
    this.sums(element, code)
  }

  #item(item: XmlElement, { codes, counts: around }: Place): void {
    const { name, isBid } = this.#file
    if (++this.positions > POSITIONS_MAX)
      throw new BrokenDocument(`${name}: expected at most ${POSITIONS_MAX} positions`)
    const counts = within(around, countsOf(item, 'ALNSerNo'))
    const { code } = this.#numberOf(item, codes)
    this.rows.push(lineOf(item, { name, code, counts, isBid, description: this.#descriptions.of(item) }))
  }

  /** The parts of a number: the own part below those around it, or a whole number cut by the mask. */
  #numberOf(element: XmlElement, around: readonly string[]): Readonly<{ codes: readonly string[]; code: string }> {
    const { RNoPart, RNoIndex } = element.attributes
    const codes = RNoPart === undefined ? [] : [...around, RNoPart.trim()]
    let index = RNoIndex?.trim() ?? ''
    let rest = RNoPart === undefined ? (child(element, 'OZ')?.text ?? '') : ''
    for (const part of this.#file.mask) {
      const width = Number(textOf(part, 'Length')) || 0
      if (textOf(part, 'Type') !== 'Index') codes.push(rest.slice(0, width).trim())
      else index ||= rest.slice(0, width).trim()
      rest = rest.slice(width)
    }
    const parts = [...codes, rest.trim()].filter((part) => part !== '')
    return { codes: parts, code: parts.join('.') + (index === '' ? '' : `/${index}`) }
  }

  /** The sums that a file states of a section, or without a code of the whole bill; gives the net total. */
  sums(element: XmlElement, code = ''): string | null {
    const totals = child(element, 'Totals') ?? element
    const text = (field: string) => textOf(totals, field)
    const add = (name: string, amount: string | null, isKept = amount !== null) => {
      if (isKept) this.rows.push({ kind: 'sum', position: this.#file.name, text: `${name} ${code}`.trim(), amount })
    }
    const [total, discount] = [decimalOf(text('Total')), decimalOf(text('DiscountAmt'))]
    const nets = ['TotAfterDisc', 'TotalLSUM', 'TotalNet'].map((field) => decimalOf(text(field)))
    const net = nets.find((amount) => amount !== null) ?? total
    const [rate, tax] = [percentOf(text('DiscountPcnt')), percentOf(text('VAT'))]
    add('Total', total)
    add(`Discount${rate}`, discount, rate !== '' || discount !== null)
    if (net !== total) add('Total after discount', net)
    add(`VAT${tax}`, decimalOf(text('VATAmount')), tax !== '' && net !== null)
    add('Total with VAT', decimalOf(text('TotalGross')))
    return net
  }
}

/** A position counts where it and the section around it do. */
function within(around: LineCounts, own: LineCounts): LineCounts {
  if (around === 'no' || own === 'no') return 'no'
  return around === 'option' ? 'option' : own
}

/** Statements by which a position or section leaves the sum: it is dropped, not awarded, or a rejected change. */
const EXCLUDED = {
  NotAppl: ['Yes'],
  NotApplBoQ: ['Yes'],
  NotOffered: ['Yes'],
  Accepted: ['BasReject'],
  AlterBidStatus: ['N/A'],
  COStatus: ['Withdrawn', 'Rejected'],
}

/** How a position or section counts: options and alternatives by their award. */
function countsOf(element: XmlElement, serial: string): LineCounts {
  const text = (field: string) => textOf(element, field)
  if (Object.entries(EXCLUDED).some(([field, words]) => words.includes(text(field)))) return 'no'
  if (Number(text(serial)) > 0 && text('Accepted') !== 'AltAccept') return 'option'
  if (text('Provis') === '' || text('ProvisAccpt') === 'Yes') return 'yes'
  return text('Provis') === 'WithTotal' && text('ProvisAccpt') !== 'No' ? 'yes' : 'option'
}
