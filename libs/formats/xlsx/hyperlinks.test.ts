import { bytesSource, isBroken } from '@catalog/formats/bytes/record.ts'
import { all, workbookOf } from '@catalog/stack/testing/archives.ts'
import { expect, test } from 'vitest'
import { withHyperlinkTexts } from './hyperlinks.ts'
import { readXlsx } from './xlsx.ts'

const inlineRow = (line: number, cells: string) => `<row r="${line}">${cells}</row>`
const HEADING = inlineRow(1, ['Code', 'Name'].map((text) => `<c t="inlineStr"><is><t>${text}</t></is></c>`).join(''))
const codesOf = async (cells: readonly string[]) => {
  const rows = cells.map((cell, i) => inlineRow(i + 2, `${cell}<c t="inlineStr"><is><t>n</t></is></c>`))
  const source = bytesSource('f.xlsx', workbookOf({ rows: HEADING + rows.join('') }))
  const records = await all(readXlsx(source, { name: 'f.xlsx' }))
  return records.map((record) => (isBroken(record) ? record.detail : record.fields.Code))
}

test('a HYPERLINK formula without a stored value gives its display text', async () => {
  const codes = await codesOf([
    '<c r="A2"><f>HYPERLINK("#Analítico!B12",104658)</f><v>0</v></c>',
    '<c r="A3" s="2"><f>HYPERLINK(&quot;#X!B1&quot;,&quot;AB &amp; 1&quot;)</f><v>0</v></c>',
    '<c r="A4" t="str"><f>HYPERLINK("#X!B1";"00412")</f><v></v></c>',
    '<c r="A5"><f> HYPERLINK("#X!B1, a",7)</f></c>',
    // A stored value is what a person sees, and a reference is no text.
    '<c r="A6" t="str"><f>HYPERLINK("#X!B1",5)</f><v>55</v></c>',
    '<c r="A7"><f>HYPERLINK("#X!B1",B9)</f><v>0</v></c>',
    '<c r="A8"><f>SUM(B1:B2)</f><v>0</v></c>',
  ])
  expect(codes).toEqual(['104658', 'AB & 1', '00412', '7', '55', '0', '0'])
})

test('the bytes stay as many, wherever a chunk ends', async () => {
  const xml = `<row><c r="A1"><f>HYPERLINK("#Ünï!B1",104658)</f><v>0</v></c><c r="B1"><v>1</v></c></row>${'<c/>'.repeat(20)}`
  const bytes = Buffer.from(xml)
  const textOf = async (length: number) => {
    const chunks = (async function* () {
      for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length)
    })()
    const made: Uint8Array[] = []
    for await (const chunk of withHyperlinkTexts(chunks)) made.push(chunk)
    return Buffer.concat(made).toString('utf8')
  }
  const whole = await textOf(bytes.length)
  expect(whole.replace(/ +/g, ' ')).toContain('<c r="A1"><v>104658</v></c> <c r="B1">')
  for (const length of [1, 2, 3, 7, 50]) {
    const pieces = await textOf(length)
    expect(Buffer.byteLength(pieces)).toBe(bytes.length)
    expect(pieces).toBe(whole)
  }
})

test('a hostile sheet takes no long time', async () => {
  const cell = '<c r="A1"><f>HYPERLINK('
  const begun = performance.now()
  for (const text of [cell.repeat(40_000), `${cell}${'"'.repeat(1_000_000)}`, `<c>${' '.repeat(1_000_000)}HYPERLINK`]) {
    let length = 0
    const chunks = (async function* () {
      yield Buffer.from(text)
    })()
    for await (const chunk of withHyperlinkTexts(chunks)) length += chunk.length
    expect(length).toBe(text.length)
  }
  expect(performance.now() - begun).toBeLessThan(5_000)
})
