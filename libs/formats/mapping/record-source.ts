import { sourceIdOf } from '@catalog/core/events/ids.ts'
import type { SourceKind, SourceRef } from '@catalog/core/events/sources.ts'
import { isSubdivision } from '@catalog/core/median/subdivisions.ts'
import { foldText } from '@catalog/core/text.ts'
import { recordableText } from '@catalog/formats/bytes/vendor-text.ts'
import { type Defaults, RecordRefused } from './candidate.ts'
import type { SourcesRule } from './mapping.ts'
import { carriableText, isCarriable, isWebAddress, oneLine } from './text-checks.ts'

/** The source of a record and the kind of its prices. */

/** `badRegion`: the text of a region that is no code; null otherwise. */
export type ResolvedSource = Readonly<{
  ref: SourceRef
  badRegion: string | null
  /** False for a source that the file names and the mapping does not allow. */
  isAllowed: boolean
}>
export type NamedSource = Readonly<{ name: string; region: string; url: string }>

/** Cached sources of one file; beyond the limit only speed suffers. */
const SOURCES_CACHED_MAX = 10_000

/**
 * Whether a mapping lets a file name this source, by the names (whatever case and accents) and ids of its rule. Without a rule
 * no column names sources.
 */
function isAllowedSource({ id, name }: SourceRef, rule: SourcesRule | undefined): boolean {
  if (rule === undefined) return false
  if (rule.allow === 'any') return true
  const folded = foldText(name)
  return rule.allow.some((allowed) => allowed === id || foldText(allowed) === folded)
}

/**
 * Completes the source that a record names by the defaults. A file names sources at most, by its column; the operator alone
 * gives an id, by the mapping's constant or the command line. Caches results, because few sources fill a file.
 */
export function sourceReader(
  defaults: Defaults,
  { rule, constantId = '', isFromFile }: { rule?: SourcesRule | undefined; constantId?: string; isFromFile: boolean },
): (named: NamedSource) => ResolvedSource {
  const cached = new Map<string, ResolvedSource>()
  return (named) => {
    const key = `${named.name}\n${named.region}\n${named.url}`
    const known = cached.get(key)
    if (known !== undefined) return known
    const isUnnamed = named.name.trim() === ''
    const isNamed = isFromFile && !isUnnamed
    const id = (isNamed ? '' : constantId.trim()) || (isUnnamed ? defaults.sourceId?.trim() : '') || ''
    const resolved = resolveSource(named, id, defaults)
    const source = { ...resolved, isAllowed: !isNamed || isAllowedSource(resolved.ref, rule) }
    if (cached.size < SOURCES_CACHED_MAX) cached.set(key, source)
    return source
  }
}

function resolveSource(named: NamedSource, id: string, defaults: Defaults): Omit<ResolvedSource, 'isAllowed'> {
  const name = sourceName(named.name) || sourceName(defaults.source) || 'unnamed'
  const written = named.region || defaults.region || ''
  const region = regionOf(written)
  const badRegion =
    region !== '' && !/^([A-Z]{2}|LATAM)$/.test(region) && !isSubdivision(region) ? written.slice(0, 40) : null
  const url = (named.url || defaults.sourceUrl || '').trim()
  const place = { name, region: badRegion === null && region !== '' ? region : null }
  const ref: SourceRef = {
    id: id !== '' && isCarriable(id, 80) ? id : sourceIdOf(place),
    ...place,
    url: isWebAddress(url) ? url : null,
  }
  return { ref, badRegion }
}

/** The code of a region as sources carry it. A text that is no code comes back unchanged, apart from case. */
export function regionOf(written: string): string {
  const code = written.trim().toUpperCase()
  return REGION_ALIASES.get(code) ?? code
}
/** Codes in use that differ from ISO 3166. */
const REGION_ALIASES: ReadonlyMap<string, string> = new Map([
  ['UK', 'GB'],
  ['EL', 'GR'],
])

/** The name of a source: one line of characters that XML can carry, cut at 200. */
function sourceName(text: string): string {
  return oneLine(carriableText(recordableText(text)))
    .slice(0, 200)
    .toWellFormed()
    .trim()
}

/**
 * Price kind and source kind of one word from the record, else from the operator. `bank` and `bid` name both kinds;
 * `list` and `net` leave the source kind to `sourceKind`. Throws RecordRefused for any other word.
 */
export function kindOf(
  word: string,
  sourceKind: SourceKind,
): { price: 'list' | 'net' | 'bid' | 'bank'; source: SourceKind } {
  switch (word.trim().toLowerCase()) {
    case '':
    case 'shop':
    case 'list':
      return { price: 'list', source: sourceKind }
    case 'net':
      return { price: 'net', source: sourceKind }
    case 'bid':
      return { price: 'bid', source: 'bid' }
    case 'bank':
      return { price: 'bank', source: 'bank' }
    default:
      throw new RecordRefused('BAD_PRICE', `kind '${word.slice(0, 40)}': expected shop, list, net, bid or bank`)
  }
}
