import { EDITION } from '@catalog/core/events/fields.ts'
import { eventId } from '@catalog/core/events/ids.ts'
import { type SourceRef, type SourceRegistered, TRUST_DEFAULT, validityDaysOf } from '@catalog/core/events/sources.ts'
import { TOPICS } from '@catalog/core/events/topics.ts'
import type { Candidate, ObservationContent, Registration } from '@catalog/formats/mapping/candidate.ts'
import type { EventLog } from '@catalog/log/log.ts'
import { EventBatch } from './crawl-events.ts'

/** A source of an input, and how many of its records the crawl has counted as what. */
export type Tally = {
  ref: SourceRef
  registration: Registration | null
  read: number
  appended: number
  duplicates: number
  parked: number
}

/** More sources in one input mean that the wrong column is mapped. */
export const SOURCES_MAX = 10_000

/** The sources of one input in order of appearance. The first reference to a source fixes its name and address. */
export class Tallies {
  readonly #byId = new Map<string, Tally>()

  get all(): readonly Tally[] {
    return [...this.#byId.values()]
  }

  get withObservations(): readonly SourceRef[] {
    return this.all.flatMap(({ ref, registration }) => (registration === null ? [] : [ref]))
  }

  get isEmpty(): boolean {
    return this.#byId.size === 0
  }

  /** The tally that counts records of refused sources. Expects that the survey found a source. */
  get first(): Tally {
    return this.#byId.values().next().value as Tally
  }

  /** The tally of a source that {@link of} gave. */
  known(sourceId: string): Tally {
    return this.#byId.get(sourceId) as Tally
  }

  /** The tally of a source, new or known; null when it would be one more than {@link SOURCES_MAX}. */
  of(ref: SourceRef): Tally | null {
    const known = this.#byId.get(ref.id)
    if (known !== undefined) return known
    if (this.#byId.size >= SOURCES_MAX) return null
    const tally: Tally = { ref, registration: null, read: 0, appended: 0, duplicates: 0, parked: 0 }
    this.#byId.set(ref.id, tally)
    return tally
  }

  total(key: 'read' | 'appended' | 'duplicates' | 'parked'): number {
    return this.all.reduce((sum, tally) => sum + tally[key], 0)
  }
}

/** The content with its edition, under the reference to its source that holds for the whole input. */
export function contentOf({ content, edition }: Candidate, tally: Tally): ObservationContent {
  const isEdition = edition !== undefined && EDITION.test(edition)
  if (content.source === tally.ref && !isEdition) return content
  return { ...content, source: tally.ref, ...(isEdition && { edition }) }
}

/** The settings that the first crawl of a source registers. */
export function settingsOf({ kind, trust = TRUST_DEFAULT, validity, validityDays }: Registration) {
  return {
    trust_score: trust,
    ...(validity !== undefined && { validity }),
    validity_days: validityDays ?? validityDaysOf(kind, validity !== undefined),
    kind,
    enabled: true,
  }
}

type RegisterDeps = Readonly<{
  log: Pick<EventLog, 'append'>
  registeredSources: (ids: readonly string[]) => Promise<ReadonlySet<string>>
}>

/** Registers the sources that have observations and are not registered yet. */
export async function registerSources(tallies: Tallies, deps: RegisterDeps, recordedAt: string): Promise<void> {
  const withObservations = tallies.all.filter(({ registration }) => registration !== null)
  const registered = await deps.registeredSources(withObservations.map(({ ref }) => ref.id))
  const batch = new EventBatch(deps.log, TOPICS.decisions)
  for (const { ref, registration } of withObservations) {
    if (registration === null || registered.has(ref.id)) continue
    const content = {
      type: 'SourceRegistered',
      v: 1,
      decided_at: recordedAt,
      source: ref,
      ...settingsOf(registration),
    } satisfies Omit<SourceRegistered, 'event_id' | 'recorded_at'>
    await batch.add(ref.id, { ...content, event_id: eventId(content), recorded_at: recordedAt })
  }
  await batch.flush()
}
