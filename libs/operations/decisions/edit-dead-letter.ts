import { ReadAs } from '@catalog/core/events/crawls.ts'
import { observationKey, TOPICS } from '@catalog/core/events/topics.ts'
import { formatMoney } from '@catalog/core/money/money.ts'
import { instant } from '@catalog/core/time.ts'
import { observationEvent } from '@catalog/crawler/ingest/crawl-events.ts'
import { latestObservation } from '@catalog/crawler/ingest/inputs.ts'
import type { Candidate } from '@catalog/formats/mapping/candidate.ts'
import { CandidateReader } from '@catalog/formats/mapping/candidate-reader.ts'
import { IDENTITY_KEYS, MAPPING_KEYS, type MappingKey } from '@catalog/formats/mapping/mapping-keys.ts'
import { sourcesNow } from '@catalog/operations/append-decision.ts'
import type { Catalog } from '@catalog/operations/catalog.ts'
import type { Outcome } from '@catalog/operations/outcome.ts'
import type { ParkedRecord } from '@catalog/store/builds/status.ts'
import type { SourceAt } from '@catalog/store/vendor/as-of-queries.ts'
import { deadLetter, resolveDeadLetters } from './dead-letters.ts'

export type EditOptions = Readonly<{
  id: string
  /** "key=value". */
  set: readonly string[]
  reason: string
}>

/**
 * Corrects the texts of a refused record and records it as an observation of its source. The record is read as its file was;
 * the dead letter is closed by a resolution with the reason.
 */
export async function editDeadLetter(catalog: Catalog, { id, set, reason }: EditOptions): Promise<Outcome> {
  const record = await deadLetter(catalog, id)
  const before = editable(record)
  const source = (await sourcesNow(catalog)).get(record.source_id ?? '')
  if (source === undefined)
    throw new Error(`source ${record.source_id}: nothing of it is recorded yet, expected one crawl of it that records`)
  const fields = withSettings(before.fields, set)
  requireChange(id, before.fields, fields)
  const { content } = readAgain(catalog, { before, source, fields })
  const event = observationEvent(content, {
    // A crawl of its own: retracting the crawl that parked the record must not hide the correction.
    crawlId: catalog.newCrawlId(),
    recordedAt: instant(catalog.now()),
  })
  await catalog.log.append(TOPICS.observations, [
    { key: observationKey(source.sourceId, content.vendor_ref), value: JSON.stringify(event) },
  ])
  await resolveDeadLetters(catalog, { ids: [id], as: 'recorded', reason })
  const { vendor_ref, name, unit, price, observed_at } = content
  return {
    value: { parked_id: id, observation_id: event.event_id, vendor_ref, name, unit, price, observed_at },
    said: `recorded '${vendor_ref}' ${name}, ${formatMoney(price.cents, price.currency)} for ${price.per_quantity} ${unit ?? ''}, of ${observed_at}`,
  }
}

function editable(record: ParkedRecord): ReadAs {
  if (record.origin === 'projector')
    throw new Error(`parked record '${record.parked_id}': the projector parked it, expected catalog parked retry`)
  if (record.read_as !== null) return ReadAs.parse(JSON.parse(record.read_as))
  const why = record.raw_sha256 === null ? 'it was not read as a product' : 'only the beginning of it is kept'
  throw new Error(`parked record '${record.parked_id}': ${why}, expected a corrected input and catalog crawl`)
}

/** Keys that a person may set. Who speaks stays as the crawl recorded it. */
const EDITABLE: ReadonlySet<string> = new Set(MAPPING_KEYS.filter((key) => key === 'kind' || !IDENTITY_KEYS.has(key)))

function requireEditable(key: string): void {
  if (!EDITABLE.has(key)) throw new Error(`'${key}': expected one of ${[...EDITABLE].join(', ')}`)
}

function withSettings(fields: Readonly<Record<string, string>>, settings: readonly string[]): Record<string, string> {
  const changed = settings.map((setting): [string, string] => {
    const at = setting.indexOf('=')
    if (at < 1) throw new Error(`--set '${setting}': expected key=value, such as observed_at=2026-02-28`)
    const key = setting.slice(0, at).trim()
    requireEditable(key)
    return [key, setting.slice(at + 1).trim()]
  })
  return { ...fields, ...Object.fromEntries(changed) }
}

/** A record that reads well alone, such as one of a conflict, must not be recorded as it is. */
function requireChange(
  id: string,
  before: Readonly<Record<string, string>>,
  fields: Readonly<Record<string, string>>,
): void {
  const keys = new Set([...Object.keys(before), ...Object.keys(fields)])
  if ([...keys].some((key) => before[key] !== fields[key])) return
  throw new Error(`parked record '${id}': nothing was changed, expected another text of one key at least`)
}

/** Reads corrected texts as the file of the record was read. Throws with the reason when they are refused again. */
function readAgain(
  { now }: Pick<Catalog, 'now'>,
  { before, source, fields }: Readonly<{ before: ReadAs; source: SourceAt; fields: Readonly<Record<string, string>> }>,
): Candidate {
  const { sourceId, name, region, url, kind } = source
  const reader = new CandidateReader({
    mapping: {
      columns: Object.fromEntries([...EDITABLE].map((key) => [key, key as MappingKey])),
      constants: {},
      guessed: [],
    },
    decimal: before.decimal,
    isDecimalGiven: true,
    dateOrder: before.date_order,
    hasTwoDigitYears: false,
    defaults: {
      source: name,
      sourceId,
      kind,
      ...(region !== null && { region }),
      ...(url !== null && { sourceUrl: url }),
      notAfter: latestObservation(now()),
    },
  })
  const read = reader.read({ position: '', raw: '', fields })
  if ('content' in read) return read
  throw new Error(`${read.reason}: ${read.detail}`)
}
