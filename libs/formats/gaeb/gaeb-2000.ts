import { readDataFile } from '@catalog/core/data-file.ts'
import { BrokenDocument } from '@catalog/formats/xml/document.ts'
import type { XmlElement } from '@catalog/formats/xml/element.ts'
import { decodedText } from '@catalog/formats/xml/entities.ts'
import { XML_DEPTH_MAX } from '@catalog/formats/xml/record-cutter.ts'
import { isRtf, rtfText } from './rtf.ts'
import { element, lined, value } from './tender-tree.ts'

/** GAEB 2000 as a tree: blocks of keys and values, which say in German what GAEB DA XML 3 says in English. */

const { names, texts, values } = readDataFile(import.meta.url, 'gaeb-2000.yaml') as Readonly<
  Record<'names' | 'texts', Readonly<Record<string, string>>> & {
    values: Readonly<Record<string, Readonly<Record<string, string>>>>
  }
>
const NAMES = new Map(Object.entries(names))
const TEXTS = new Map(Object.entries(texts))
const VALUES = new Map(Object.entries(values))

/** The start or the end of a block, with the number that some programs give it, or the start of a value. */
const MARK = /#(?<edge>begin|end)\[(?<block>\w{1,40})\]|\[(?<key>\w{1,40})\]/g
const END = '[end]'

/** The tree of a text. Throws BrokenDocument for one whose blocks do not nest, with the line. */
export function treeOf2000(name: string, text: string): XmlElement {
  const root = element('', [])
  const open = [{ block: '', node: root }]
  const marks = new RegExp(MARK)
  for (let mark = marks.exec(text); mark !== null; mark = marks.exec(text)) {
    const broken = (what: string) =>
      new BrokenDocument(`${name} line ${text.slice(0, mark?.index).split('\n').length}: ${what}`)
    const { edge, block = '', key = '' } = mark.groups ?? {}
    const around = open.at(-1) as (typeof open)[number]
    if (edge === 'begin') {
      if (open.length > XML_DEPTH_MAX) throw broken(`expected at most ${XML_DEPTH_MAX} levels of blocks`)
      const node = element(NAMES.get(block) ?? `_${block}`, [])
      around.node.children.push(node)
      open.push({ block, node })
    } else if (edge === 'end') {
      if (around.block !== block) throw broken(`#end[${block}]: expected #end[${around.block}]`)
      open.pop()
      if (open.length === 1) break
    } else {
      const end = text.indexOf(END, marks.lastIndex)
      if (end === -1) throw broken(`[${key}]: expected ${END} behind its value`)
      around.node.children.push(valueOfKey(key, text.slice(marks.lastIndex, end)))
      marks.lastIndex = end + END.length
    }
  }
  const [first] = root.children
  if (open.length > 1) throw new BrokenDocument(`${name}: the file ends before #end[${open.at(-1)?.block}]`)
  if (first === undefined) throw new BrokenDocument(`${name}: expected #begin[GAEB]`)
  return first
}

function valueOfKey(key: string, written: string): XmlElement {
  const text = isRtf(written) ? rtfText(written) : decodedText(written)
  const multiline = TEXTS.get(key)
  if (multiline !== undefined) return lined(multiline, text.split('\n'))
  const name = NAMES.get(key) ?? `_${key}`
  return value(name, VALUES.get(name)?.[text.trim()] ?? text.trim())
}
