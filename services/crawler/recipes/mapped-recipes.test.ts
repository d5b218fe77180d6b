import { vendorSkuIdOf } from '@catalog/core/events/ids.ts'
import { ONE } from '@catalog/core/money/rational.ts'
import { decimalText } from '@catalog/core/recipes/amounts.ts'
import { RecipeCosts } from '@catalog/core/recipes/recipe-cost.ts'
import { bytesSource } from '@catalog/formats/bytes/record.ts'
import { type Mapping, parseMapping } from '@catalog/formats/mapping/mapping.ts'
import { newWorkbook } from '@catalog/formats/xlsx/new-workbook.ts'
import { describe, expect, test } from 'vitest'
import { type MappedRecipeOptions, readMappedRecipes } from './mapped-recipes.ts'
import type { RecipeContent, RecipeOutcome } from './recipes.ts'

const SOURCE = { id: 'src_bank', name: 'Bank', region: 'BR', url: null }

/** Rows of works and of their components, as an analytic sheet has them. */
const ROWS = `work;kind;code;text;unit;coefficient;price;cost
W1;;;Brick wall;m2;;;20,22
W1;INSUMO;A;Bricks;un;1,2345;10,99;
W1;COMPOSICAO;W2;Mortar;m3;0,333;20,00;
W2;;;Mortar;m3;;;
W2;INSUMO;C;Cement;kg;12;0,5;
W2;INSUMO;D;Labour;h;0,5;28,00;
`
const MAPPING = `
delimiter: ";"
decimal: ","
columns: { vendor_ref: work, name: text, price: cost }
recipes:
  columns:
    vendor_ref: work
    component_ref: code
    kind: kind
    name: text
    unit: unit
    quantity: coefficient
    price: price
    declared_price: cost
  kinds: { INSUMO: material, COMPOSICAO: auxiliary }
  rule: { rounding: down }
`
const mappingOf = (text = MAPPING): Mapping => parseMapping(text, 'mapping.yaml')

async function outcomesOf(
  text: string,
  { mapping = MAPPING, ...options }: Partial<Omit<MappedRecipeOptions, 'mapping'>> & { mapping?: string } = {},
): Promise<RecipeOutcome[]> {
  const found: RecipeOutcome[] = []
  const given = {
    format: 'csv' as const,
    source: SOURCE,
    currency: 'BRL',
    observedAt: '2026-09-01',
    notAfter: new Date('2026-12-01T00:00:00Z'),
  }
  const settings = { ...given, ...options, mapping: mappingOf(mapping) }
  for await (const batch of readMappedRecipes(bytesSource('list.csv', Buffer.from(text)), settings))
    found.push(...batch)
  return found
}
async function recipesOf(...args: Parameters<typeof outcomesOf>): Promise<RecipeContent[]> {
  const outcomes = await outcomesOf(...args)
  expect(outcomes.filter((outcome) => 'reason' in outcome)).toEqual([])
  return outcomes.flatMap((outcome) => ('content' in outcome ? [outcome.content] : []))
}
const skuOf = (ref: string) => vendorSkuIdOf(SOURCE.id, ref)
function costOf(recipes: readonly RecipeContent[], ref: string): string {
  const bySku = new Map(recipes.map((recipe) => [skuOf(recipe.vendor_ref), recipe]))
  const { total } = new RecipeCosts(bySku, new Map()).costOf(skuOf(ref), ONE)
  return decimalText(total, { places: 5, least: 2 })
}

describe('recipes of a table', () => {
  test('are the rows of one work, with kinds, quantities and prices', async () => {
    const [wall, mortar, ...others] = await recipesOf(ROWS)
    expect(others).toEqual([])
    expect(wall).toEqual({
      source: SOURCE,
      vendor_ref: 'W1',
      unit: 'm2',
      components: [
        {
          position: 1,
          kind: 'material',
          vendor_ref: 'A',
          name: 'Bricks',
          unit: 'un',
          factor: '1',
          yield: '1.2345',
          price: '10.99',
        },
        {
          position: 2,
          kind: 'auxiliary',
          vendor_ref: 'W2',
          name: 'Mortar',
          unit: 'm3',
          factor: '1',
          yield: '0.333',
          price: '20.00',
        },
      ],
      declared_price: '20.22',
      rule: { percentages: 'share', line_decimals: 2, rounding: 'down', indirect_rate: '0', total_decimals: 2 },
      currency: 'BRL',
      observed_at: '2026-09-01T00:00:00Z',
    })
    expect([mortar?.vendor_ref, mortar?.declared_price, mortar?.components.length]).toEqual(['W2', null, 2])
  })

  test('have the units as which the prices of the list are recorded', async () => {
    const mapping = `units: [br, { TRAMEX: m² }]${MAPPING}`
    const rows = ROWS.replace('Cement;kg', 'Mixer;CHP').replace('Brick wall;m2', 'Brick wall;TRAMEX')
    const [wall, mortar] = await recipesOf(rows, { mapping })
    expect([wall?.unit, mortar?.components.map(({ unit }) => unit)]).toEqual(['m²', ['h', 'h']])
  })

  test('give the declared price by the rule of their publisher: lines that are cut off, not rounded', async () => {
    expect(costOf(await recipesOf(ROWS), 'W1')).toBe('20.22')
    const rounded = MAPPING.replace('rounding: down', 'rounding: half')
    expect(costOf(await recipesOf(ROWS, { mapping: rounded }), 'W1')).toBe('20.23')
  })

  test('give the declared price with general costs and profit on the sum', async () => {
    const list = `work;code;quantity;price;cost\nT1;L;0,018;30,61;\nT1;M;2;5,065;13,62893\n`
    const mapping = `
delimiter: ";"
decimal: ","
recipes:
  columns: { vendor_ref: work, component_ref: code, quantity: quantity, price: price, declared_price: cost }
  rule: { line_decimals: 5, total_decimals: 5, indirect_rate: 0.276 }
`
    // 0.55098 + 10.13 = 10.68098, times 1.276 is 13.62893.
    const recipes = await recipesOf(list, { mapping })
    expect([recipes[0]?.declared_price, costOf(recipes, 'T1')]).toEqual(['13.62893', '13.62893'])
  })

  test.each([
    ['20,2', '20.20'],
    ['20', '20.00'],
    ['20,225', '20.225'],
  ])('declare %s with the decimals of the rule, which a cell leaves out: %s', async (cell, declared) => {
    const [wall] = await recipesOf(ROWS.replace('20,22', cell))
    expect(wall?.declared_price).toBe(declared)
  })

  test('pass the steps of their table, and not those of the prices', async () => {
    const prefixed = ROWS.replaceAll(/^W/gm, '2026-W').replaceAll(/;(A|W2|C|D);/g, ';2026-$1;')
    const steps = `
  replace:
    - { in: work, pattern: "^2026-", with: "" }
    - { in: code, pattern: "^2026-", with: "" }
  rows: { only: { work: "^W" } }
  rule`
    const mapping = `rows: { only: { work: "^none$" } }\n${MAPPING.replace('\n  rule', steps)}`
    expect(await recipesOf(prefixed, { mapping })).toEqual(await recipesOf(ROWS))
  })

  test('may leave the reference of the work to the row that describes it', async () => {
    const blank = ROWS.replaceAll(/^W\d;(?=[IC])/gm, ';')
    expect(await recipesOf(blank)).toEqual(await recipesOf(ROWS))
  })

  test('are refused with their reason where a quantity cannot be read, a date or a currency is missing', async () => {
    const reasons = async (text: string, options: Partial<Omit<MappedRecipeOptions, 'mapping'>> = {}) =>
      (await outcomesOf(text, options)).map((outcome) => ('reason' in outcome ? outcome.reason : 'read'))
    expect(await reasons(ROWS.replace('1,2345', 'some'))).toEqual(['BAD_NUMBER', 'read'])
    expect(await reasons(ROWS, { currency: undefined })).toEqual(['NO_CURRENCY', 'NO_CURRENCY'])
    expect(await reasons(ROWS, { observedAt: undefined })).toEqual(['NO_DATE', 'NO_DATE'])
    expect(await reasons(ROWS, { observedAt: '2027-01-01' })).toEqual(['FUTURE_OBSERVATION', 'FUTURE_OBSERVATION'])
    expect(await reasons('work;kind;code;text;unit;coefficient;price;cost\nW3;;;Nothing;m2;;;1\n')).toEqual([
      'NO_LINES',
    ])
  })
})

describe('prices of components', () => {
  const SHEETS = {
    Inputs: [
      ['code', 'text', 'class', 'SP'],
      ['A', 'Bricks', 'MATERIAL', 10.99],
      ['7', 'Sand', 'MATERIAL', 80],
      ['L', 'Bricklayer', 'LABOUR', null],
    ],
    Works: [
      ['code', 'text', 'SP'],
      ['W1', 'Brick wall', 13.56],
      ['7', 'Mortar', 0.5],
    ],
    Analytic: [
      ['work', 'kind', 'code', 'text', 'coefficient'],
      ['W1', '', '', 'Brick wall', ''],
      ['W1', 'INPUT', 'A', 'Bricks', 1.2345],
      ['W1', 'INPUT', '7', 'Sand', 2],
      ['W1', 'WORK', '7', 'Mortar', 3],
      ['W1', 'INPUT', 'L', 'Bricklayer', 0.1],
      ['W1', 'INPUT', 'Z', 'Unknown', 1],
    ],
  }
  const mappingOfSheets = (inputs: string) => `
sheet: Works
columns: { vendor_ref: code, name: text, price: SP }
recipes:
  sheet: Analytic
  columns: { vendor_ref: work, component_ref: code, kind: kind, name: text, quantity: coefficient }
  kinds: { WORK: auxiliary, MATERIAL: material, LABOUR: labor }
  prices:
    - { sheet: Inputs, ${inputs} }
    - { sheet: Works, columns: { ref: code, price: SP } }
`
  async function outcomesOfSheets(mapping: string) {
    const found: RecipeOutcome[] = []
    const options = { format: 'xlsx' as const, source: SOURCE, currency: 'BRL', observedAt: '2026-09-01' }
    const settings = { ...options, mapping: mappingOf(mapping), notAfter: new Date('2026-12-01') }
    for await (const batch of readMappedRecipes(bytesSource('list.xlsx', await newWorkbook(SHEETS)), settings))
      found.push(...batch)
    return found
  }
  async function linesOf(inputs: string) {
    const found = await outcomesOfSheets(mappingOfSheets(inputs))
    const [recipe, ...others] = found.flatMap((outcome) => ('content' in outcome ? [outcome.content] : []))
    expect([found.length, others]).toEqual([1, []])
    expect(recipe).toMatchObject({ vendor_ref: 'W1', declared_price: '13.56' })
    return recipe?.components.map(({ vendor_ref, kind, price }) => [vendor_ref, kind, price])
  }

  test('may stand in other tables of the file, the last of which counts', async () => {
    expect(await linesOf('columns: { ref: code, price: SP }')).toEqual([
      ['A', 'unclassified', '10.99'],
      ['7', 'unclassified', '0.5'],
      ['7', 'auxiliary', '0.5'],
      ['L', 'unclassified', null],
      ['Z', 'unclassified', null],
    ])
  })

  test('of one kind stay apart from those of others with the same code, and say what each component is', async () => {
    expect(await linesOf('of: INPUT, columns: { ref: code, price: SP, kind: class }')).toEqual([
      ['INPUT|A', 'material', '10.99'],
      ['INPUT|7', 'material', '80'],
      ['7', 'auxiliary', '0.5'],
      // A row without a price, and no row at all: neither gets another price.
      ['INPUT|L', 'labor', null],
      ['INPUT|Z', 'unclassified', null],
    ])
  })

  test.each([
    ['sheet: Inputs', 'sheet: Prices', 'UNREADABLE', /Prices/],
    ['price: SP, kind', 'price: RJ, kind', 'NO_COLUMN', /^no column 'RJ'$/],
    ['sheet: Analytic', 'sheet: Lines', 'UNREADABLE', /Lines/],
    ['quantity: coefficient', 'quantity: factor', 'NO_COLUMN', /^no column 'factor'$/],
  ])('of a workbook where %s is %s are refused once (%s), not missing', async (from, to, reason, detail) => {
    const mapping = mappingOfSheets('of: INPUT, columns: { ref: code, price: SP, kind: class }').replace(from, to)
    expect(await outcomesOfSheets(mapping)).toEqual([
      { position: 'list.xlsx', reason, detail: expect.stringMatching(detail) },
    ])
  })

  test('of one kind need the column that says which lines these are', () => {
    const text = mappingOfSheets('of: INPUT, columns: { ref: code, price: SP }').replace('kind: kind, ', '')
    expect(() => mappingOf(text)).toThrow('recipes.prices.0.of: expected also columns.kind')
  })
})

test.each([
  ['rule: { rounding: up }', 'recipes.rule.rounding: expected half or down'],
  ['rule: { indirect_rate: 27 % }', 'recipes.rule.indirect_rate: expected a share such as 0.276'],
  ['rule: { line_decimals: -1 }', 'recipes.rule.line_decimals: expected a whole number from 0 to 12'],
])('a mapping with %s is refused: %s', (rule, message) => {
  expect(() => mappingOf(MAPPING.replace('rule: { rounding: down }', rule))).toThrow(message)
})
