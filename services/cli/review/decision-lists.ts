import type { Context } from '@catalog/cli/shared/context.ts'
import type { List } from '@catalog/cli/shared/list.ts'
import { table } from '@catalog/cli/shared/terminal.ts'
import { ReadAs } from '@catalog/core/events/crawls.ts'
import type { UnknownUnitReason } from '@catalog/core/units/parse-unit.ts'
import { sourcesNow } from '@catalog/operations/append-decision.ts'
import { deadLetter, deadLetters } from '@catalog/operations/decisions/dead-letters.ts'
import { sourceAliases } from '@catalog/operations/decisions/source-aliases.ts'
import { taxRules, unreadBy } from '@catalog/operations/decisions/tax.ts'
import { unitAliases, unknownUnits } from '@catalog/operations/decisions/units.ts'

/** Lists of what was decided, or is left to decide, beside matches. */

type Stage = Pick<Context, 'catalog' | 'terminal'>

export const DEAD_LETTERS: List<Awaited<ReturnType<typeof deadLetters>>, Parameters<typeof deadLetters>[1]> = {
  command: 'catalog parked',
  read: deadLetters,
  text({ groups, parked }) {
    const grouped = groups.map(({ reason, source, count, detail }) => {
      return { reason, source: source ?? '', records: count, example: oneLine(detail) }
    })
    const rows = parked.map(({ parked_id, reason, position, detail, raw }) => {
      return { parked_id, reason, position, detail, raw: oneLine(raw) }
    })
    return grouped.length === 0 ? table(rows) : `${table(grouped)}\n\n${table(rows)}`
  },
  next: ({ groups: [largest] }) =>
    largest === undefined
      ? 'correct the input or its mapping and crawl again, then catalog parked resolve ID --as recorded --reason "..."'
      : `catalog parked list --reason ${largest.reason}, or catalog parked show ${largest.parked_id}`,
}

const oneLine = (raw: string) => raw.replace(/\s+/g, ' ').slice(0, 60)

/** `catalog parked show ID`: one open record with its raw text. */
export async function showDeadLetter({ catalog, terminal }: Stage, id: string): Promise<void> {
  const record = await deadLetter(catalog, id)
  terminal.answer(record, () =>
    [
      `${record.reason}: ${record.detail}`,
      `at ${record.position ?? 'an unknown place'}, source ${record.source_id ?? 'unknown'}, crawl ${record.crawl_id ?? 'none'}`,
      '',
      record.raw,
      ...(record.raw_sha256 === null ? [] : [`(the beginning of a record with SHA-256 ${record.raw_sha256})`]),
      ...(record.read_as === null ? [] : ['', readText(record.read_as)]),
    ].join('\n'),
  )
  const resolve = `catalog parked resolve ${id} --as recorded --reason "..."`
  terminal.next(
    record.read_as === null ? resolve : `catalog parked edit ${id} --set KEY=VALUE --reason "...", or ${resolve}`,
  )
}

/** The texts of a record by key, as its file reads them. */
function readText(readAs: string): string {
  const { fields } = ReadAs.parse(JSON.parse(readAs))
  return Object.entries(fields)
    .map(([key, text]) => `${key.padEnd(READ_KEY_WIDTH)} ${text}`)
    .join('\n')
}
const READ_KEY_WIDTH = 16

const REASONS: Readonly<Record<UnknownUnitReason, string>> = {
  SPELLING: 'no unit has this spelling',
  OTHER_LANGUAGE: 'a unit in other languages only',
  TOO_SMALL: 'nothing is priced by so little',
  DOTTED: 'dots: no small metric unit',
}
const SOURCES_SHOWN = 3

export const UNKNOWN_UNITS: List<Awaited<ReturnType<typeof unknownUnits>>> = {
  command: 'catalog units unknown',
  read: unknownUnits,
  text: ({ units }) =>
    units.length === 0
      ? 'every unit is known'
      : table(
          units.map(({ unit, reason, skus, observations, sources, example }) => ({
            unit,
            skus,
            observations,
            sources: shownSources(sources),
            example: example.slice(0, 40),
            why: REASONS[reason],
          })),
        ),
  next: ({ units }) => (units.length === 0 ? 'catalog status' : 'catalog units alias UNIT CANONICAL --reason "..."'),
}

function shownSources(sources: readonly Readonly<{ name: string }>[]): string {
  const shown = sources.slice(0, SOURCES_SHOWN).map(({ name }) => name)
  const more = sources.length - shown.length
  return [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join(', ')
}

export const UNIT_ALIASES: List<Awaited<ReturnType<typeof unitAliases>>> = {
  command: 'catalog units aliases',
  read: unitAliases,
  text: ({ aliases }) =>
    table(
      aliases.map((row) => ({ ...row, canonical: row.canonical ?? '(removed)', source_id: row.source_id ?? 'all' })),
    ),
  next: () => 'catalog units alias UNIT --remove --reason "...", or catalog units unknown',
}

export const SOURCE_ALIASES: List<Awaited<ReturnType<typeof sourceAliases>>> = {
  command: 'catalog sources aliases',
  read: sourceAliases,
  text: ({ aliases }) =>
    table(
      aliases.map(({ name, source_id, canonical_name, speaks_for_it, decided_at, reason }) => {
        return { source: name, alias_of: canonical_name ?? '(removed)', decided_at, reason, source_id, speaks_for_it }
      }),
    ),
  next: () => 'catalog sources alias SOURCE --remove --reason "...", or catalog review sources',
}

/** `catalog trust`: the trust in each source. */
export async function showTrust({ catalog, terminal }: Stage): Promise<void> {
  const sources = [...(await sourcesNow(catalog)).values()].map(
    ({ sourceId, name, region, kind, trust, validity, validityDays, enabled }) => ({
      source_id: sourceId,
      name,
      region,
      kind,
      trust_score: trust,
      ...(validity !== null && { validity }),
      validity_days: validityDays,
      enabled,
    }),
  )
  terminal.answer({ sources }, () => table(sources))
  terminal.next('catalog trust SOURCE SCORE --reason "..."')
}

/** `catalog tax`: how open taxes vote in each region. */
export async function showTaxRules({ catalog, terminal }: Stage): Promise<void> {
  const { isRead, ...rules } = await taxRules(catalog)
  terminal.answer(rules, () => [table(rules.regions), ...(isRead ? [] : [unreadBy(rules.method)])].join('\n'))
  terminal.next('catalog tax set REGION --not-stated majority --gross-without-rate standard_rate --reason "..."')
}
