import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Bill, BillLine } from '@catalog/formats/bill/bill.ts'
import { bytesSource } from '@catalog/formats/bytes/record.ts'
import { formatOfHead, headOf, type TenderFormat } from '@catalog/formats/bytes/sniff.ts'
import { joinBid } from '@catalog/formats/gaeb/join-bid.ts'
import { readTender } from '@catalog/formats/gaeb/read-tender.ts'
import { realInputsFolder } from '@catalog/stack/servers/real-inputs.ts'
import { describe, expect, test } from 'vitest'

/** Real bills of tenders: their lines, sections, sums and currencies, and the same bill in three generations of GAEB. */
const folder = realInputsFolder()
const suite = `real bills of tenders${folder ? '' : ' (REAL_INPUTS_DIR: none here)'}`

async function read(name: string): Promise<Bill> {
  const source = bytesSource(name, readFileSync(join(folder as string, 'bills', name)))
  return readTender(source, formatOfHead(await headOf(source)) as TenderFormat)
}
const linesIn = ({ rows }: Bill) => rows.filter((row): row is BillLine => row.kind === 'line')
const sumOf = (bill: Bill) =>
  linesIn(bill)
    .filter(({ counts }) => counts === 'yes')
    .reduce((sum, { amount }) => sum + Math.round(Number(amount ?? 0) * 100), 0) / 100
const partsOf = (code: string | null) =>
  (code ?? '')
    .split('.')
    .map((part) => part.replace(/^0+(?=\w)/, ''))
    .join('.')
/** Texts without blanks, where each generation broke its lines elsewhere. */
const textOf = ({ text, longText }: BillLine) => `${text}${longText ?? ''}`.replace(/[\s,±]/g, '')

/** Lines and sections, the sum of the lines that count, the stated total, the currency, options, and lines that cannot be priced. */
const FILES: Readonly<Record<string, readonly [number, number, number, string | null, string, number, number]>> = {
  'gaeb_bvbs33_bauausf.x83': [28, 12, 0, null, 'EUR', 1, 1],
  'gaeb_bvbs33_bauausf_bid.x84': [28, 12, 2_000_000, '2000000', 'EUR', 0, 28],
  'gaeb_dangl_en.D86': [6, 4, 57_550, '57550', 'EUR', 0, 0],
  'gaeb_dangl_en.P86': [6, 4, 57_550, '57550', 'EUR', 0, 0],
  'gaeb_dangl_en.X86': [6, 4, 57_550, '57550', 'EUR', 0, 0],
  'gaeb_dangl_qtytbd.x83': [6, 3, 0, null, 'EUR', 0, 2],
  'gaeb_handbuch.d83': [26, 5, 0, null, 'DEM', 9, 0],
  'gaeb_handbuch.p83': [26, 5, 0, null, 'DEM', 9, 0],
  'gaeb_handbuch_xml31.x83': [26, 5, 0, null, 'DEM', 9, 0],
  'gaeb_los01_geo.D83': [13, 3, 0, null, 'EUR', 0, 0],
  'gaeb_los01_geo.P83': [13, 3, 0, null, 'EUR', 0, 0],
  'gaeb_los01_geo.X83': [13, 3, 0, null, 'EUR', 0, 0],
  'gaeb_muster31-002_flat.X86': [10, 0, 22_847.43, '22847.43', 'EUR', 2, 0],
  'onlv_lv_rundlauf.onlv': [25, 20, 0, null, 'EUR', 0, 0],
}

describe.runIf(folder)(suite, () => {
  test.each(Object.entries(FILES))('%s', async (name, expected) => {
    const bill = await read(name)
    const lines = linesIn(bill)
    const sections = bill.rows.filter(({ kind }) => kind === 'section').length
    const options = lines.filter(({ counts }) => counts === 'option').length
    const problems = lines.filter(({ problem }) => problem !== null).length
    expect([lines.length, sections, sumOf(bill), bill.total, bill.currency, options, problems]).toEqual(expected)
  })

  test.each([
    ['gaeb_los01_geo.D83', 'gaeb_los01_geo.P83', 'gaeb_los01_geo.X83'],
    ['gaeb_handbuch.d83', 'gaeb_handbuch.p83', 'gaeb_handbuch_xml31.x83'],
    ['gaeb_dangl_en.D86', 'gaeb_dangl_en.P86', 'gaeb_dangl_en.X86'],
  ])('%s, %s and %s are one bill', async (...names) => {
    const [first, ...others] = await Promise.all(
      names.map(async (name) =>
        linesIn(await read(name)).map((line) => ({
          code: partsOf(line.code),
          // The XML of the handbook lost the text of this one.
          text: line.code === '01.04.0001' ? '' : textOf(line),
          unit: line.unit,
          quantity: line.quantity,
          price: line.price,
          amount: line.amount,
          counts: line.counts,
        })),
      ),
    )
    for (const other of others) expect(other).toEqual(first)
  })

  test('a bid joined to its request has all texts, quantities and prices, and the sums of the bid', async () => {
    const bill = joinBid(await read('gaeb_bvbs33_bauausf.x83'), await read('gaeb_bvbs33_bauausf_bid.x84'))
    const lines = linesIn(bill)
    expect([lines.length, sumOf(bill), bill.total]).toEqual([28, 2_000_000, '2000000'])
    expect(lines.filter(({ unit, problem }) => problem !== null && unit !== '%')).toEqual([])
    expect(lines.find(({ code }) => code === '001.002.0030')).toMatchObject({
      text: 'Oberboden abtragen, lagern d= 30 cm Bodengruppe 4',
      quantity: '12345678.012',
      price: '0.01',
      amount: '123456.78',
    })
    expect(lines.find(({ code }) => code === '001.002.0050')).toMatchObject({ price: '12', counts: 'option' })
    expect(bill.rows.find((row) => row.kind === 'sum' && row.text === 'Total 002')).toMatchObject({ amount: '944012' })
  })
})
