import { canonicalJson } from '@catalog/core/digest.ts'
import type { ParkedResolved, RecordParked } from '@catalog/core/events/crawls.ts'
import { vendorSkuIdOf } from '@catalog/core/events/ids.ts'
import { type Queryable, rowsParameter } from '@catalog/store/db.ts'
import type { LoggedEvent } from '@catalog/store/logged-event.ts'

export type DeadLetterRow = Readonly<{
  parked_id: string
  origin: 'crawler' | 'projector'
  topic: string
  partition: number
  offset: bigint
  source_id?: string | null
  crawl_id?: string | null
  position?: string | null
  reason: string
  detail: string
  raw: string
  raw_sha256?: string | null
  /** {@link ReadAs} as canonical JSON. */
  read_as?: string | null
  vendor_sku_id?: string | null
  observed_at?: string | null
  recorded_at?: string | null
}>

export async function insertDeadLetters(tx: Queryable, rows: readonly DeadLetterRow[]): Promise<void> {
  if (rows.length === 0) return
  await tx.query(
    `insert into parked (parked_id, origin, topic, partition, "offset", source_id, crawl_id, position, reason, detail, raw, raw_sha256,
       read_as, vendor_sku_id, observed_at, recorded_at)
     select * from jsonb_to_recordset($1::jsonb) as batch (parked_id text, origin text, topic text, partition int,
       "offset" bigint, source_id text, crawl_id text, position text, reason text, detail text, raw text, raw_sha256 text,
       read_as text, vendor_sku_id text, observed_at timestamptz, recorded_at timestamptz)
     order by parked_id, "offset" on conflict (parked_id) do nothing`,
    [rowsParameter(rows)],
  )
}

export function deadLetterRow(topic: string, { event, partition, offset }: LoggedEvent<RecordParked>): DeadLetterRow {
  const { read_as, vendor_ref, ...rest } = event
  return {
    ...rest,
    raw_sha256: event.raw_sha256 ?? null,
    observed_at: event.observed_at ?? null,
    read_as: read_as === undefined ? null : canonicalJson(read_as),
    vendor_sku_id: vendor_ref === undefined ? null : vendorSkuIdOf(event.source_id, vendor_ref),
    parked_id: event.event_id,
    origin: 'crawler',
    topic,
    partition,
    offset,
  }
}

export async function insertResolutions(tx: Queryable, records: readonly LoggedEvent<ParkedResolved>[]): Promise<void> {
  if (records.length === 0) return
  await tx.query(
    `insert into parked_resolutions (parked_id, event_id, resolution, reason, recorded_at)
     select * from jsonb_to_recordset($1::jsonb)
       as batch (parked_id text, event_id text, resolution text, reason text, recorded_at timestamptz)
     order by parked_id, recorded_at, event_id
     on conflict (parked_id) do nothing`,
    [rowsParameter(records.map(({ event }) => event))],
  )
}
