import type { Bill } from '@catalog/formats/bill/bill.ts'
import type { ByteSource } from '@catalog/formats/bytes/record.ts'
import type { TenderFormat } from '@catalog/formats/bytes/sniff.ts'
import { readDocument } from '@catalog/formats/xml/document.ts'
import { treeOfOnorm } from './onorm.ts'
import { billOfTree } from './tender-bill.ts'

/**
 * Reads the bill of a tender: GAEB DA XML 3 or ÖNORM A 2063.
 *
 * @throws BrokenDocument for a file that breaks off, exceeds a limit or has no bill; the message names place and expectation
 */
export async function readTender(source: ByteSource, format: TenderFormat): Promise<Bill> {
  return billOfTree(await treeOf(source, format), { name: source.name, format })
}

async function treeOf(source: ByteSource, format: TenderFormat) {
  const root = await readDocument(source)
  return format === 'onorm' ? treeOfOnorm(source.name, root) : root
}
