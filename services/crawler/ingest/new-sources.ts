import type { CrawlProblem } from '@catalog/core/events/crawls.ts'
import type { SourceRef } from '@catalog/core/events/sources.ts'
import type { Mapping } from '@catalog/formats/mapping/mapping.ts'

/** Names that a problem lists. */
const LISTED_MAX = 5

/** Name and country as the operator gives them for the whole input. */
type Own = Readonly<{ id: string; region: string | null }>

/**
 * The problem of an input that brings sources which the catalog has never met. A mapping lets a file do so by
 * `sources: { allow: any }`, and by a column of regions: each country of a listed name is another source. `own` is the source that
 * the operator named. Null without such sources.
 */
export async function newSourcesProblem(
  sources: readonly SourceRef[],
  {
    mapping,
    own,
    registeredSources,
  }: Readonly<{
    mapping: Mapping | undefined
    own: Own
    registeredSources: (ids: readonly string[]) => Promise<ReadonlySet<string>>
  }>,
): Promise<CrawlProblem | null> {
  const isAny = mapping?.sources?.allow === 'any'
  if (!isAny && mapping?.columns?.region === undefined) return null
  const isOperators = ({ id, region }: SourceRef) => id === own.id || (!isAny && region === own.region)
  const others = sources.filter((source) => !isOperators(source))
  const registered = await registeredSources(others.map(({ id }) => id))
  const unmet = others.filter(({ id }) => !registered.has(id))
  if (unmet.length === 0) return null
  const listed = unmet
    .slice(0, LISTED_MAX)
    .map(({ name, region }) => [name.slice(0, 60), ...(region === null ? [] : [`(${region})`])].join(' '))
  const more = unmet.length > LISTED_MAX ? ` and ${unmet.length - LISTED_MAX} more` : ''
  const count = unmet.length === 1 ? '1 source that' : `${unmet.length} sources that`
  return {
    code: 'NEW_SOURCES',
    detail: `the input names ${count} the catalog has never met: ${listed.join(', ')}${more}`,
  }
}

/** Thrown before anything is appended. */
export class NewSources extends Error {
  override name = 'NewSources'
}
