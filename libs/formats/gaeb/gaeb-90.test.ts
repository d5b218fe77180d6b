import type { BillLine } from '@catalog/formats/bill/bill.ts'
import { bytesSource } from '@catalog/formats/bytes/record.ts'
import { formatOfHead } from '@catalog/formats/bytes/sniff.ts'
import iconv from 'iconv-lite'
import { describe, expect, test } from 'vitest'
import { joinBid } from './join-bid.ts'
import { readTender } from './read-tender.ts'

/** A record by the columns of its fields, from 0. */
const record = (kind: string, fields: Readonly<Record<number, string>> = {}) => {
  let line = kind
  for (const [at, text] of Object.entries(fields)) line = line.padEnd(Number(at)).slice(0, Number(at)) + text
  return line.padEnd(74)
}
const opening = (mask = '1122PPPPI', phase = '83') => record('00', { 10: `${phase}L`, 62: `${mask.padEnd(9, '0')}90` })
const position = (number: string, kinds: string, { quantity = '00000002500', unit = 'm2', more = {} } = {}) =>
  record('21', { 2: number, 11: kinds, 23: quantity, 34: unit, ...more })
const short = (text: string) => record('25', { 2: text })
const long = (text: string) => record('26', { 5: text })
const bytesOf = (records: readonly string[], end = '\r\n') =>
  iconv.encode(records.map((line, i) => line + String(i + 1).padStart(6, '0') + end).join(''), 'cp850')
const read = (records: readonly string[], end?: string) =>
  readTender(bytesSource('b.d83', bytesOf(records, end)), 'gaeb-90')
const linesOf = async (records: readonly string[]) =>
  (await read([opening(), ...records])).rows.filter((row): row is BillLine => row.kind === 'line')

describe('a bill in GAEB 90', () => {
  const whole = [
    record('T0'),
    record('70', { 5: 'Written by nobody' }),
    record('T9'),
    opening(),
    record('01', { 2: 'Haus' }),
    record('08', { 2: 'DM', 8: 'Deutsche Mark' }),
    record('11', { 2: '01', 11: 'N' }),
    record('12', { 2: 'Rohbau und' }),
    record('12', { 2: 'Ausbau' }),
    record('20'),
    long('A note that is no line'),
    record('11', { 2: '0102', 11: 'N' }),
    record('12', { 2: 'Gräben' }),
    position('01020010 ', 'NNN'),
    record('23', { 2: '01020010 ', 12: '0000000300', 22: '5', 24: '000000000751' }),
    short('Böden lösen'),
    long('und laden'),
    position('01020010A', 'NNN', { unit: 'psch', quantity: '00000001000' }),
    short('Räumen'),
    record('31', { 2: '0102' }),
    record('32', { 2: '0102', 12: '000000000751' }),
    position('01  0020 ', 'NNN'),
    short('Im Rohbau'),
    record('99', { 2: '000000000751', 21: '1900', 25: '000000000894', 69: '00003' }),
  ]
  test('keeps sections by the mask of the numbers, positions and sums', async () => {
    const bill = await read(whole)
    expect(bill).toMatchObject({ title: 'Haus', currency: 'DEM', total: '7.51' })
    const rows = bill.rows.map((row) => (row.kind === 'sum' ? [row.text, row.amount] : [row.code, row.text]))
    expect(rows).toEqual([
      ['01', 'Rohbau und Ausbau'],
      ['01.02', 'Gräben'],
      ['01.02.0010', 'Böden lösen'],
      ['01.02.0010/A', 'Räumen'],
      ['Total 01.02', '7.51'],
      ['01.0020', 'Im Rohbau'],
      ['Total', '7.51'],
      ['VAT 19 %', null],
      ['Total with VAT', '8.94'],
    ])
    expect(bill.rows[2]).toMatchObject({
      position: 'b.d83 line 14',
      longText: 'und laden',
      unit: 'm2',
      quantity: '2.5',
      price: '3.005',
      amount: '7.51',
    })
  })

  test('is recognised by its content, with and without line ends', async () => {
    for (const end of ['\r\n', '\n', '']) {
      expect(formatOfHead(bytesOf(whole.slice(3), end).toString('latin1'))).toBe('gaeb-90')
      expect((await read(whole.slice(3), end)).rows).toHaveLength(9)
    }
    expect(formatOfHead(bytesOf(whole).toString('latin1'))).toBe('gaeb-90')
    expect(formatOfHead('00;83;PP;90\n1;2;3;4')).toBe('csv')
  })

  test('reads numbers with blanks and filling places', async () => {
    const { rows } = await read([
      opening('11PPPPI00'),
      record('11', { 2: ' 1' }),
      position(' 1  10   ', 'NNN'),
      short('A'),
    ])
    expect(rows).toMatchObject([{ code: '1' }, { code: '1.10' }])
  })

  test.each([
    ['NNN', 'yes'],
    ['GNN001 ', 'yes'],
    ['ANN0011', 'option'],
    ['NEN', 'option'],
    ['NMN', 'yes'],
    ['SNN', 'yes'],
  ])('counts a position of kind %s: %s', async (kinds, counts) => {
    expect(await linesOf([position('01010010', kinds), short('A')])).toMatchObject([{ counts }])
  })

  test('counts the positions of an alternative group as options', async () => {
    const group = record('11', { 2: '01', 11: 'A0011' })
    expect(await linesOf([group, position('01  0010', 'NNN'), short('A')])).toMatchObject([{ counts: 'option' }])
  })

  test('leaves open quantities open, and takes those of the bidder', async () => {
    const open = (number: string) =>
      position(number, 'NNN', { quantity: '00000000000', more: { 21: 'X', 23: '00000000000m3' } })
    const priced = record('23', { 2: '01010020 ', 12: '0000000300', 37: '00000004000' })
    expect(await linesOf([open('01010010'), short('A'), open('01010020 '), priced, short('B')])).toMatchObject([
      { quantity: null, problem: expect.stringContaining('is open') },
      { quantity: '4', problem: null, price: '3' },
    ])
  })

  test('keeps negative prices and markups', async () => {
    const markup = position('01010020', 'NNN', { more: { 19: 'Z', 23: '00000000000' } })
    const records = [
      position('01010010', 'NNN'),
      record('23', { 2: '01010010', 11: '-0000000300', 23: '-000000000750' }),
      short('Nachlass'),
      markup,
      record('23', { 2: '01010020', 24: '000000008500', 56: '01000', 62: '000000085000' }),
      short('Zuschlag'),
    ]
    expect(await linesOf(records)).toMatchObject([
      { price: '-3', amount: '-7.5' },
      { unit: '%', amount: '85', problem: 'a markup 10 % on 850: it has no price of its own' },
    ])
  })

  test('joins descriptions that repeat, that are performed and that have parts', async () => {
    const lines = await linesOf([
      record('41', { 2: '0001', 6: 'Anstrich' }),
      record('42'),
      short(''),
      long('Zweimal'),
      position('01010010', 'NNN', { more: { 20: 'B', 23: '00000002500St' } }),
      long('Schacht, rund,'),
      record('26', { 2: "21ATiefe in m'1,00'," }),
      position('01010020', 'NNN'),
      record('28', { 57: '01010010' }),
      long('Tiefe 2 m'),
      position('01010030', 'NNL'),
      record('28', { 66: '0001' }),
      short('Bank'),
      long('aus Holz'),
      record('24', { 2: '01', 5: '00000003000', 16: 'St' }),
      short('Lehne'),
      long('hoch'),
    ])
    expect(lines.map(({ text, longText }) => [text, longText])).toEqual([
      ['Schacht, rund', 'Tiefe in m 1,00 ,'],
      ['Schacht, rund, Tiefe 2 m', 'Tiefe in m 1,00 ,\nTiefe 2 m'],
      ['Bank', 'Anstrich\nZweimal\naus Holz\n1 Lehne (3 St)\nhoch'],
    ])
  })

  test('makes texts whole that a program cut in the middle of words', async () => {
    // given a text cut by 55 characters, whose second line ends with a blank
    const text =
      'Plattenbelag aufnehmen in Gehwegen und Radwegen, säuber n, besondere Anordnung des AG innerhalb der Baustelle lagernd'
    const pieces = [text.slice(0, 55), text.slice(55, 110), text.slice(110)]
    // when
    const cut = await linesOf([position('01010010', 'NNN'), ...pieces.map(long)])
    const wrapped = await linesOf([position('01010010', 'NNN'), long('a'.repeat(55)), long('b'), long('c')])
    // then
    expect(cut).toMatchObject([{ text, longText: null }])
    expect(wrapped).toMatchObject([{ longText: 'b\nc' }])
  })

  test('keeps lots with their tax', async () => {
    const lot = (number: string) => [
      record('10', { 2: number, 4: `Los ${number}` }),
      record('11', { 2: '01' }),
      position('01  0010', 'NNN'),
      short('A'),
      record('33', { 2: number, 4: '000000010000', 23: '1900', 27: '000000011900' }),
    ]
    const { rows } = await read([opening(), ...lot('1'), ...lot('2')])
    const one = (number: string) => [
      `1 Los ${number}`,
      '2 01',
      'A',
      `Total ${number}`,
      `VAT 19 % ${number}`,
      `Total with VAT ${number}`,
    ]
    expect(rows.map((row) => (row.kind === 'section' ? `${row.level} ${row.text}` : row.text))).toEqual([
      ...one('1'),
      ...one('2'),
    ])
  })

  test('a bid has prices alone, and joins its request', async () => {
    const bid = await read([
      opening('1122PPPPI', '84'),
      record('23', { 2: '01010010', 12: '0000000300', 24: '000000000750' }),
    ])
    const request = await read([opening(), position('01010010', 'NNN'), short('A')])
    expect(bid.notes).toEqual([expect.stringContaining('expected its request')])
    expect(joinBid(request, bid).rows).toMatchObject([{ text: 'A', quantity: '2.5', price: '3', amount: '7.5' }])
  })

  test.each([
    [[record('21', { 2: '01' })], 'b.d83: expected an opening record (00) with the mask of the numbers'],
    [[opening('000000000')], 'b.d83: expected an opening record (00) with the mask of the numbers'],
    [[opening()], 'b.d83: expected positions, found none'],
  ])('a broken file is refused by expectation', async (records, message) => {
    await expect(read(records)).rejects.toThrow(message)
  })
})
