import { existsSync, mkdirSync, mkdtempDisposableSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { type Concept, withoutLeaks } from './concepts.ts'
import { readSources } from './sources.ts'
import { drawHeldOut, readHeldOut } from './split.ts'

const HEADER = 'resource_code,name,type,unit,parent_category,parent_collection,parent_department,parent_section'
const cpv = (label: string) => `<entry key="code|name|cpv.44111000">${label}</entry>`
const osm = (language: string, name: string) =>
  JSON.stringify({ [language]: { presets: { presets: { 'shop/paint': { name } } } } })
const catalogue = (name: string, section: string) =>
  `\ufeff${HEADER}\r\nA-1,${name},Material,t,WORKS,,12,${section}\r\nA-1,12 kWh,Electricity,h,WORKS,,12,${section}\r\n`

/** The smallest folder of training data: one or two entries a file. */
const FILES: Readonly<Record<string, string>> = {
  'cwicr/DDC_CWICR_UK_GBP_Catalog.csv': catalogue('"Nails, 3"" wire, 20 mm"', 'Roofs'),
  'cwicr/DDC_CWICR_USA_USD_Catalog.csv': 'not read',
  'cwicr/DDC_CWICR_SP_BARCELONA_Catalog.csv': catalogue('Clavos', 'Cubiertas'),
  'cwicr/DDC_CWICR_DE_BERLIN_Catalog.csv': catalogue('Nägel', 'Dächer'),
  'cwicr/DDC_CWICR_PT_SAOPAULO_Catalog.csv': catalogue('Pregos', 'Telhados'),
  'cwicr/DDC_CWICR_FR_PARIS_Catalog.csv': catalogue('Clous', 'Toitures'),
  ...Object.fromEntries(
    ['de', 'es', 'fr', 'it', 'pt'].map((language) => [`vocab/cpv/code_${language}.xml`, cpv(`Baustoffe ${language}`)]),
  ),
  'vocab/cpv/code_en.xml': `${cpv('Bricks &amp; blocks')}<entry key="code|name|accelerated.false">no</entry>`,
  ...Object.fromEntries(
    ['de', 'en', 'es', 'fr', 'it', 'pt-BR', 'pt-PT'].flatMap((folder) => [
      [
        `vocab/shopify/${folder}/categories.txt`,
        `# Format\n\ngid://shopify/TaxonomyCategory/ha-1   : Top > Ladders ${folder}\n`,
      ],
      [`vocab/shopify/${folder}/attribute_values.txt`, `gid://shopify/TaxonomyValue/7  : Velvet ${folder} [Fabric]\n`],
    ]),
  ),
  ...Object.fromEntries(
    ['de', 'en', 'es', 'fr', 'it', 'pt', 'pt-BR'].map((language) => [
      `vocab/osm/${language}.json`,
      osm(language, `Paint shop ${language}`),
    ]),
  ),
}

describe('a folder of training data', () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'sources-'))
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(folder.path, path)), { recursive: true })
    writeFileSync(join(folder.path, path), text)
  }
  const { concepts, inputs } = readSources(folder.path)
  const byId = new Map(concepts.map((concept) => [concept.id, concept]))

  test('gives a resource by code and type, and its group has no sizes', () => {
    expect(byId.get('cwicr:A-1/Material')).toEqual({
      id: 'cwicr:A-1/Material',
      source: 'cwicr',
      group: 'nails wire mm',
      strings: { en: ['Nails, 3" wire, 20 mm'], es: ['Clavos'], de: ['Nägel'], pt: ['Pregos'], fr: ['Clous'] },
    })
  })

  test('gives the headings of resources once, unless they have no words', () => {
    const headings = concepts.filter(({ source }) => source === 'headings')
    expect(headings.map(({ group, strings }) => [group, strings.de])).toEqual([
      ['works', ['WORKS']],
      ['roofs', ['Dächer']],
    ])
  })

  test('gives labels of the CPV with their entities spelled out', () => {
    expect(byId.get('cpv:44111000')?.strings).toMatchObject({ en: ['Bricks & blocks'], it: ['Baustoffe it'] })
  })

  test('gives the last segment of a category, values without their attribute, and both Portugueses', () => {
    expect(byId.get('shopify:ha-1')?.strings.pt).toEqual(['Ladders pt-BR', 'Ladders pt-PT'])
    expect(byId.get('values:7')?.strings.fr).toEqual(['Velvet fr'])
  })

  test('gives names of presets', () => {
    expect(byId.get('osm:shop/paint')?.strings).toMatchObject({ de: ['Paint shop de'], pt: expect.any(Array) })
  })

  test('leaves out concepts that cannot train', () => {
    // "12 kWh" has a word in every language, so it stays; the folder holds nothing else.
    expect([...byId.keys()].sort()).toEqual(
      [
        'cpv:44111000',
        'cwicr:A-1/Electricity',
        'cwicr:A-1/Material',
        'headings:roofs',
        'headings:works',
        'osm:shop/paint',
      ]
        .concat(['shopify:ha-1', 'values:7'])
        .sort(),
    )
  })

  test('names every input file with its hash', () => {
    expect(inputs).toHaveLength(Object.keys(FILES).length - 1)
    expect(inputs.find(({ path }) => path === 'vocab/osm/it.json')?.sha256).toMatch(/^[0-9a-f]{64}$/)
  })
})

const concept = (id: string, group: string, en: string, es = `${en} es`): Concept => ({
  id,
  source: id.startsWith('cpv') ? 'cpv' : 'cwicr',
  group,
  strings: { en: [en], es: [es] },
})

test('excludes a concept that shares a folded string with a held-out one in any two languages', () => {
  const held = [concept('cpv:1', 'slabs', 'Slabs', 'Lósas')]
  const others = [
    concept('cwicr:1', 'slab', 'slab', 'LOSAS'),
    concept('cwicr:2', 'losas', 'losas', 'baldosas'),
    concept('cwicr:3', 'tiles', 'tiles', 'losas nuevas'),
  ]
  expect(withoutLeaks([...held, ...others], held).map(({ id }) => id)).toEqual(['cwicr:3'])
})

test('holds out whole groups, of resources and building divisions only', () => {
  const concepts = Array.from({ length: 400 }, (_, i) => [
    concept(`cwicr:${i}`, `resource ${i >> 1}`, 'x'),
    concept(`cpv:44${i}`, `label ${i}`, 'x'),
    concept(`cpv:15${i}`, `food ${i}`, 'x'),
  ]).flat()
  const lines = drawHeldOut(concepts)
  const idsOf = (start: string) =>
    lines.filter((line) => line.startsWith(start)).map((line) => line.slice(start.length))
  expect([idsOf('test cwicr:').length, idsOf('dev cwicr:').length]).toEqual([48, 24])
  expect([idsOf('test cpv:44').length, idsOf('dev cpv:44').length]).toEqual([48, 24])
  expect(idsOf('test cpv:15')).toEqual([])
  const numbers = new Set(idsOf('test cwicr:').map(Number))
  for (const number of numbers) expect(numbers).toContain(number ^ 1)
  expect(drawHeldOut(concepts)).toEqual(lines)
})

test('the committed split is the draw from the real inputs', (context) => {
  const asked = process.env.REAL_INPUTS_DIR
  const folder = asked ?? fileURLToPath(new URL('../../../../shared/data', import.meta.url))
  context.skip(asked === undefined && !existsSync(folder), `no real inputs in ${folder}`)
  const { concepts } = readSources(folder)
  const lines = readFileSync(new URL('./held-out.txt', import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
  expect(drawHeldOut(concepts)).toEqual(lines)
  const { test: tested, dev } = readHeldOut()
  expect([tested.size, dev.size, [...dev].filter((id) => tested.has(id))]).toEqual([1247, 658, []])
}, 60_000)
