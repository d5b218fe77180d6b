import { buffer } from 'node:stream/consumers'
import { rational } from '@catalog/core/money/rational.ts'
import { DiagnosticLog } from '@catalog/formats/bc3/entry-stream.ts'
import { bytesSource } from '@catalog/formats/bytes/record.ts'
import { expect, test } from 'vitest'
import { pricedBook, withoutEvidence } from './priced-book.ts'

const priced = async (text: string | Buffer, evidence: string) => {
  const presentPrices = new Map(['A', 'B'].map((code) => [code, { price: rational(5n), evidence }]))
  const source = bytesSource('work.bc3', Buffer.from(text))
  return buffer(await pricedBook(source, { presentPrices, date: '2026-11-20', log: new DiagnosticLog() }))
}
const textsIn = (bytes: Buffer) =>
  [...bytes.toString('latin1').matchAll(/^~T\|(\w+)\|([^|]*)/gm)].map(([, code, text]) => [
    code,
    text?.replace('\r', ''),
  ])

const WORK = '~V||FIEBDC-3/2020|\n~C|A|m|Wall|1|\n~T|A|Brick wall|\n~C|B|m|Door|1|\n~C|C|m|Roof|1|\n~T|C|Tiles|\n'

test('given a priced file, when it is priced again, then each price has its own evidence alone', async () => {
  const first = await priced(WORK, 'North 5')
  expect(textsIn(first)).toEqual([
    ['A', 'Brick wall\nPrice evidence: North 5'],
    ['C', 'Tiles'],
    ['B', 'Price evidence: North 5'],
  ])
  const again = textsIn(await priced(first, 'South 6'))
  expect(again.map(([, text]) => text)).toEqual([
    'Brick wall\nPrice evidence: South 6',
    'Tiles',
    'Price evidence: South 6',
  ])
  expect(again.map(([, text]) => withoutEvidence(text ?? ''))).toEqual(['Brick wall', 'Tiles', ''])
})
