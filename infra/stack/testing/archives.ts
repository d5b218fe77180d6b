import { crc32, deflateRawSync } from 'node:zlib'
import { type ByteSource, bytesSource, type ReadRecord, type RecordBatches } from '@catalog/formats/bytes/record.ts'

/** Helpers for tests of format readers. */

/** A ZIP archive of these files; `claimedBytes` makes entries declare a false inflated size. */
export function zipOf(
  files: Readonly<Record<string, Uint8Array | string>>,
  { claimedBytes }: { claimedBytes?: number } = {},
): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const [path, content] of Object.entries(files)) {
    const bytes = Buffer.from(content)
    const packed = deflateRawSync(bytes)
    const name = Buffer.from(path)
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE(0x0800, 2)
    common.writeUInt16LE(8, 4)
    common.writeUInt32LE(crc32(bytes), 10)
    common.writeUInt32LE(packed.length, 14)
    common.writeUInt32LE(claimedBytes ?? bytes.length, 18)
    common.writeUInt16LE(name.length, 22)
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, name, packed])
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE(offset, 10)
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02'), Buffer.from([20, 0]), common, rest, name]))
    parts.push(local)
    offset += local.length
  }
  const central = Buffer.concat(directory)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(directory.length, 4)
  end.writeUInt16LE(directory.length, 6)
  end.writeUInt32LE(central.length, 8)
  end.writeUInt32LE(offset, 12)
  return Buffer.concat([...parts, central, Buffer.from('PK\x05\x06'), end])
}

/** A source in pieces of the given length, so that every boundary falls in an awkward place. */
export function inPieces(name: string, bytes: Uint8Array, length: number): ByteSource {
  return {
    ...bytesSource(name, bytes),
    async *open() {
      for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length)
    },
  }
}

/** Text in pieces of the given length. */
export async function* textInPieces(text: string, length = 7): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += length) yield text.slice(at, at + length)
}

export async function all(batches: RecordBatches): Promise<ReadRecord[]> {
  const records: ReadRecord[] = []
  for await (const batch of batches) records.push(...batch)
  return records
}

type WorkbookXml = Readonly<{
  rows: string
  strings?: string
  /** Before the rows. */
  columns?: string
  /** Codes of number formats; a cell has the first by s="1". */
  formats?: readonly string[]
  is1904?: boolean
}>

/** A workbook of one sheet, by the XML of its rows and of its shared strings. */
export function workbookOf({ rows, strings = '', columns = '', formats = [], is1904 = false }: WorkbookXml): Buffer {
  const office = 'http://schemas.openxmlformats.org'
  const main = `xmlns="${office}/spreadsheetml/2006/main"`
  const part = (name: string, type: string) =>
    `<Override PartName="/xl/${name}" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.${type}+xml"/>`
  const link = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="${office}/officeDocument/2006/relationships/${type}" Target="${target}"/>`
  const links = (...all: string[]) =>
    `<Relationships xmlns="${office}/package/2006/relationships">${all.join('')}</Relationships>`
  const parts = [
    part('workbook.xml', 'sheet.main'),
    part('worksheets/sheet1.xml', 'worksheet'),
    part('sharedStrings.xml', 'sharedStrings'),
    part('styles.xml', 'styles'),
  ]
  const codes = formats.map(
    (code, i) => `<numFmt numFmtId="${164 + i}" formatCode="${code.replaceAll('"', '&quot;')}"/>`,
  )
  const styles = formats.map((_, i) => `<xf numFmtId="${164 + i}"/>`)
  return zipOf({
    '[Content_Types].xml': `<Types xmlns="${office}/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>${parts.join('')}</Types>`,
    '_rels/.rels': links(link('rId1', 'officeDocument', 'xl/workbook.xml')),
    'xl/_rels/workbook.xml.rels': links(
      link('rId1', 'worksheet', 'worksheets/sheet1.xml'),
      link('rId2', 'sharedStrings', 'sharedStrings.xml'),
      link('rId3', 'styles', 'styles.xml'),
    ),
    'xl/workbook.xml': `<workbook ${main} xmlns:r="${office}/officeDocument/2006/relationships"><workbookPr date1904="${is1904 ? 1 : 0}"/><sheets><sheet name="S" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/sharedStrings.xml': `<sst ${main}>${strings}</sst>`,
    'xl/styles.xml': `<styleSheet ${main}><numFmts>${codes.join('')}</numFmts><cellStyleXfs><xf/></cellStyleXfs><cellXfs><xf numFmtId="0"/>${styles.join('')}</cellXfs></styleSheet>`,
    'xl/worksheets/sheet1.xml': `<worksheet ${main}>${columns}<sheetData>${rows}</sheetData></worksheet>`,
  })
}
