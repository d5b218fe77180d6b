import { readDataFile } from '@catalog/core/data-file.ts'
import { BrokenDocument } from '@catalog/formats/xml/document.ts'
import type { XmlElement } from '@catalog/formats/xml/element.ts'
import { element, lined, type TreeElement, value } from './tender-tree.ts'

/** GAEB 90 as a tree: records of 80 characters, whose kind stands in the first two and whose number in the last six. */

type Field = readonly [from: number, to: number, decimals?: number]
const { records, values } = readDataFile(import.meta.url, 'gaeb-90.yaml') as Readonly<{
  records: Readonly<Record<string, Readonly<Record<string, Field>>>>
  values: Readonly<Record<string, Readonly<Record<string, string>>>>
}>
const FIELDS = new Map(Object.entries(records))
const RECORD_CHARS = 80
/** Longest lines of short and of long texts. */
const SHORT_LINE = 70
const LONG_LINE = 55

/** The fields of a record by name, without the blank ones. */
type Fields = Readonly<Record<string, string>>
/** An element whose fields and texts later records complete. */
type Draft = Readonly<{ node: TreeElement; fields: Record<string, string>; short: string[]; long: string[] }>

/** The tree of a text. Throws BrokenDocument for one without an opening record (00) that has a mask of numbers. */
export function treeOf90(name: string, text: string): XmlElement {
  const hasLines = text.slice(0, 3 * RECORD_CHARS).includes('\n')
  const tree = new Tree90()
  for (const [i, record] of (hasLines ? text.split('\n') : (text.match(/.{1,80}/gs) ?? [])).entries())
    tree.add(record, i + 1)
  if (!tree.isOpen) throw new BrokenDocument(`${name}: expected an opening record (00) with the mask of the numbers`)
  return tree.whole()
}

class Tree90 {
  isOpen = false
  readonly #info = element('BoQInfo', [])
  readonly #boq = element('BoQ', [])
  readonly #award = element('Award', [])
  /** By their number as written; sections with the kind of record of their sums before it. */
  readonly #sections = new Map<string, TreeElement>()
  readonly #items = new Map<string, Draft>()
  readonly #drafts: Draft[] = []
  /** The sections around the next position, and the lengths of the parts of their numbers. */
  #around: TreeElement[] = []
  #levels: readonly number[] = []
  #lots = 0
  #labels = element('LblTx', [])
  #item: Draft | undefined

  add(record: string, line: number): void {
    const kind = record.slice(0, 2)
    // A block of comments may precede the opening record.
    if (!this.isOpen && kind !== '00') return
    const fields = fieldsOf(record, FIELDS.get(kind))
    const { OZ = '', label = '', text = '' } = fields
    if (kind === '00') this.#open(fields)
    else if (kind === '01' || kind === '02') this.#info.children.push(...valuesOf(fields))
    else if (kind === '08') this.#award.children.push(element('AwardInfo', valuesOf(fields)))
    else if (kind === '10' || kind === '11') this.#section(kind, fields)
    else if (kind === '12') this.#labels.children.push(value('p', label))
    else if (kind === '21') this.#position(fields, line)
    else if (kind === '22' || kind === '23') this.#price(fields, line)
    else if (kind === '25') this.#drafts.at(-1)?.short.push(text)
    // A complement stands between quotes.
    else if (kind === '26') this.#drafts.at(-1)?.long.push(fields.complement ? text.replaceAll("'", ' ') : text)
    else if (kind === '28') Object.assign(this.#item?.fields ?? {}, fields)
    else if (kind === '32' || kind === '33') this.#sections.get(kind + OZ)?.children.push(totalsOf(fields))
    else if (kind === '99') this.#info.children.push(totalsOf(fields))
    else if (kind === '24') this.#described('SubDescr', fields, this.#item?.node)
    else if (kind === '41') this.#described('PerfDescr', fields, this.#innermost(this.#around.length))
    else if (kind === '20') this.#described('Remark', fields)
  }

  #open({ DP = '', mask = '' }: Fields): void {
    this.isOpen = mask.includes('P')
    this.#award.children.push(value('DP', DP))
    const parts = [...mask.matchAll(/(.)\1*/g)].map(([part]) => part)
    this.#levels = parts.filter((part) => /[1-9]/.test(part)).map((part) => part.length)
    for (const part of parts) {
      const type = value('Type', part.startsWith('I') ? 'Index' : 'BoQLevel')
      this.#info.children.push(element('BoQBkdn', [type, value('Length', String(part.length))]))
    }
  }

  #section(kind: string, { label, ...fields }: Fields): void {
    const { OZ = '' } = fields
    this.#labels = lined('LblTx', label === undefined ? [] : [label])
    const node = element('BoQCtgy', [...valuesOf(fields), this.#labels])
    if (kind === '10') this.#lots = 1
    this.#innermost(kind === '10' ? 0 : this.#depthOf(OZ) - 1 + this.#lots).children.push(node)
    this.#around.push(node)
    this.#sections.set((kind === '10' ? '33' : '32') + OZ, node)
  }

  /** The number of levels that a number has parts of. */
  #depthOf(number: string): number {
    const starts = this.#levels.map((_, i) => this.#levels.slice(0, i).reduce((sum, length) => sum + length, 0))
    return this.#levels.filter((length, i) => number.slice(starts[i], (starts[i] ?? 0) + length).trim() !== '').length
  }

  /** The innermost section of some that are around the next position; those within it end. */
  #innermost(depth: number): TreeElement {
    this.#around.length = Math.min(this.#around.length, Math.max(0, depth))
    return this.#around.at(-1) ?? this.#boq
  }

  #described(name: string, fields: Fields, around?: TreeElement, line?: number): Draft {
    const node = element(name, [], line === undefined ? {} : { line: String(line) })
    const draft = { node, fields: { ...fields }, short: [], long: [] }
    around?.children.push(node)
    this.#drafts.push(draft)
    if (name !== 'SubDescr') this.#item = line === undefined ? undefined : draft
    return draft
  }

  #position({ markup, ...fields }: Fields, line: number): Draft {
    const { OZ = '' } = fields
    const section = this.#innermost(this.#depthOf(OZ) + this.#lots)
    const draft = this.#described(markup === 'Z' ? 'MarkupItem' : 'Item', fields, section, line)
    if (fields.QtyTBD === 'Yes' && Number(fields.Qty ?? 0) === 0) delete draft.fields.Qty
    this.#items.set(OZ, draft)
    return draft
  }

  /** Prices stand behind their position, behind all positions, or alone in a bid; the last ones count. */
  #price({ tenths = '', Qty = '0', ...fields }: Fields, line: number): void {
    const { OZ = '', UP, ITMarkup } = fields
    const draft = this.#items.get(OZ) ?? this.#position({ OZ }, line)
    if (ITMarkup !== undefined) draft.node.name = 'MarkupItem'
    Object.assign(draft.fields, fields, UP && { UP: UP + tenths }, Number(Qty) > 0 && { Qty })
  }

  whole(): XmlElement {
    for (const { node, fields, short, long } of this.#drafts) {
      const texts = [lined('OutlTxt', wholeLines(short, SHORT_LINE)), lined('DetailTxt', wholeLines(long, LONG_LINE))]
      node.children.push(...valuesOf(fields), ...texts)
    }
    this.#boq.children.unshift(this.#info)
    this.#award.children.push(this.#boq)
    return element('GAEB', [this.#award])
  }
}

function fieldsOf(record: string, fields: Readonly<Record<string, Field>> = {}): Fields {
  const read = Object.entries(fields).map(([name, [from, to, decimals]]): readonly [string, string] => {
    const text = record.slice(from, to).trimEnd()
    const letters = values[name]
    if (letters !== undefined) return [name, letters[text] ?? '']
    if (decimals === undefined || !/^ *\d+$/.test(text)) return [name, text]
    const digits = text.trim().padStart(decimals + 1, '0')
    return [name, `${record[from - 1] === '-' ? '-' : ''}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`]
  })
  return Object.fromEntries(read.filter(([, text]) => text !== ''))
}

const valuesOf = (fields: Fields): XmlElement[] => Object.entries(fields).map(([name, text]) => value(name, text))

/** Sums without those of zero, with which programs fill unused fields. */
function totalsOf(fields: Fields): XmlElement {
  const sums = valuesOf(fields).filter(({ name, text }) => name !== 'OZ' && Number(text) !== 0)
  return element('Totals', sums)
}

/** Share of full lines of a text that a program cut in the middle of words; one that wraps words fills a quarter. */
const CUT_SHARE = 0.6

/** The lines of a text; those that a program cut are whole again. */
function wholeLines(lines: readonly string[], width: number): readonly string[] {
  // A blank may end a full line.
  const isFull = (line: string) => line.length >= width - 1
  const full = lines.filter(isFull).length
  const isCut = full > 1 && full >= CUT_SHARE * (lines.length - 1)
  if (!isCut) return lines
  const text = lines.map((line) => (isFull(line) ? line.padEnd(width) : `${line}\n`)).join('')
  return text.split('\n')
}
