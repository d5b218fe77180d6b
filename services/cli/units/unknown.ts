import { type Terminal, table } from '@catalog/cli/shared/terminal.ts'
import type { Catalog } from '@catalog/cli/shared/wire.ts'
import { spellingKey } from '@catalog/core/text.ts'
import { instant } from '@catalog/core/time.ts'
import type { UnknownUnitReason } from '@catalog/core/units/parse-unit.ts'
import { readUnknownUnits, type UnknownUnitSource } from '@catalog/store/vendor/unknown-units.ts'

const REASONS: Readonly<Record<UnknownUnitReason, string>> = {
  SPELLING: 'no unit has this spelling',
  OTHER_LANGUAGE: 'a unit in other languages only',
  TOO_SMALL: 'nothing is priced by so little',
  DOTTED: 'dots: no small metric unit',
}
const SOURCES_SHOWN = 3

/** `catalog units unknown`: the units of present prices that nobody knows, most SKUs first. */
export async function listUnknownUnits(
  catalog: Catalog,
  terminal: Terminal,
  { after, limit }: { after?: string; limit: number },
): Promise<void> {
  const all = await readUnknownUnits(catalog.store, instant(catalog.now()))
  const start = after === undefined ? 0 : 1 + all.findIndex(({ unit }) => spellingKey(unit) === spellingKey(after))
  if (after !== undefined && start === 0)
    throw new Error(`--after '${after}': expected an unknown unit, as catalog units unknown lists them`)
  const page = all.slice(start, start + limit)
  const cursor = start + limit < all.length ? (page.at(-1)?.unit ?? null) : null
  terminal.answer({ units: page, cursor }, () =>
    [
      page.length === 0
        ? 'every unit is known'
        : table(
            page.map(({ unit, reason, skus, observations, sources, example }) => ({
              unit,
              skus,
              observations,
              sources: shownSources(sources),
              example: example.slice(0, 40),
              why: REASONS[reason],
            })),
          ),
      cursor === null ? '' : `\nmore: catalog units unknown --after ${JSON.stringify(cursor)}`,
    ].join('\n'),
  )
  terminal.next(page.length === 0 ? 'catalog status' : 'catalog units alias UNIT CANONICAL --reason "..."')
}

function shownSources(sources: readonly UnknownUnitSource[]): string {
  const shown = sources.slice(0, SOURCES_SHOWN).map(({ name }) => name)
  const more = sources.length - shown.length
  return [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join(', ')
}
