import type { Encoding } from '@catalog/formats/bytes/encoding.ts'
import type { ByteSource } from '@catalog/formats/bytes/record.ts'
import { children, textOf, type XmlElement } from '@catalog/formats/xml/element.ts'
import { xmlRecords } from '@catalog/formats/xml/records.ts'

/** Categories of articles in a BMEcat file, from the file's own groups. */

type Group = Readonly<{ name: string; parent: string }>
/** Groups by article and by key; a key includes the classification system of the group. */
export type BmecatGroups = Readonly<{
  groupOfArticle: ReadonlyMap<string, string>
  groups: Map<string, Group>
  /** The system of the groups that follow in the file. */
  system: { name: string }
}>

/** Groups of one file, and articles whose group is kept: some 60 MB. Articles beyond the limit have no category. */
const GROUPS_MAX = 100_000
const MAPPED_ARTICLES_MAX = 500_000
/** Levels of a category; the limit also ends cycles of groups. */
const LEVELS_MAX = 12

/**
 * Reads the groups of all articles, which the format writes after the last article. The extra pass only parses XML when
 * the bytes contain such an element.
 */
export async function readGroups(
  source: ByteSource,
  { encoding }: Readonly<{ encoding?: Encoding | undefined }>,
): Promise<BmecatGroups> {
  const groupOfArticle = new Map<string, string>()
  const known = { groupOfArticle, groups: new Map(), system: { name: '' } }
  if (!(await holds(source, MAP))) return known
  for await (const batch of xmlRecords(source, { encoding, isRecord: (name) => name.endsWith(MAP) })) {
    for (const found of batch) {
      if (groupOfArticle.size >= MAPPED_ARTICLES_MAX) return known
      if (found.kind !== 'record' || found.element.attributes.mode === 'delete') continue
      const article = textOf(found.element, 'ART_ID') || textOf(found.element, 'PROD_ID')
      const group = textOf(found.element, 'CATALOG_GROUP_ID')
      // An article of several groups belongs to the first.
      if (article !== '' && group !== '' && !groupOfArticle.has(article)) {
        groupOfArticle.set(ownText(article), ownText(group))
      }
    }
  }
  return known
}
const MAP = '_TO_CATALOGGROUP_MAP'

/** Whether an element describes a group, by its name without prefix. */
export function describesGroup(name: string): boolean {
  return name === 'CATALOG_STRUCTURE' || name === 'CLASSIFICATION_GROUP' || name === 'CLASSIFICATION_SYSTEM_NAME'
}

/** Stores the group that an element describes. The format writes groups before articles. */
export function addGroup({ groups, system }: BmecatGroups, element: XmlElement): void {
  if (element.name.endsWith('CLASSIFICATION_SYSTEM_NAME')) {
    system.name = element.text
    return
  }
  if (groups.size >= GROUPS_MAX) return
  const ofCatalog = element.name.endsWith('CATALOG_STRUCTURE')
  const start = ofCatalog ? '' : 'CLASSIFICATION_'
  const [id, name, parent] = [
    `${start}GROUP_ID`,
    `${start}GROUP_NAME`,
    ofCatalog ? 'PARENT_ID' : `${start}GROUP_PARENT_ID`,
  ].map((child) => textOf(element, child)) as [string, string, string]
  const keyOf = (group: string) => (ofCatalog ? group : classKey(system.name, group))
  // The root is the catalogue itself instead of a category.
  const isRoot = ofCatalog && element.attributes.type === 'root'
  groups.set(ownText(keyOf(id)), { name: isRoot ? '' : ownText(name), parent: ownText(keyOf(parent)) })
}

/**
 * "Materials > Cement" by the catalogue's groups, else by a classification that the file defines; '' without either.
 */
export function categoryOf(
  known: BmecatGroups,
  article: Readonly<{ ref: string; features: readonly XmlElement[] }>,
): string {
  const mapped = pathOf(known, known.groupOfArticle.get(article.ref) ?? '')
  if (mapped !== '') return mapped
  for (const feature of article.features) {
    const system = textOf(feature, 'REFERENCE_FEATURE_SYSTEM_NAME')
    for (const { text } of children(feature, 'REFERENCE_FEATURE_GROUP_ID')) {
      const path = pathOf(known, classKey(system, text))
      if (path !== '') return path
    }
  }
  return ''
}

function pathOf({ groups }: BmecatGroups, key: string): string {
  const names: string[] = []
  for (let at = groups.get(key); at !== undefined && names.length < LEVELS_MAX; at = groups.get(at.parent)) {
    if (at.name === '') break
    // These marks would split the name into levels: "Rohre > 100 mm" is one.
    names.unshift(at.name.replace(/>/g, '›').replace(/»/g, '›'))
  }
  return names.join(' > ')
}

function classKey(system: string, group: string): string {
  return `${system}\n${group}`
}

/** A copy of a text: a slice of a piece of the file would keep the whole piece in memory. */
function ownText(text: string): string {
  return Buffer.from(text).toString()
}

/** Whether the bytes contain a text, in any encoding that extends ASCII or in UTF-16. */
async function holds(source: ByteSource, text: string): Promise<boolean> {
  const needles = [Buffer.from(text), Buffer.from(text, 'utf16le'), Buffer.from(text, 'utf16le').swap16()]
  let tail: Uint8Array = new Uint8Array()
  for await (const chunk of source.open()) {
    const bytes = Buffer.concat([tail, chunk])
    if (needles.some((needle) => bytes.includes(needle))) return true
    tail = bytes.subarray(Math.max(0, bytes.length - text.length * 2))
  }
  return false
}
