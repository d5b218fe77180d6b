import type { BillLine } from '@catalog/formats/bill/bill.ts'
import { bytesSource } from '@catalog/formats/bytes/record.ts'
import { formatOfHead } from '@catalog/formats/bytes/sniff.ts'
import fc from 'fast-check'
import iconv from 'iconv-lite'
import { describe, expect, test } from 'vitest'
import { readTender } from './read-tender.ts'
import { rtfText } from './rtf.ts'

const block = (name: string, inner: string) => `#begin[${name}]12\r\n${inner}\r\n#end[${name}]12\r\n`
const values = (of: Readonly<Record<string, string>>) =>
  Object.entries(of)
    .map(([key, value]) => ` [${key}]${value}[end]\r\n`)
    .join('')
const position = (OZ: string, of: Readonly<Record<string, string>>, Kurztext = 'A', more = '') =>
  block(
    'Position',
    values({ OZ, Menge: '2,500', ME: 'm2', ...of }) + block('Beschreibung', values({ Kurztext })) + more,
  )
const part = (Typ: string, Laenge: string) => block('LVGlied', values({ Typ, Laenge }))
const MASK = part('LVStufe', '2') + part('LVStufe', '2') + part('Position', '4') + part('Index', '1')
const file = (body: string, info = '') =>
  block(
    'GAEB',
    block('GAEBInfo', values({ Version: '1.2', Zeichensatz: 'ANSI' })) +
      block('PrjInfo', values({ Wae: '€' })) +
      block(
        'Vergabe',
        values({ DP: '83' }) + block('LV', block('LVInfo', values({ Bez: 'Haus' }) + MASK + info) + body),
      ),
  )
const read = (text: string) => readTender(bytesSource('b.p83', iconv.encode(text, 'windows-1252')), 'gaeb-2000')
const linesIn = async (body: string) =>
  (await read(file(body))).rows.filter((row): row is BillLine => row.kind === 'line')

describe('a bill in GAEB 2000', () => {
  test('keeps sections, positions and sums', async () => {
    const section = block(
      'LVBereich',
      values({ OZ: '0102', BezTx: 'Gräben' }) +
        position('01020010 ', { EP: '3,00', GB: '7,50' }, 'Böden') +
        position('01020010B', {}),
    )
    const text = file(
      block('LVBereich', values({ OZ: '01', Bez: 'Rohbau' }) + section + values({ Summe: '7,5', USt: '19,00' })),
      values({ Summe: '7,5' }),
    )
    const bill = await read(text)
    expect(bill).toMatchObject({ title: 'Haus', currency: 'EUR', total: '7.5' })
    expect(bill.rows.map((row) => (row.kind === 'sum' ? [row.text, row.amount] : [row.code, row.text]))).toEqual([
      ['01', 'Rohbau'],
      ['01.02', 'Gräben'],
      ['01.02.0010', 'Böden'],
      ['01.02.0010/B', 'A'],
      ['Total 01', '7.5'],
      ['VAT 19 % 01', null],
      ['Total', '7.5'],
    ])
    expect(bill.rows[2]).toMatchObject({ quantity: '2.5', unit: 'm2', price: '3', amount: '7.5' })
    expect(formatOfHead(text)).toBe('gaeb-2000')
  })

  test.each([
    [{ Bedarf: 'E' }, 'option'],
    [{ Bedarf: 'M' }, 'yes'],
    [{ ZZGruppeNr: '1', ZZLfdNr: '0' }, 'yes'],
    [{ ZZGruppeNr: '1', ZZLfdNr: '1' }, 'option'],
  ])('counts a position with %j: %s', async (flags, counts) => {
    expect(await linesIn(position('01', flags))).toMatchObject([{ counts }])
  })

  test('joins descriptions that repeat, that are performed and that have parts', async () => {
    const long = (Langtext: string) => block('Beschreibung', values({ Langtext }))
    const plain = (OZ: string, of: Readonly<Record<string, string>>, inner: string) =>
      block('Position', values({ OZ, Menge: '1', ME: 'St', ...of }) + inner)
    const lines = await linesIn(
      block('AusfBeschr', values({ AusfNr: '0001', AusfBez: 'Anstrich' }) + long('Zweimal')) +
        plain('01010010', { BezugBeschr: 'B' }, long('Schacht,\r\n tief')) +
        plain('01010020', { BezugBeschr: 'W', BezugOZ: '01010010' }, long('flach')) +
        plain(
          '01010030',
          { BezugAusfNr: '0001' },
          block('Beschreibung', values({ Kurztext: 'Bank' })) +
            block('UnterBeschr', values({ UbNr: '01' }) + long('Lehne')),
        ),
    )
    expect(lines.map(({ text, longText }) => [text, longText])).toEqual([
      ['Schacht', 'tief'],
      ['Schacht, flach', 'tief\nflach'],
      ['Bank', 'Anstrich\nZweimal\n1 Lehne'],
    ])
  })

  test.each([
    ['#begin[GAEB]\n#begin[LV]\n#end[GAEB]', 'b.p83 line 3: #end[GAEB]: expected #end[LV]'],
    ['#begin[GAEB]\n[Name]x', 'b.p83 line 2: [Name]: expected [end] behind its value'],
    ['#begin[GAEB]\n', 'b.p83: the file ends before #end[GAEB]'],
    ['', 'b.p83: expected #begin[GAEB]'],
    [`${'#begin[LV]'.repeat(101)}`, 'b.p83 line 1: expected at most 100 levels of blocks'],
  ])('%j is refused by place and expectation', async (text, message) => {
    await expect(read(text)).rejects.toThrow(message)
  })
})

describe('the text of RTF', () => {
  test.each([
    [
      String.raw`{\rtf1\ansi{\fonttbl{\f0\fswiss Arial;}}\f0\fs20 Gr\'fcn\par\b fett\b0  und\tab d\u252\'fcnn\par}`,
      'Grün\nfett und dünn\n',
    ],
    [String.raw`{\rtf1{\*\generator X;}{\bkmkstart TA1}Tiefe{\bkmkend TA1} \{1\}\~m\-m}`, 'Tiefe {1} mm'],
    ['{\\rtf1 verlegt\nin Sand\\par\n{\\b x}\ny}', 'verlegt in Sand\nxy'],
    [String.raw`{\rtf1\uc2 a\u8364??b{\uc0\u8364 c}}`, 'a€b€c'],
    ['{\\rtf1}}}} x', ' x'],
  ])('%j', (rtf, text) => expect(rtfText(rtf)).toBe(text))

  test('of anything takes linear time and throws nothing', () => {
    fc.assert(fc.property(fc.string(), (text) => typeof rtfText(`{\\rtf1 ${text}`) === 'string'))
    const started = process.cpuUsage().user
    rtfText(`{\\rtf1 ${'{\\b \n'.repeat(200_000)}`)
    expect(process.cpuUsage().user - started).toBeLessThan(3e6)
  })
})
