import type { Encoding } from '@catalog/formats/bytes/encoding.ts'
import type { ByteSource } from '@catalog/formats/bytes/record.ts'
import { children, textOf, type XmlElement } from '@catalog/formats/xml/element.ts'
import { xmlRecords } from '@catalog/formats/xml/records.ts'

/** In which category an article of a BMEcat file stands, by the groups of the file itself. */

type Group = Readonly<{ name: string; parent: string }>
/** By article, and by group, which are told apart by the system that they belong to. */
export type BmecatGroups = Readonly<{
  groupOfArticle: ReadonlyMap<string, string>
  groups: Map<string, Group>
  /** Whose groups come next in the file. */
  system: { name: string }
}>

/** Groups of one file, and articles whose group is kept: some 60 MB. Articles beyond have no category. */
const GROUPS_MAX = 100_000
const MAPPED_ARTICLES_MAX = 500_000
/** Levels of a category, also where groups are each other's parents. */
const LEVELS_MAX = 12

/**
 * What has to be known before the first article: the groups of all articles, which the format writes after the last of
 * them. It takes another pass, so a file without such an element is only looked through for its name.
 */
export async function openGroups(
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
      // An article of several groups stands under the first.
      if (article !== '' && group !== '' && !groupOfArticle.has(article)) {
        groupOfArticle.set(ownText(article), ownText(group))
      }
    }
  }
  return known
}
const MAP = '_TO_CATALOGGROUP_MAP'

/** Whether an element tells of a group; its name without prefix. */
export function isOfGroup(name: string): boolean {
  return name === 'CATALOG_STRUCTURE' || name === 'CLASSIFICATION_GROUP' || name === 'CLASSIFICATION_SYSTEM_NAME'
}

/** Keeps what such an element says. Groups stand before the articles, as the format has it. */
export function noteGroup({ groups, system }: BmecatGroups, element: XmlElement): void {
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
  // The root is the catalogue itself, and no category of it.
  const isRoot = ofCatalog && element.attributes.type === 'root'
  groups.set(ownText(keyOf(id)), { name: isRoot ? '' : ownText(name), parent: ownText(keyOf(parent)) })
}

/** "Materials > Cement" by the catalogue's groups, else by a classification that the file explains; '' without either. */
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
    // These marks would cut the name into levels: "Rohre > 100 mm" is one.
    names.unshift(at.name.replace(/>/g, '›').replace(/»/g, '›'))
  }
  return names.join(' > ')
}

function classKey(system: string, group: string): string {
  return `${system}\n${group}`
}

/** A text of its own: one cut from a piece of the file would keep all of the piece in memory. */
function ownText(text: string): string {
  return Buffer.from(text).toString()
}

/** Whether a text stands anywhere in the bytes, in any encoding whose letters are those of ASCII, or in UTF-16. */
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
