import { canonicalJson } from '@catalog/core/digest.ts'
import { eventId } from '@catalog/core/events/ids.ts'
import type { Licence, SourceLicensed } from '@catalog/core/events/sources.ts'
import { TOPICS } from '@catalog/core/events/topics.ts'
import { instant } from '@catalog/core/time.ts'
import type { SourceSpec } from '@catalog/crawler/sources/sources-file.ts'
import { appendEvents } from '@catalog/log/append-events.ts'
import type { EventLog } from '@catalog/log/log.ts'

type Deps = Readonly<{
  log: Pick<EventLog, 'append'>
  /** The licence of a source in force; null without one. */
  licenceOf: (sourceId: string) => Promise<Licence | null>
  now: () => Date
}>

/** States the licence of a source file's source in the log, unless the same is in force. A file without one takes none back. */
export async function recordLicence(
  { id, licence }: Pick<SourceSpec, 'id' | 'licence'>,
  { log, licenceOf, now }: Deps,
): Promise<void> {
  if (licence === undefined || canonicalJson(licence) === canonicalJson(await licenceOf(id))) return
  const at = instant(now())
  const content = {
    type: 'SourceLicensed',
    v: 1,
    decided_at: at,
    source_id: id,
    licence,
  } satisfies Omit<SourceLicensed, 'event_id' | 'recorded_at'>
  const event = { ...content, event_id: eventId(content), recorded_at: at }
  await appendEvents(log, TOPICS.decisions, [{ key: `${id}/`, event }])
}
