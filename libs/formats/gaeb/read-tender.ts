import type { Bill } from '@catalog/formats/bill/bill.ts'
import { decodeStream } from '@catalog/formats/bytes/encoding.ts'
import type { ByteSource } from '@catalog/formats/bytes/record.ts'
import { headOf, type TenderFormat } from '@catalog/formats/bytes/sniff.ts'
import { BrokenDocument, readDocument } from '@catalog/formats/xml/document.ts'
import { treeOf90 } from './gaeb-90.ts'
import { treeOf2000 } from './gaeb-2000.ts'
import { treeOfOnorm } from './onorm.ts'
import { billOfTree } from './tender-bill.ts'

/** Characters of a file of records or blocks; the largest have some 10 million. */
const CHARS_MAX = 32 * 1024 ** 2

/**
 * Reads the bill of a tender: GAEB DA XML 3, GAEB 2000, GAEB 90 or ÖNORM A 2063.
 *
 * @throws BrokenDocument for a file that breaks off, exceeds a limit or has no bill; the message names place and expectation
 */
export async function readTender(source: ByteSource, format: TenderFormat): Promise<Bill> {
  return billOfTree(await treeOf(source, format), { name: source.name, format })
}

async function treeOf(source: ByteSource, format: TenderFormat) {
  if (format === 'gaeb-90') return treeOf90(source.name, await wholeText(source, '850'))
  if (format === 'gaeb-2000') {
    const declared = /\[Zeichensatz\](\w{1,20})\[end\]/.exec(await headOf(source))?.[1]
    return treeOf2000(source.name, await wholeText(source, declared === 'ASCII' ? '850' : declared))
  }
  const root = await readDocument(source)
  return format === 'onorm' ? treeOfOnorm(source.name, root) : root
}

async function wholeText(source: ByteSource, declared: string | undefined): Promise<string> {
  let text = ''
  for await (const piece of decodeStream(source.open(), { declared }).text) {
    text += piece
    if (text.length > CHARS_MAX) throw new BrokenDocument(`${source.name}: expected at most ${CHARS_MAX} characters`)
  }
  return text.replaceAll('\r\n', '\n')
}
