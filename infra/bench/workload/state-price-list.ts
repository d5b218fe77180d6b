import { writeFileSync } from 'node:fs'
import { zipSync } from 'fflate'

/**
 * A month of a national price list in the layout of SINAPI, with made-up texts and prices: a ZIP of a workbook with a sheet for inputs and
 * one for works in each of two regimes, the month in a cell, and a column for each of 27 states.
 */
export type StatePriceList = Readonly<{ inputs: number; works: number }>

const STATES = 'AC AL AM AP BA CE DF ES GO MA MG MS MT PA PB PE PI PR RJ RN RO RR RS SC SE SP TO'.split(' ')
export const INPUT_SHEETS = ['ISD', 'ICD']
export const WORK_SHEETS = ['CSD', 'CCD']

/** Rows of the month from August 2025 on, and so 783,000 prices. */
export const WHOLE_MONTH: StatePriceList = { inputs: 4_800, works: 9_700 }

/** Prices in a list of this size: each has one in every state and regime. */
export const pricesIn = ({ inputs, works }: StatePriceList): number => (inputs + works) * STATES.length * 2

/** Writes the list to a file; returns its size in bytes. */
export function writeStatePriceList(path: string, size: StatePriceList): number {
  const workbook = Object.entries(workbookOf(size)).map(([name, texts]) => [name, Buffer.from(texts.join(''))])
  const archive = zipSync({
    'SINAPI_Referência_2026_09.xlsx': [zipSync(Object.fromEntries(workbook)), { level: 0 }],
    'leia-me.txt': Buffer.from('Preços de exemplo.'),
  })
  writeFileSync(path, archive)
  return archive.length
}

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const SHEET_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

/** The parts of the workbook, each in pieces. */
function workbookOf({ inputs, works }: StatePriceList): Record<string, readonly string[]> {
  const strings = new SharedStrings()
  const sheets = [
    ...INPUT_SHEETS.map((name, regime) => ({ name, rows: inputRows(inputs, { regime, strings }) })),
    ...WORK_SHEETS.map((name, regime) => ({ name, rows: workRows(works, { regime, strings }) })),
  ]
  const all = (of: (name: string, number: number) => string) => sheets.map(({ name }, i) => of(name, i + 1))
  const written = sheets.map(({ rows }, i) => [
    `xl/worksheets/sheet${i + 1}.xml`,
    [`<worksheet xmlns="${MAIN}"><sheetData>`, ...rows, '</sheetData></worksheet>'],
  ])
  return {
    '[Content_Types].xml': [
      `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>`,
      `<Override PartName="/xl/workbook.xml" ContentType="${SHEET_TYPE}.sheet.main+xml"/><Override PartName="/xl/sharedStrings.xml" ContentType="${SHEET_TYPE}.sharedStrings+xml"/>`,
      ...all((_, i) => `<Override PartName="/xl/worksheets/sheet${i}.xml" ContentType="${SHEET_TYPE}.worksheet+xml"/>`),
      '</Types>',
    ],
    '_rels/.rels': [
      `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${RELATIONS}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    ],
    'xl/workbook.xml': [
      `<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets>`,
      ...all((name, i) => `<sheet name="${name}" sheetId="${i}" r:id="rId${i}"/>`),
      '</sheets></workbook>',
    ],
    'xl/_rels/workbook.xml.rels': [
      `<Relationships xmlns="${PACKAGE}/relationships">`,
      ...all((_, i) => `<Relationship Id="rId${i}" Type="${RELATIONS}/worksheet" Target="worksheets/sheet${i}.xml"/>`),
      `<Relationship Id="rId0" Type="${RELATIONS}/sharedStrings" Target="sharedStrings.xml"/></Relationships>`,
    ],
    ...Object.fromEntries(written),
    'xl/sharedStrings.xml': strings.pieces(),
  }
}

/** Each text once, as spreadsheets keep them. */
class SharedStrings {
  readonly #indexes = new Map<string, number>()

  cell(column: number, row: number, text: string): string {
    const index = this.#indexes.get(text) ?? this.#indexes.size
    this.#indexes.set(text, index)
    return `<c r="${letters(column)}${row}" t="s"><v>${index}</v></c>`
  }

  pieces(): string[] {
    return [`<sst xmlns="${MAIN}">`, ...Array.from(this.#indexes.keys(), (text) => `<si><t>${text}</t></si>`), '</sst>']
  }
}

const number = (column: number, row: number, value: string | number) =>
  `<c r="${letters(column)}${row}"><v>${value}</v></c>`
const rowOf = (row: number, cells: readonly string[]) => `<row r="${row}">${cells.join('')}</row>`

function letters(column: number): string {
  const [high, low] = [Math.floor(column / 26), column % 26]
  return `${high === 0 ? '' : String.fromCharCode(64 + high)}${String.fromCharCode(65 + low)}`
}

type RowContext = Readonly<{ regime: number; strings: SharedStrings }>

/** The rows above the heading, with the month in B3. */
const banner = (strings: SharedStrings, title: string) => [
  rowOf(1, [strings.cell(0, 1, 'SINAPI')]),
  rowOf(2, [strings.cell(0, 2, title)]),
  rowOf(3, [strings.cell(0, 3, 'Mês de Referência:'), strings.cell(1, 3, '09/2026')]),
]

const INPUT_UNITS = ['UN', 'M', 'M2', 'KG', 'H', 'MES', 'L', 'M3', 'CENTO', 'SC25KG']
const WORK_UNITS = ['M2', 'M3', 'M', 'UN', 'KG', 'H', 'CHP', 'CHI', 'M3XKM', 'TXKM']

function* inputRows(count: number, { regime, strings }: RowContext): Generator<string> {
  yield* banner(strings, 'PRECOS DE INSUMOS')
  const headings = [
    'Classificação',
    'Código do\nInsumo',
    'Descrição do Insumo',
    'Unidade',
    'Origem de\nPreço',
    ...STATES,
  ]
  yield rowOf(
    10,
    headings.map((text, column) => strings.cell(column, 10, text)),
  )
  for (let i = 0; i < count; i++) {
    const row = 11 + i
    const unit = INPUT_UNITS[i % INPUT_UNITS.length] as string
    yield rowOf(row, [
      strings.cell(0, row, i % 20 === 0 ? 'MAO DE OBRA' : 'MATERIAL'),
      number(1, row, 10_000 + i),
      strings.cell(2, row, `INSUMO ${madeUpName(i)}`),
      strings.cell(3, row, unit),
      strings.cell(4, row, 'CR'),
      ...STATES.map((_, state) => number(5 + state, row, priceOf(i, state, regime))),
    ])
  }
}

function* workRows(count: number, { regime, strings }: RowContext): Generator<string> {
  yield* banner(strings, 'CUSTOS DE COMPOSICOES')
  yield rowOf(
    9,
    STATES.map((state, i) => strings.cell(4 + 2 * i, 9, state)),
  )
  const headings = [
    'Grupo',
    'Código da\nComposição',
    'Descrição',
    'Unidade',
    ...STATES.flatMap(() => ['Custo (R$)', '%AS']),
  ]
  yield rowOf(
    10,
    headings.map((text, column) => strings.cell(column, 10, text)),
  )
  for (let i = 0; i < count; i++) {
    const row = 11 + i
    const code = 100_000 + i
    const link = `HYPERLINK("#"&amp;CELL("address",OFFSET(Analítico!$B$1,MATCH(${code},Analítico!$B:$B,0)-1,3)),${code})`
    yield rowOf(row, [
      strings.cell(0, row, `Grupo ${i % 60}`),
      `<c r="B${row}"><f>${link}</f><v>0</v></c>`,
      strings.cell(2, row, `${madeUpName(i)}, FORNECIMENTO E INSTALACAO. AF_09/2026`),
      strings.cell(3, row, WORK_UNITS[i % WORK_UNITS.length] as string),
      ...STATES.flatMap((_, state) => [
        number(4 + 2 * state, row, priceOf(i + 7, state, regime)),
        number(5 + 2 * state, row, 0),
      ]),
    ])
  }
}

/** Texts come in families of up to six that differ in a size alone, as those of such lists do. */
const WORDS = [
  [
    'TUBO',
    'ARGAMASSA',
    'ALVENARIA',
    'CONCRETO',
    'PINTURA',
    'REVESTIMENTO',
    'ESCAVACAO',
    'CABO',
    'PORTA',
    'LAJE',
    'TELHA',
  ],
  ['DE PVC', 'CERAMICO', 'DE ACO GALVANIZADO', 'ESTRUTURAL', 'ACRILICO', 'SOLDAVEL', 'COM BETONEIRA'],
  ['PARA FACHADA', 'EM VALA', 'PARA COBERTURA', 'EM PAREDE', 'PARA ESGOTO', 'EM PISO', 'PARA REDE ELETRICA'],
  ['SERVICO DIURNO', 'COM ANDAIME', 'SEM TRANSPORTE'],
] as const

export function madeUpName(i: number): string {
  let rest = i
  const words = WORDS.map((list) => {
    const word = list[rest % list.length]
    rest = Math.floor(rest / list.length)
    return word
  })
  return `${words.join(' ')}, DIAMETRO ${20 + 5 * rest} MM`
}

/** Between 1 and some 900 reais, 3 percent apart in the two regimes, and up to 26 percent between states. */
const priceOf = (i: number, state: number, regime: number): string =>
  ((100 + ((i * 7_919) % 70_000)) * (1 + state / 100) * (1 - 0.03 * regime) * 0.01).toFixed(2)
