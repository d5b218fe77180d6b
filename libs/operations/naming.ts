import { foldText } from '@catalog/core/text.ts'

/** A cursor that no list gave. */
export class BadCursor extends Error {
  override name = 'BadCursor'
}

type Named = Readonly<{ sourceId: string; name: string; region?: string | null }>

/** Sources that an error message lists. */
const LISTED_MAX = 10
/** Sources of one name that an error message lists: more than the countries of any market. */
const SEVERAL_MAX = 50

/**
 * The one source with this id or name; names ignore case and accents. `option` names the option in error messages.
 * Throws an error that lists sources unless exactly one fits.
 */
export function findSource<Source extends Named>(
  sources: Iterable<Source>,
  { option, given }: { option: string; given: string },
): Source {
  const [only] = findSources(sources, { option, given, wanted: 'an id' })
  return only as Source
}

/**
 * The sources with this id or name: one, or all of several with `isAll`. Without it, several are refused with a list of them that
 * names what is `wanted`: a name stands for as many sources as a vendor has countries.
 */
export function findSources<Source extends Named>(
  sources: Iterable<Source>,
  { option, given, wanted, isAll = false }: { option: string; given: string; wanted: string; isAll?: boolean },
): readonly Source[] {
  const all = [...sources]
  const found = all.filter(({ sourceId, name }) => sourceId === given || foldText(name) === foldText(given))
  if (found.length === 1 || (isAll && found.length > 1)) return found
  const isSeveral = found.length > 1
  const listed = (isSeveral ? found : all)
    .slice(0, isSeveral ? SEVERAL_MAX : LISTED_MAX)
    .map(({ sourceId, name, region }) => `${name}${isSeveral && region ? ` ${region}` : ''} (${sourceId})`)
  const expected = isSeveral ? `${wanted}, because several have that name` : 'an id or a name'
  throw new Error(`${option} '${given}': expected ${expected}: ${listed.join(', ') || 'there are none yet'}`)
}
