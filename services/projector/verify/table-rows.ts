import type { Heads } from '@catalog/core/changes/change.ts'
import { SCOPES } from '@catalog/core/changes/protocol.ts'
import { sha256Bytes, sha256Hex } from '@catalog/core/digest.ts'
import { vendorSkuIdOf } from '@catalog/core/events/ids.ts'
import type { ObservationRecorded } from '@catalog/core/events/observations.ts'
import { TOPICS, type Topic } from '@catalog/core/events/topics.ts'
import {
  FACT_TABLES,
  type FactTable,
  factPages,
  type ObservationFact,
  observationPages,
  redeliveryPages,
  retractedPages,
} from '@catalog/store/builds/verify.ts'
import type { Store } from '@catalog/store/db.ts'
import { changeValue, numberValue } from './items.ts'
import { type Ledger, rowText } from './ledger.ts'
import { deliveryValue, numberKey, observationValue, termsOf } from './vendor.ts'

/** The records of a partition from one offset up to the next. */
export type Range = Readonly<{ topic: Topic; partition: number; earliest: bigint; from: bigint; next: bigint }>

type Reading = Readonly<{
  store: Store
  ledger: Ledger
  start: readonly Range[]
  paced: (count: number) => Promise<void>
}>

/** Enters the rows of all tables into the ledger. */
export async function enterTables({
  heads,
  floors,
  ...reading
}: Reading & Readonly<{ heads: Heads; floors: ReadonlyMap<string, bigint> }>): Promise<void> {
  await enterObservations(reading)
  for (const table of FACT_TABLES) {
    if (table === 'decisions') {
      const next = reading.start.find(({ topic }) => topic === TOPICS.decisions)?.next ?? 0n
      await enterFacts(table, reading, { where: `"offset" < $1`, parameters: [next] })
    } else if (table === 'changes') {
      const parameters = [heads.scopes.get('items')?.rseq ?? 0n]
      await enterFacts(table, reading, { where: 'seq <= $1', parameters })
    } else if (table === 'numbers') {
      for (const scope of SCOPES) {
        const parameters = [scope, floors.get(scope) ?? 0n, heads.scopes.get(scope)?.rseq ?? 0n]
        await enterFacts(table, reading, { where: 'scope = $1 and rseq >= $2 and rseq <= $3', parameters })
      }
    } else await enterFacts(table, reading)
  }
}

async function enterObservations({ store, ledger, start, paced }: Reading): Promise<void> {
  const partitions = start.filter(({ topic }) => topic === TOPICS.observations)
  for (const range of partitions) {
    for await (const page of observationPages(store, range)) {
      for (const row of page) enterObservation(ledger, row)
      await paced(page.length)
    }
    for await (const page of redeliveryPages(store, range)) {
      for (const { id, crawlId, offset, recordedAt } of page) {
        ledger.addRow(
          'deliveries',
          `${id} ${crawlId}`,
          deliveryValue({ partition: range.partition, offset, recordedAt }),
        )
      }
      await paced(page.length)
    }
  }
  const positions = Object.fromEntries(partitions.map(({ partition, next }) => [String(partition), String(next)]))
  for await (const page of retractedPages(store, positions)) {
    for (const { id } of page) ledger.addRow('retracted', id, 'retracted')
    await paced(page.length)
  }
}

async function enterFacts(
  table: FactTable,
  { store, ledger, paced }: Reading,
  cut?: { where: string; parameters: readonly unknown[] },
): Promise<void> {
  for await (const page of factPages(store, table, cut)) {
    for (const { key, columns } of page) {
      const words = key.map((word) => (typeof word === 'bigint' ? numberKey(word) : word)).join(' ')
      // Terms without a price are no fact: they only name what prices refer to.
      if (table === 'price terms' && !ledger.has(table, words, 'log')) continue
      ledger.addRow(table, words, rowValue(table, columns))
    }
    await paced(page.length)
  }
}

function rowValue(table: FactTable, columns: Record<string, unknown>): string {
  if (table === 'changes') return changeValue(columns as Parameters<typeof changeValue>[0])
  if (table === 'numbers') return numberValue(columns as Parameters<typeof numberValue>[0])
  if (table !== 'items') return rowText(columns)
  const { public_state, regions, markets } = columns as { public_state: string; regions: string[]; markets: string[] }
  // Hash the bytes: the stored hash proves nothing.
  return rowText({
    ...columns,
    public_state: sha256Bytes(public_state),
    regions: [...regions].sort(),
    markets: [...markets].sort(),
  })
}

/** Checks the columns of an observation against its payload, and the payload against the id. */
function enterObservation(ledger: Ledger, row: ObservationFact): void {
  const { id, payload, sourceId, crawlId, recordedAt, observation } = row
  const value = observationValue({ sourceId: sourceId as string, id, sha: sha256Hex(payload) })
  const wrong = Object.entries(columnsOf(payload)).flatMap(([name, says]) => {
    const holds = row[name as 'skuId' | 'cents' | 'observedAt' | 'termsKey']
    return String(holds) === String(says) ? [] : [[name, holds]]
  })
  ledger.addRow('observations', id, wrong.length === 0 ? value : `${value}, ${rowText(Object.fromEntries(wrong))}`)
  const [partition, offset] = [Number(observation >> 48n), observation & ((1n << 48n) - 1n)]
  ledger.addRow('deliveries', `${id} ${crawlId}`, deliveryValue({ partition, offset, recordedAt }))
}

function columnsOf(payload: string) {
  try {
    const event = JSON.parse(payload) as ObservationRecorded
    return {
      skuId: vendorSkuIdOf(event.source.id, event.vendor_ref),
      cents: event.price.cents,
      observedAt: event.observed_at,
      termsKey: termsOf(event).key,
    }
  } catch {
    // The hash of the payload differs already.
    return {}
  }
}
