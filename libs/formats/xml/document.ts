import type { ByteSource } from '@catalog/formats/bytes/record.ts'
import { localName, type XmlElement } from './element.ts'
import { TEXT } from './record-cutter.ts'
import { xmlRecords } from './records.ts'

/** Documents that are read whole. */

/** Characters and elements of one document: bills have some 10 million with their pictures. */
const DOCUMENT_CHARS_MAX = 64 * 1024 ** 2
const ELEMENTS_MAX = 1_000_000

/** A file breaks off, exceeds a limit or lacks what it must have; the message names place and expectation. */
export class BrokenDocument extends Error {
  override name = 'BrokenDocument'
}

/** Reads the root of a document, whose texts are children too. Throws {@link BrokenDocument} for one whose tags do not nest. */
export async function readDocument(source: ByteSource): Promise<XmlElement> {
  const isRecord = (_: string, path: readonly string[]) => path.length === 0
  const limits = { recordCharsMax: DOCUMENT_CHARS_MAX, elementsMax: ELEMENTS_MAX }
  for await (const found of xmlRecords(source, { isRecord, hasTexts: true, ...limits })) {
    for (const one of found) {
      if (one.kind !== 'broken') return one.element
      throw new BrokenDocument(`${source.name}: ${one.detail}`)
    }
  }
  throw new BrokenDocument(`${source.name}: the document has no element`)
}

const BLOCKS: ReadonlySet<string> = new Set(
  'p div br li tr table ul ol h1 h2 h3 Text TextOutlTxt TextComplement'.split(' '),
)
const APART: ReadonlySet<string> = new Set('td th ComplBody'.split(' '))
const SILENT: ReadonlySet<string> = new Set('image attachment Style'.split(' '))

/** The lines of a formatted text: paragraphs, breaks, items of lists and rows of tables begin a line. */
export function linesOf(element: XmlElement | undefined): readonly string[] {
  let text = ''
  const visit = (one: XmlElement): void => {
    const name = localName(one.name)
    const edge = BLOCKS.has(name) ? '\n' : ''
    text += edge + (APART.has(name) ? ' ' : '')
    // White space with a line end between two tags is layout.
    const isLayout = one.text.includes('\n') && one.text.trim() === ''
    if (!isLayout && !one.children.some((child) => child.name === TEXT)) text += one.text.replace(/\s+/g, ' ')
    for (const child of SILENT.has(name) ? [] : one.children) visit(child)
    text += edge
  }
  if (element !== undefined) visit(element)
  return text.split('\n').flatMap((line) => line.replace(/ +/g, ' ').trim() || [])
}
