import { BrokenDocument } from '@catalog/formats/xml/document.ts'
import { child, children, localName, textOf, type XmlElement } from '@catalog/formats/xml/element.ts'
import { TEXT } from '@catalog/formats/xml/record-cutter.ts'
import { element, value } from './tender-tree.ts'

/** ÖNORM A 2063 (.onlv) as a tree with the names of GAEB DA XML 3. */

const GROUPS: ReadonlySet<string> = new Set(['hg', 'og', 'lg', 'ulg'])

/** The tree of a document. Throws BrokenDocument for one that is no bill. */
export function treeOfOnorm(name: string, root: XmlElement): XmlElement {
  const bill = root.children.find((one) => one.name.endsWith('-lv'))
  if (bill === undefined)
    throw new BrokenDocument(`${name}: expected a bill such as <ausschreibungs-lv>, found <${root.name}> without one`)
  const head = child(bill, 'kenndaten') ?? bill
  const info = element('BoQInfo', [value('LblBoQ', textOf(head, 'lvbezeichnung')), ...sumsOf(bill)])
  const currency = element('AwardInfo', [value('Cur', textOf(head, 'wkz'))])
  return element('GAEB', [element('Award', [currency, element('BoQ', [info, ...bodyOf(bill)])])])
}

/** Groups and positions below an element, in their order. */
function bodyOf(around: XmlElement): readonly XmlElement[] {
  return around.children.flatMap((one): readonly XmlElement[] => {
    const name = localName(one.name)
    if (GROUPS.has(name)) {
      const label = renamed('LblTx', child(one, `${name}-eigenschaften`), 'ueberschrift')
      return [element('BoQCtgy', [...label, ...bodyOf(one), ...sumsOf(one)], { RNoPart: one.attributes.nr ?? '' })]
    }
    if (name === 'grundtextnr') return one.children.flatMap((position) => itemOf(position, one))
    return name === 'position' ? itemOf(one, one) : /-liste$|^positionen$|^gliederung-/.test(name) ? bodyOf(one) : []
  })
}

const renamed = (name: string, around: XmlElement | undefined, from: string) =>
  around === undefined ? [] : children(around, from).map((one) => ({ ...one, name }))

/** A position; one of several below a common text has it before its own. Notes have no unit. */
function itemOf(position: XmlElement, common: XmlElement): readonly XmlElement[] {
  const own = child(position, 'pos-eigenschaften')
  if (own === undefined || child(own, 'einheit') === undefined) return []
  const { ftnr = '', mfv = '' } = position.attributes
  const kind = localName(child(own, 'pzzv')?.children.find((one) => one.name !== TEXT)?.name ?? '')
  const parts = [
    ...renamed('OutlTxt', own, 'stichwort'),
    ...renamed('DetailTxt', child(common, 'grundtext'), 'langtext'),
    ...renamed('DetailTxt', own, 'langtext'),
    value('QU', textOf(own, 'einheit')),
    value('Qty', textOf(own, 'lvmenge')),
    value('UP', textOf(own, 'preis', 'gesamt')),
    value('IT', textOf(own, 'pospreis')),
    // Alternatives, options and variants are left out of the sum.
    value('Provis', /^(wahl|eventual)|variante/.test(kind) ? 'WithoutTotal' : ''),
  ]
  return [element('Item', parts, { RNoPart: `${common.attributes.nr ?? ''}${ftnr}${mfv}` })]
}

function sumsOf(around: XmlElement): readonly XmlElement[] {
  const sum = around.children.find((one) => one.name.endsWith('-summe')) ?? element('', [])
  const whole = child(around, 'summenormalausfuehrung') ?? element('', [])
  return [
    value('Total', textOf(sum, 'summe', 'gesamt')),
    value('TotAfterDisc', textOf(sum, 'summe-inkl-na', 'gesamt')),
    value('VAT', textOf(whole, 'ust', 'ustsatz')),
    value('VATAmount', textOf(whole, 'ust', 'ustbetrag')),
    value('TotalGross', textOf(whole, 'angebotspreis')),
  ]
}
