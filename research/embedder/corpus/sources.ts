import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sha256Hex } from '@catalog/core/digest.ts'
import { type Concept, groupOf, isTrainable, LANGUAGES, type Language, type Strings, stringsOf } from './concepts.ts'

/** Trainable concepts of every source of a folder of training data, and the files behind them. */
export function readSources(folder: string): Sources {
  const inputs: Input[] = []
  const read: ReadText = (path) => {
    const bytes = readFileSync(join(folder, path))
    inputs.push({ path, sha256: sha256Hex(bytes) })
    return bytes.toString('utf8').replace(/^\ufeff/, '')
  }
  const concepts = [
    ...readCwicr(read, readdirSync(join(folder, 'cwicr')).sort()),
    ...readCpv(read),
    ...readShopify(read),
    ...readOsm(read),
  ]
  return { concepts: concepts.filter(isTrainable), inputs }
}

export type Sources = Readonly<{ concepts: readonly Concept[]; inputs: readonly Input[] }>
export type Input = Readonly<{ path: string; sha256: string }>
type ReadText = (path: string) => string

/** Catalogues of one price list. The American one is the British one in other units, and adds no words. */
const CATALOGUES: readonly (readonly [Language, string])[] = [
  ['en', 'DDC_CWICR_UK'],
  ['es', 'DDC_CWICR_SP'],
  ['de', 'DDC_CWICR_DE'],
  ['pt', 'DDC_CWICR_PT'],
  ['fr', 'DDC_CWICR_FR'],
]
const HEADINGS = ['parent_category', 'parent_collection', 'parent_department', 'parent_section'] as const
const CATALOGUE_COLUMNS = ['resource_code', 'type', 'name', ...HEADINGS] as const
type CatalogueRow = Readonly<Record<(typeof CATALOGUE_COLUMNS)[number], string>>

/** Resources by code and type, which together are unique, and the headings above them by their English wording. */
function readCwicr(read: ReadText, files: readonly string[]): Concept[] {
  const catalogues = CATALOGUES.map(([language, start]) => {
    const file = files.find((name) => name.startsWith(start))
    if (file === undefined) throw new Error(`cwicr: expected a file whose name begins with ${start}`)
    const rows = csvRows(read(`cwicr/${file}`), CATALOGUE_COLUMNS)
    return [language, new Map(rows.map((row) => [`${row.resource_code}/${row.type}`, row]))] as const
  })
  const english = catalogues[0]?.[1] as Map<string, CatalogueRow>
  const stringsAt = (key: string, column: keyof CatalogueRow) =>
    stringsOf(catalogues.map(([language, rows]) => [language, rows.get(key)?.[column]]))
  const resources = Array.from(english, ([key, { name }]): Concept => {
    return { id: `cwicr:${key}`, source: 'cwicr', group: groupOf(name), strings: stringsAt(key, 'name') }
  })
  const headings = new Map<string, Concept>()
  for (const [key, row] of english) {
    for (const column of HEADINGS) {
      const group = groupOf(row[column])
      if (group === '' || headings.has(group)) continue
      headings.set(group, { id: `headings:${group}`, source: 'headings', group, strings: stringsAt(key, column) })
    }
  }
  return [...resources, ...headings.values()]
}

function csvRows<K extends string>(text: string, columns: readonly K[]): Readonly<Record<K, string>>[] {
  const [header = [], ...records] = text.split(/\r?\n/).filter(Boolean).map(csvFields)
  const places = columns.map((column) => {
    const at = header.indexOf(column)
    if (at < 0) throw new Error(`expected a column '${column}', found ${header}`)
    return [column, at] as const
  })
  return records.map(
    (record) => Object.fromEntries(places.map(([column, at]) => [column, record[at] ?? ''])) as Record<K, string>,
  )
}

/** The fields of a CSV line; no field of these files holds a line break. */
function csvFields(line: string): string[] {
  return [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(
    ([, quoted, bare]) => quoted?.replaceAll('""', '"') ?? bare ?? '',
  )
}

/** Labels of the Common Procurement Vocabulary. A concept's id ends in its code of 8 digits. */
function readCpv(read: ReadText): Concept[] {
  const labels = LANGUAGES.map((language) => {
    const entries = read(`vocab/cpv/code_${language}.xml`).matchAll(/key="code\|name\|cpv\.(\d{8})">([^<]*)</g)
    return [language, new Map(Array.from(entries, ([, code, label]) => [code as string, unescaped(label as string)]))]
  }) as [Language, Map<string, string>][]
  const english = labels[0]?.[1] as Map<string, string>
  return Array.from(english, ([code, name]) => ({
    id: `cpv:${code}`,
    source: 'cpv',
    group: groupOf(name),
    strings: stringsOf(labels.map(([language, byCode]) => [language, byCode.get(code)])),
  }))
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function unescaped(xml: string): string {
  return xml.replace(/&(?:#(\d+)|#x([0-9a-f]+)|(\w+));/gi, (entity, decimal, hex, name) => {
    if (name !== undefined) return ENTITIES[name] ?? entity
    return String.fromCodePoint(decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal))
  })
}

/** Folders of Shopify's taxonomy. Of two folders, the first has the usual wording, the second another one. */
const SHOPIFY: readonly (readonly [Language, string])[] = [
  ['en', 'en'],
  ['es', 'es'],
  ['de', 'de'],
  ['pt', 'pt-BR'],
  ['pt', 'pt-PT'],
  ['fr', 'fr'],
  ['it', 'it'],
]

/** Categories by the last segment of their path, and attribute values without the attribute's name. */
function readShopify(read: ReadText): Concept[] {
  const files = [
    ['shopify', 'categories.txt', (text: string) => text.split(' > ').at(-1) as string],
    ['values', 'attribute_values.txt', (text: string) => text.replace(/\s*\[[^\]]*\]\s*$/, '')],
  ] as const
  return files.flatMap(([source, file, nameOf]) => {
    const byFolder = SHOPIFY.map(([language, folder]) => {
      const lines = read(`vocab/shopify/${folder}/${file}`).matchAll(/^gid:\/\/shopify\/\w+\/(\S+)\s*: (.+)$/gm)
      return [language, new Map(Array.from(lines, ([, id, text]) => [id as string, nameOf((text as string).trim())]))]
    }) as [Language, Map<string, string>][]
    const english = byFolder[0]?.[1] as Map<string, string>
    return Array.from(english, ([id, name]): Concept => {
      const strings = stringsOf(byFolder.map(([language, names]) => [language, names.get(id)]))
      return { id: `${source}:${id}`, source, group: groupOf(name), strings }
    })
  })
}

/** Presets of the iD editor: their names, and their search terms. */
function readOsm(read: ReadText): Concept[] {
  type Preset = Readonly<{ name?: string; terms?: readonly string[] }>
  const files = [...LANGUAGES.slice(0, 3), 'pt-BR', ...LANGUAGES.slice(3)]
  const presets = files.map((file) => {
    const parsed = JSON.parse(read(`vocab/osm/${file}.json`)) as {
      [language: string]: { presets: { presets: { [id: string]: Preset } } }
    }
    return [file.slice(0, 2), parsed[file]?.presets.presets ?? {}]
  }) as [Language, { readonly [id: string]: Preset }][]
  const english = presets[0]?.[1] ?? {}
  return Object.entries(english).map(([id, { name = '' }]): Concept => {
    const strings: Strings = stringsOf(presets.map(([language, byId]) => [language, byId[id]?.name]))
    return { id: `osm:${id}`, source: 'osm', group: groupOf(name), strings }
  })
}
