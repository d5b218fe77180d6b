import { bytesSource } from '@catalog/formats/bytes/record.ts'
import { readBill } from '@catalog/formats/read-bill.ts'
import { expect, test } from 'vitest'

const read = (records: string) =>
  readBill(bytesSource('work.bc3', Buffer.from(`~V|X|FIEBDC-3/2020|P||UTF-8|\n${records}`)))
const WORK = `~C|OBRA##||Casa|226|010126||
~C|CAP#||Muros|200|010126||
~D|OBRA##|CAP#\\1\\1\\|
~D|CAP#|M1\\1\\10\\M2\\1\\4\\M3\\1\\2\\|`
const LINES =
  '~C|M1|m2||10|010126|0|\n~T|M1|Fábrica de ladrillo, incluso mortero|\n~C|M2|ud|Puerta de paso|25|010126|0|\n~T|M2|Puerta de paso, incluso p.p. de medios auxiliares|'

test('a work has sections, the summary as text and the long text apart', async () => {
  const bill = await read(`${WORK}\n${LINES}`)
  expect(bill).toMatchObject({ format: 'bc3', title: 'Casa', total: '226' })
  expect(bill.rows).toMatchObject([
    { kind: 'section', level: 1, code: 'CAP', text: 'Muros' },
    { kind: 'line', code: 'M1', text: 'Fábrica de ladrillo, incluso mortero', longText: null, amount: '100.00' },
    { text: 'Puerta de paso', longText: 'Puerta de paso, incluso p.p. de medios auxiliares', problem: null },
    { code: 'M3', text: 'M3', quantity: '2', price: null, problem: expect.stringContaining('does not describe it') },
  ])
})

test.each([
  [
    String.raw`~K|\2\2\3\2\2\2\2\EUR\|13|`,
    '10',
    'the file states 226, its lines add up to 200.00: 13 % of indirect cost comes on top (~K)',
  ],
  ['', '10', 'the file states 226, its lines add up to 200.00'],
  [
    '~C|M1|m2||10|010127|0|',
    '10',
    'the file states 226, its lines add up to 200.00: the total is of 2026-01-01, prices are of 2027-01-01',
  ],
])('tells why its total is not the sum of the lines: %s', async (more, _, note) => {
  expect((await read(`${WORK}\n${LINES}\n${more}`)).notes).toEqual([note])
})

test('is refused without a measured line, as is a file of another format', async () => {
  await expect(read('~C|A|u|B|1|||')).rejects.toThrow(/work\.bc3': no measured lines/)
  await expect(readBill(bytesSource('bill.xml', Buffer.from('<a/>')))).rejects.toThrow(
    /looks like xml: expected a BC3, CSV, XLSX, GAEB or ÖNORM/,
  )
})
