import { bytesSource } from '@catalog/formats/bytes/record.ts'
import { readBill } from '@catalog/formats/read-bill.ts'
import fc from 'fast-check'
import { type WriteSheet, writeXlsx } from 'hucre/xlsx'
import { describe, expect, test } from 'vitest'
import type { BillLine } from './bill.ts'

const ofCsv = (text: string, options = {}) => readBill(bytesSource('list.csv', Buffer.from(text)), options)
const ofSheets = async (sheets: WriteSheet[]) => readBill(bytesSource('list.xlsx', await writeXlsx({ sheets })))
const linesOf = ({ rows }: Awaited<ReturnType<typeof readBill>>) =>
  rows.filter((row): row is BillLine => row.kind === 'line')
const kindsOf = ({ rows }: Awaited<ReturnType<typeof readBill>>) => rows.map(({ kind, text }) => `${kind} ${text}`)

describe('a bill in a table', () => {
  test.each([
    ['Description,Unit,Quantity\nCement 25 kg,bag,10\n', ['Cement 25 kg', 'bag', '10']],
    ['Cantidad;Ud.;Descripción\n1.250,5;m2;Placa de yeso\n', ['Placa de yeso', 'm2', '1250.5']],
    ['Bezeichnung\tMenge\tEinheit\nGipskartonplatte\t12,5\tm²\n', ['Gipskartonplatte', 'm²', '12.5']],
    ['text\ncable 3x1.5\n', ['cable 3x1.5', null, null]],
    [
      'ITEM; DESCRIPCION ;UND;CANT.; VR. UNIT ; VR.TOTAL \n1,1;REMATE;ML;2,85; 79.712 ; 227.179 \n',
      ['REMATE', 'ML', '2.85'],
    ],
  ])('is read by its headings: %j', async (text, [name, unit, quantity]) => {
    expect(linesOf(await ofCsv(text))).toMatchObject([
      { position: 'list.csv line 2', text: name, unit, quantity, problem: null },
    ])
  })

  test('is read by the headings that a person names, and refused without them', async () => {
    const bill = await ofCsv('a;b;c\nCement;7;ES\n', { columns: { text: 'A', quantity: 'b', region: 'c' } })
    expect(linesOf(bill)).toMatchObject([{ text: 'Cement', quantity: '7', region: 'ES' }])
    await expect(ofCsv('item,b\n1,2\n', { columns: { text: 'material' } })).rejects.toThrow(/\(material\).*item \| b/)
    await expect(ofCsv('a,b\n1,2\n')).rejects.toThrow(/list\.csv: no column for the text .*a \| b/)
  })

  test('given lines that cannot be read, when it is read, then each is a line with its problem', async () => {
    const bill = await ofCsv('item,unit,qty\nCement,bag,many\n,m2,3\nSand,t,2\n"Open,m,1\n')
    expect(linesOf(bill).map(({ text, problem }) => [text, problem])).toEqual([
      ['Cement', "quantity 'many': expected a number such as 12.5"],
      ['—', "no text beside quantity '3': expected what the line is of"],
      ['Sand', null],
      ['"Open,m,1', expect.stringContaining('quote')],
    ])
  })
})

describe('the decimal mark of a column', () => {
  test.each([
    ['a GB list', 'Description,Unit,Quantity\nBricks,nr,"1,450"\nSand,t,12.5\n', ['1450', '12.5']],
    ['a GB list without another number', 'Description,Unit,Quantity\nBricks,nr,"1,450"\n', ['1450']],
    [
      'a Spanish list',
      'Descripción;Ud;Cantidad\nLadrillo;ud;1.250\nAcero;kg;12.000\nArena;m3;1,5\n',
      ['1250', '12000', '1.5'],
    ],
    ['a Spanish list without another number', 'Descripción;Ud;Cantidad\nLadrillo;ud;1.250\n', ['1250']],
    [
      'lines that multiply',
      'Rubro;Ud;Cantidad;Precio;Importe\nA;m3;1.250;4,00;5,00\nB;m3;2.500;2,00;5,00\n',
      ['1.250', '2.500'],
    ],
  ])('is decided for %s', async (_, text, quantities) => {
    expect(linesOf(await ofCsv(text)).map(({ quantity }) => quantity)).toEqual(quantities)
  })

  test('reads every quantity back, whichever way a column is written', async () => {
    const quantity = fc.integer({ min: 1, max: 9_999_999 })
    await fc.assert(
      fc.asyncProperty(
        fc.array(quantity, { minLength: 1, maxLength: 9 }),
        fc.constantFrom('en', 'de'),
        async (cents, locale) => {
          const written = cents.map((cent) => (cent / 100).toLocaleString(locale, { minimumFractionDigits: 2 }))
          const text = `Description;Unit;Quantity\n${written.map((number) => `Sand;t;${number}\n`).join('')}`
          expect(linesOf(await ofCsv(text)).map((line) => Number(line.quantity))).toEqual(
            cents.map((cent) => cent / 100),
          )
        },
      ),
      { numRuns: 30 },
    )
  })
})

describe('the rows of a bill', () => {
  test('are sections, lines and sums, and no remarks', async () => {
    const text = `PROJECT X,,,,,
Item,Description,Unit,Qty,Rate,Amount
1,EARTHWORKS,,,,30
1.1,Excavation,m3,10,2,20
1.2,Backfill,m3,5,2,10
,Subtotal,,,,30
2,"Centering and shuttering with plywood sheets, complete",,,,
,(a) For foundations,m2,4,5,20
,Total,,,,50
,VAT 20 %,,,,10
,Grand total,,,,60
,Terms: 30 days,,,,
`
    const bill = await ofCsv(text)
    expect(kindsOf(bill)).toEqual([
      'section EARTHWORKS',
      'line Excavation',
      'line Backfill',
      'sum Subtotal',
      'section Centering and shuttering with plywood sheets, complete',
      'line Centering and shuttering with plywood sheets, complete (a) For foundations',
      'sum Total',
      'sum VAT 20 %',
      'sum Grand total',
    ])
    expect([bill.title, bill.total]).toEqual(['PROJECT X', '60'])
    expect(linesOf(bill)[0]).toMatchObject({ code: '1.1', price: '2', amount: '20' })
  })

  test('are found below late, double and repeated headings', async () => {
    const letter = Array.from({ length: 24 }, (_, i) => [`Letter line ${i + 1}`])
    const heading = [
      ['No', 'Particulars', 'Material', '', 'Labour', '', 'Total', ''],
      ['', '', 'Rate', 'Amount', 'Rate', 'Amount', 'Amount', 'Quantity'],
    ]
    const line = (text: string) => [1, text, 2, 8, 3, 12, 20, 4]
    const rows = [...letter, ...heading, line('Wall'), line('Floor'), [], ...heading, line('Roof')]
    const bill = await ofSheets([{ name: 'Bill', rows }])
    expect(linesOf(bill).map(({ text, quantity, price, amount }) => [text, quantity, price, amount])).toEqual([
      ['Wall', '4', '5', '20'],
      ['Floor', '4', '5', '20'],
      ['Roof', '4', '5', '20'],
    ])
  })

  test('join a text with the quantity below it, and a title with its long text', async () => {
    const long = 'Providing and fixing under-deck acoustic insulation of 4 mm with sound deadener'
    const text = `No,Description,Unit,Qty\n1,Blockwork 140 mm,,\n,,m2,12\n2,Wall insulation,,\n,${long},m2,13\n`
    expect(linesOf(await ofCsv(text))).toMatchObject([
      { code: '1', text: 'Blockwork 140 mm', quantity: '12' },
      { code: '2', text: 'Wall insulation', longText: long, quantity: '13' },
    ])
  })

  test('are of the first bidder, and name it', async () => {
    const below = await ofCsv(
      'Line,Description,Unit,Qty,Bidder,Price,Amount\n1,Sand,t,2,Engineer,5,10\n1,Sand,t,2,Builders,4,8\n2,Pipe,m,3,Engineer,2,6\n2,Pipe,m,3,Builders,1,3\n',
    )
    expect(linesOf(below).map(({ text, price }) => [text, price])).toEqual([
      ['Sand', '5'],
      ['Pipe', '2'],
    ])
    expect(below.notes).toEqual(["list.csv: the prices are those of 'Engineer'; left out: Builders"])
    const beside = await ofCsv(
      ',,,North Ltd,,South Ltd,\nDescription,Unit,Qty,Price,Amount,Price,Amount\nSand,t,2,5,10,4,8\n',
    )
    expect(linesOf(beside)).toMatchObject([{ price: '5', amount: '10' }])
    expect(beside.notes).toEqual(["list.csv: of 2 prices 'North Ltd' is read"])
  })

  test('tell a line whose quantity, price and amount do not agree, where others do', async () => {
    const right = [1, 2, 3, 4, 5].map((n) => `Line ${n},m,${n},2,${2 * n}\n`).join('')
    const [wrong] = linesOf(await ofCsv(`Description,Unit,Qty,Price,Amount\nShifted,m,503.4,4027.2,35050.06\n${right}`))
    expect(wrong?.problem).toMatch(/503\.4 × price 4027\.2 is not the amount 35050\.06/)
  })
})

describe('a workbook', () => {
  const heading = ['Description', 'Unit', 'Quantity', 'Price', 'Amount']
  const sheet = (name: string, ...lines: (string | number | null)[][]): WriteSheet => ({
    name,
    rows: [heading, ...lines],
  })

  test('given a cover, a hidden sheet and sheets that repeat others, when it is read, then each line is there once', async () => {
    const civil = sheet('Civil', ['Sand', 't', 2, 5, 10], ['Brick', 'u', 3, 1, 3])
    const cover: WriteSheet = {
      name: 'Cover',
      rows: [
        ['Client', 'A'],
        ['Grand total', 15],
      ],
    }
    const bill = await ofSheets([
      cover,
      civil,
      { ...sheet('Prices', ['Lime', 'kg', 1, 1, 1]), hidden: true },
      sheet('Compliance', ['Sand', 't', 2, null, null], ['Brick', 'u', 3, null, null]),
      sheet('Electrical', ['Cable', 'm', 2, 1, 2]),
    ])
    expect(kindsOf(bill)).toEqual(['section Civil', 'line Sand', 'line Brick', 'section Electrical', 'line Cable'])
    expect(bill.notes).toEqual([
      'list.xlsx sheet Prices: 1 lines are left out: the sheet is hidden',
      'list.xlsx sheet Compliance: 2 lines are left out: the sheet repeats Civil',
    ])
    expect(bill.total).toBe('15')
    expect(bill.sheets).toEqual([
      { number: 2, headingRow: 1 },
      { number: 5, headingRow: 1 },
    ])
    expect(linesOf(bill)[2]?.cell).toEqual({ sheet: 5, row: 2, quantityColumn: 2 })
  })

  test('tells the formulas of quantities that stored no value', async () => {
    const formula = (text: string) => ({ value: null, formula: text })
    const bill = await ofSheets([
      {
        ...sheet('Bill', ['Sand', 't', null, 5, null], ['Brick', 'u', null, 1, 3]),
        cells: new Map([
          ['1,2', formula('ROUND(2*1.25,1)')],
          ['1,4', formula('C2*D2')],
          ['2,2', formula('VLOOKUP(A3,Prices!A:B,2)')],
        ]),
      },
    ])
    expect(linesOf(bill)).toMatchObject([
      { quantity: null, amount: null, problem: expect.stringContaining("'=ROUND(2*1.25,1)'") },
      { quantity: null, problem: expect.stringContaining("'=VLOOKUP(A3,Prices!A:B,2)' without a stored value") },
    ])
  })
})
