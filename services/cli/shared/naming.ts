import { foldText } from '@catalog/core/text.ts'

type Named = Readonly<{ sourceId: string; name: string }>

/** Sources that a refusal lists. */
const LISTED_MAX = 10

/**
 * The one source that an id or a name means; names are compared without regard to case and accents. `option` is how the
 * command calls what was given. Throws an error that lists sources when none, or several of one name, are meant.
 */
export function sourceMeant<Source extends Named>(
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
  const wanted = found.length > 1 ? 'an id, for several have that name' : 'an id or a name'
  throw new Error(`${option} '${given}': expected ${wanted}: ${listed.join(', ') || 'there are none yet'}`)
}
