import { bytesSource } from '@catalog/formats/bytes/record.ts'
import { parseMapping } from '@catalog/formats/mapping/mapping.ts'
import { workbookOf, zipOf } from '@catalog/stack/testing/archives.ts'
import { writeXlsx } from 'hucre/xlsx'
import { expect, test } from 'vitest'
import { readOutcomes } from './read.ts'
import type { Detected } from './read-options.ts'

/** Files in the layouts of official price lists, with invented prices: each is read by a mapping alone. */

async function read(name: string, bytes: Uint8Array | string, mapping: string) {
  const said: string[] = []
  const parked: string[] = []
  const detected = new Set<Detected>()
  const options = {
    mapping: parseMapping(mapping, 'm.yaml'),
    defaults: { source: 'Region', notAfter: new Date('2026-11-21') },
  }
  for await (const batch of readOutcomes(bytesSource(name, Buffer.from(bytes)), options)) {
    detected.add(batch.detected)
    for (const { position, result } of batch.outcomes) {
      if ('content' in result) {
        const { vendor_ref, name: goods, unit, price, observed_at } = result.content
        const amount = `${price.cents / price.per_quantity / 100} ${price.currency}`
        said.push([vendor_ref, goods, unit, amount, observed_at.slice(0, 10), result.edition ?? '-'].join(' | '))
      } else parked.push(`${position}: ${result.reason}: ${result.detail}`)
    }
  }
  return { said, parked, files: [...detected] }
}

const BANK = 'constants: { kind: bank, currency: EUR, lang: it }'

test('a table with float noise, codes by edition and rows that end early', async () => {
  const csv = `note of the publisher
codice;voce;articolo;um;prezzo;nota
ED26_01.a;Scavo;in roccia;m³;8.6300000000000008;x
ED26_01.b;Scavo;in argilla;m³;2.5
ED26_01.c;Scavo;in sabbia;m³
`
  const { said, parked, files } = await read(
    'list_2026.csv',
    csv,
    `{ delimiter: ";", decimal: ".", round: 2, short_rows: true, edition: { name: "list_{YYYY}" },
    replace: [{ in: codice, pattern: "^ED\\\\d+_", with: "" }],
    columns: { vendor_ref: codice, name: [voce, articolo], unit: um, price: prezzo }, ${BANK} }`,
  )
  expect(said).toEqual([
    '01.a | Scavo in roccia | m³ | 8.63 EUR | 2026-01-01 | 2026',
    '01.b | Scavo in argilla | m³ | 2.5 EUR | 2026-01-01 | 2026',
  ])
  expect(parked).toEqual(["list_2026.csv line 5: NO_PRICE: the price is blank in column 'prezzo'"])
  expect(files[0]?.steps).toMatchObject({
    short_rows: { count: 2, example: 'list_2026.csv line 4: 5 fields of 6' },
    replace: { count: 3 },
    round: { count: 1, example: 'list_2026.csv line 3: 8.6300000000000008 → 8.63' },
  })
})

test('a table without a heading, whose texts continue those above', async () => {
  const csv =
    ';1;INDAGINI;;\nA;1.01.;SONDAGGI;;\n;;;;\nA;1.01.2.;Installazione:;;\nA;1.01.2.a.;fino a 300 m;cad;€ 1 263,12\nA;1.01.2.b.;oltre;%;60%\n'
  const { said, parked, files } = await read(
    'list.csv',
    csv,
    `{ delimiter: ";", decimal: ",", header_row: none, parents: { code: 2, text: 3 },
    rows: { only: { "4": "." }, except: { "4": "^%$" } },
    columns: { vendor_ref: 2, name: [_level_3, 3], unit: 4, price: 5, category_path: [_level_1, _level_2] },
    constants: { kind: bank, currency: EUR, observed_at: 2023 } }`,
  )
  expect(said).toEqual(['1.01.2.a. | Installazione: fino a 300 m | cad | 1263.12 EUR | 2023-01-01 | -'])
  expect(parked).toEqual([])
  expect(files[0]?.steps.rows).toEqual({ count: 4, example: "list.csv line 1, 4: '', expected to match ." })
})

test('a workbook with sheets by regime, a column by state and its month in a cell', async () => {
  const rows = (price: number) => [
    ['Prices'],
    [],
    ['Mês:', '09/2026'],
    ['Classe', 'Código', 'Descrição', 'Unidade', 'AC', 'SP', 'TO'],
    ['MATERIAL', 11, 'Tubo', 'M', price, price + 1, '-'],
    ['TOTAL: 1'],
  ]
  const workbook = await writeXlsx({
    sheets: [
      { name: 'Menu', rows: [['Welcome']] },
      { name: 'ISD', rows: rows(2.5) },
      { name: 'ICD', rows: rows(3.5) },
      { name: 'Analítico', rows: rows(9) },
    ],
  })
  const archive = zipOf({ 'Manual.csv': 'sku;name;price\nX;Not this;1', 'a/Lista_Referência.xlsx': workbook })
  const { said, parked, files } = await read(
    'list.zip',
    archive,
    `{ member: "*refer*.xlsx", sheet: [ISD, "IC*"], header_row: 4, edition: { cell: B3, format: MM/YYYY },
    replace: [{ in: { matching: "^[A-Z]{2}$" }, pattern: "^-$", with: "" }],
    lookup: [{ in: _sheet, table: { ISD: without, ICD: with } }],
    unpivot: { columns: { matching: "^[A-Z]{2}$" }, heading: state, value: price, as: "BR-$0" },
    rows: { except: { Classe: "^TOTAL" } },
    columns: { vendor_ref: [Código, state, _sheet], name: Descrição, unit: Unidade, price: price },
    constants: { kind: bank, currency: BRL, lang: pt } }`,
  )
  expect(said).toEqual([
    '11|BR-AC|without | Tubo | M | 2.5 BRL | 2026-09-01 | 2026-09',
    '11|BR-SP|without | Tubo | M | 3.5 BRL | 2026-09-01 | 2026-09',
    '11|BR-AC|with | Tubo | M | 3.5 BRL | 2026-09-01 | 2026-09',
    '11|BR-SP|with | Tubo | M | 4.5 BRL | 2026-09-01 | 2026-09',
  ])
  expect(parked).toEqual([])
  expect(files).toHaveLength(2)
  expect(files[0]).toMatchObject({
    members_passed_over: ['Manual.csv'],
    sheets_passed_over: ['Menu', 'Analítico'],
    steps: { unpivot: { count: 2 }, blanks: { count: 4 }, replace: { count: 1 } },
  })
})

test('a workbook with two heading rows, and codes that are links', async () => {
  const cell = (text: string | number) =>
    typeof text === 'number' ? `<c><v>${text}</v></c>` : `<c t="inlineStr"><is><t>${text}</t></is></c>`
  const row = (line: number, ...cells: (string | number)[]) =>
    `<row r="${line}">${cells.map((one) => (String(one).startsWith('<') ? one : cell(one))).join('')}</row>`
  const rows = [
    row(1, '', '', '', 'AC', '', 'SP'),
    row(2, 'Código', 'Descrição', 'Un', 'Custo (R$)', '%AS', 'Custo (R$)', '%AS'),
    row(3, '<c><f>HYPERLINK("#A!B1",104658)</f><v>0</v></c>', 'Concreto', 'M3', 548.16, 0.1, 560, 0.1),
  ]
  const { said } = await read(
    'list.xlsx',
    workbookOf({ rows: rows.join('') }),
    `{ header_row: [1, 2], unpivot: { columns: { matching: "^([A-Z]{2}) Custo" }, heading: state, value: price },
    columns: { vendor_ref: [Código, state], name: Descrição, unit: Un, price: price },
    constants: { kind: bank, currency: BRL, lang: pt, observed_at: 2026-09 } }`,
  )
  expect(said).toEqual([
    '104658|AC | Concreto | M3 | 548.16 BRL | 2026-09-01 | -',
    '104658|SP | Concreto | M3 | 560 BRL | 2026-09-01 | -',
  ])
})

test('elements with attributes, and texts around them', async () => {
  const xml = `<list ed="2026"><chapter desc="SCAVI"><par><long>Scavo eseguito con mezzi</long><prices>
    <price cod="V26-01.a" umi="m²" val="3.47">SCAVO</price><price cod="V26-01.b" umi="m³" val="0.00">RILEVATO</price>
    </prices></par></chapter></list>`
  const mapping = `{ records: prices/price, rows: { except: { "@val": "^0(\\\\.0+)?$" } }, edition: { column: "../../../../@ed" },
    replace: [{ in: "@cod", pattern: "^V\\\\d+-", with: "" }],
    columns: { vendor_ref: "@cod", name: ".", description: ../../long, unit: "@umi", price: "@val", category_path: [../../../@desc] },
    ${BANK} }`
  const { said, parked, files } = await read('list.xml', xml, mapping)
  expect(said).toEqual(['01.a | SCAVO | m² | 3.47 EUR | 2026-01-01 | 2026'])
  expect(parked).toEqual([])
  expect(files).toMatchObject([{ format: 'xml', complete: true, decimal: '.', steps: { rows: { count: 1 } } }])
  const { parked: unknown } = await read('list.xml', xml, '{ columns: { name: "." } }')
  expect(unknown[0]).toContain('UNKNOWN_XML')
  expect(unknown[0]).toContain('for other XML a mapping with `records`')
})

test('objects with months for dates, and an edition of their own', async () => {
  const json = JSON.stringify({ items: [{ id: 'a', name: 'Acero', um: 'kg', p: 1.35, at: '2022-01', ed: '2024-01' }] })
  const mapping = (edition: string) =>
    `{ records: items, edition: { ${edition} }, columns: { vendor_ref: id, name: name, unit: um, price: p, observed_at: at }, ${BANK} }`
  expect((await read('f.json', json, mapping('column: ed'))).said).toEqual([
    'a | Acero | kg | 1.35 EUR | 2022-01-01 | 2024-01',
  ])
  expect((await read('f.json', json, mapping('column: id'))).parked).toEqual([
    "f.json record 1: BAD_EDITION: 'a': expected an edition as YYYY, YYYY-MM or YYYY-MM-DD",
  ])
})

test('an edition that is not where the mapping says refuses the file', async () => {
  const csv = 'Month;soon\nsku;name;price\nA;Tube;1\n'
  const mapping = (edition: string) =>
    `{ header_row: 2, edition: { ${edition} }, columns: { vendor_ref: sku, name: name, price: price }, ${BANK} }`
  expect((await read('f.csv', csv, mapping('cell: B1, format: MM/YYYY'))).parked).toEqual([
    "f.csv: NO_EDITION: cell B1 is 'soon': expected an edition as MM/YYYY",
  ])
  expect((await read('f.csv', csv, mapping('name: "list_{YYYY}"'))).parked).toEqual([
    "f.csv: NO_EDITION: the name is 'f.csv': expected an edition as list_{YYYY}",
  ])
})

test('a step whose column the file lacks refuses the file with its place', async () => {
  const csv = 'sku;name;price\nA;Tube;1\n'
  const { parked } = await read(
    'f.csv',
    csv,
    `{ replace: [{ in: code, pattern: a, with: b }], columns: { vendor_ref: sku, name: name, price: price }, ${BANK} }`,
  )
  expect(parked).toEqual(["f.csv: NO_COLUMN: replace.0.in: no column 'code'. The file has: sku | name | price"])
})

test('a price that rounds to nothing is no price', async () => {
  const { parked } = await read(
    'f.csv',
    'sku;name;price\nA;Nail;0.0004\n',
    `{ decimal: ".", round: 2, columns: { vendor_ref: sku, name: name, price: price }, constants: { currency: EUR, observed_at: 2026 } }`,
  )
  expect(parked).toEqual(['f.csv line 2: BAD_PRICE: 0.0004 rounds to zero: expected more places than `round: 2`'])
})

test.each([
  ['7z\xbc\xaf\x27\x1c', 'a 7z archive, expected ZIP: unpack it, and crawl its files or a ZIP of them'],
  ['Rar!\x1a\x07', 'a rar archive, expected ZIP: unpack it, and crawl its files or a ZIP of them'],
])('an archive of another kind is refused with the way out: %j', async (head, detail) => {
  const { parked } = await read('list.bin', Buffer.from(`${head}rest`, 'latin1'), '{}')
  expect(parked).toEqual([`list.bin: OTHER_ARCHIVE: ${detail}`])
})

test('a table whose column of editions is gone or renamed is refused: nothing would supersede its prices', async () => {
  const mapping = `{ delimiter: ";", edition: { column: anno }, columns: { vendor_ref: codice, name: voce, price: prezzo }, ${BANK} }`
  const { said } = await read('list.csv', 'codice;voce;prezzo;Anno\na;Scavo;2,50;2026\n', mapping)
  expect(said).toEqual(['a | Scavo |  | 2.5 EUR | 2026-01-01 | 2026'])
  const renamed = await read('list.csv', 'codice;voce;prezzo;edizione\na;Scavo;2,50;2026\n', mapping)
  expect(renamed.said).toEqual([])
  expect(renamed.parked).toEqual([
    "list.csv: NO_COLUMN: edition: no column 'anno'. The file has: codice | voce | prezzo | edizione",
  ])
})
