import { writeFileSync } from 'node:fs'
import { zipSync } from 'fflate'
import { writeXlsx } from 'hucre/xlsx'

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
export async function writeStatePriceList(path: string, { inputs, works }: StatePriceList): Promise<number> {
  const sheets = [
    ...INPUT_SHEETS.map((name, regime) => ({ name, rows: inputRows(inputs, regime) })),
    ...WORK_SHEETS.map((name, regime) => ({ name, rows: workRows(works, regime), cells: codeCells(works) })),
  ]
  const archive = zipSync({
    'SINAPI_Referência_2026_09.xlsx': [await writeXlsx({ sheets }), { level: 0 }],
    'leia-me.txt': Buffer.from('Preços de exemplo.'),
  })
  writeFileSync(path, archive)
  return archive.length
}

type Row = (string | number | null)[]

/** The rows up to the heading in rows 9 and 10, with the month in B3. */
const banner = (title: string, states: Row, headings: Row): Row[] => [
  ['SINAPI'],
  [title],
  ['Mês de Referência:', '09/2026'],
  ...Array.from({ length: 5 }, () => []),
  states,
  headings,
]
const FIRST_ROW = 10

const INPUT_UNITS = ['UN', 'M', 'M2', 'KG', 'H', 'MES', 'L', 'M3', 'CENTO', 'SC25KG']
const WORK_UNITS = ['M2', 'M3', 'M', 'UN', 'KG', 'H', 'CHP', 'CHI', 'M3XKM', 'TXKM']
const unitOf = (units: readonly string[], i: number) => units[i % units.length] as string

function inputRows(count: number, regime: number): Row[] {
  const headings = ['Classificação', 'Código do\nInsumo', 'Descrição do Insumo', 'Unidade', 'Origem de\nPreço']
  const rows = Array.from({ length: count }, (_, i): Row => {
    const kind = i % 20 === 0 ? 'MAO DE OBRA' : 'MATERIAL'
    const head = [kind, 10_000 + i, `INSUMO ${madeUpName(i)}`, unitOf(INPUT_UNITS, i), 'CR']
    return [...head, ...STATES.map((_, state) => priceOf(i, state, regime))]
  })
  return [...banner('PRECOS DE INSUMOS', [], [...headings, ...STATES]), ...rows]
}

function workRows(count: number, regime: number): Row[] {
  const states = [null, null, null, null, ...STATES.flatMap((state) => [state, null])]
  const headings = ['Grupo', 'Código da\nComposição', 'Descrição', 'Unidade']
  const rows = Array.from({ length: count }, (_, i): Row => {
    const name = `${madeUpName(i)}, FORNECIMENTO E INSTALACAO. AF_09/2026`
    const prices = STATES.flatMap((_, state) => [priceOf(i + 7, state, regime), 0])
    return [`Grupo ${i % 60}`, null, name, unitOf(WORK_UNITS, i), ...prices]
  })
  const columns = STATES.flatMap(() => ['Custo (R$)', '%AS'])
  return [...banner('CUSTOS DE COMPOSICOES', states, [...headings, ...columns]), ...rows]
}

/** The codes of works: links to another sheet. */
const codeCells = (count: number) =>
  new Map(
    Array.from({ length: count }, (_, i) => {
      const code = 100_000 + i
      const place = `MATCH(${code},Analítico!$B:$B,0)-1,3`
      const formula = `HYPERLINK("#"&CELL("address",OFFSET(Analítico!$B$1,${place})),${code})`
      return [`${FIRST_ROW + i},1`, { formula, formulaResult: 0 }]
    }),
  )

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
const priceOf = (i: number, state: number, regime: number): number =>
  Math.round((100 + ((i * 7_919) % 70_000)) * (1 + state / 100) * (1 - 0.03 * regime)) / 100
