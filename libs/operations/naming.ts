import { foldText } from '@catalog/core/text.ts'

/** A cursor that no list gave. */
export class BadCursor extends Error {
  override name = 'BadCursor'
}

type Named = Readonly<{ sourceId: string; name: string }>

/** Sources that an error message lists. */
const LISTED_MAX = 10

/**
 * The one source with this id or name; names ignore case and accents. `option` names the option in error messages.
 * Throws an error that lists sources unless exactly one fits.
 */
export function findSource<Source extends Named>(
  sources: Iterable<Source>,
  { option, given }: { option: string; given: string },
): Source {
  const all = [...sources]
  const found = all.filter(({ sourceId, name }) => sourceId === given || foldText(name) === foldText(given))
  const [only] = found
  if (only !== undefined && found.length === 1) return only
  const listed = (found.length > 1 ? found : all)
    .slice(0, LISTED_MAX)
    .map(({ sourceId, name }) => `${name} (${sourceId})`)
  const wanted = found.length > 1 ? 'an id, because several have that name' : 'an id or a name'
  throw new Error(`${option} '${given}': expected ${wanted}: ${listed.join(', ') || 'there are none yet'}`)
}
