import { joinNewItems } from '@catalog/aggregator/matching/join.ts'
import { matchNewSkus } from '@catalog/aggregator/matching/match.ts'
import { beginRun } from '@catalog/aggregator/run.ts'
import type { Bench } from '@catalog/bench/harness/report.ts'
import { offerOf } from '@catalog/bench/workload/products.ts'
import { openJoinRule } from '@catalog/cli/shared/wire.ts'
import type { ObservationRecorded } from '@catalog/core/events/observations.ts'
import { observationKey, TOPICS } from '@catalog/core/events/topics.ts'
import { endOf } from '@catalog/log/log.ts'
import { openTableLog } from '@catalog/log/table.ts'
import { drain } from '@catalog/projector/pump.ts'
import { vendorProjection } from '@catalog/projector/vendor.ts'
import { startPostgres } from '@catalog/stack/servers/postgres.ts'
import { openStore, type Store } from '@catalog/store/db.ts'
import { migrate } from '@catalog/store/migrations/migrate.ts'
import { SERVER_SETTINGS } from './project.ts'

/** `--items N,M` sets both sizes of the catalog. */
export const matchBench: Bench = {
  title: '100,000 new SKUs matched against 1,000,000 items, beside the same against 100,000',
  async run(say, { isBrief = false, items = isBrief ? BRIEF_SIZES : SIZES } = {}) {
    const [few = 100_000, many = 1_000_000] = items
    const skus = isBrief ? BRIEF_NEW_SKUS : NEW_SKUS
    await using server = await startPostgres(SERVER_SETTINGS)
    await using store = await openStore({ kind: 'postgres', connection: { url: server.url } })
    await migrate(store)
    const catalog = await openCatalog(store)
    const takenMs: number[] = []
    let filled = 0
    for (const [round, size] of [few, many].entries()) {
      say(`the catalog grows to ${size} items ...`)
      for (; filled < size; filled += FILLED_AT_ONCE) {
        const end = Math.min(size, filled + FILLED_AT_ONCE)
        await catalog.record(numbers(filled, end).map((product) => offerOf(product, 'ES')))
        await catalog.match()
      }
      await catalog.beginRun()
      await store.query('analyze')

      await catalog.record(newOffers(skus, { size, round, ofMany: many }))
      const begun = performance.now()
      const { matched, founded } = await catalog.match()
      const matchedMs = performance.now() - begun
      const { joined, proposed } = await catalog.join()
      takenMs.push(performance.now() - begun)
      const seconds = [matchedMs, takenMs.at(-1) as number].map((ms) => (ms / 1000).toFixed(1))
      say(
        `${size} items: ${matched} SKUs matched (${founded} founded items) in ${seconds[0]} s; ` +
          `with ${joined} joins and ${proposed} proposals in ${seconds[1]} s`,
      )
      if (matched !== skus) throw new Error(`${matched} SKUs were matched, expected ${skus}`)
      if (joined + proposed === 0)
        throw new Error('no SKU found its product, expected the same products by other names')
      await catalog.beginRun()
    }
    const [besideMs, oursMs] = takenMs as [number, number]
    const stage = `${skus} new SKUs against ${many} items`
    return [
      { stage, figure: Math.round(oursMs / 100) / 10, unit: 's', max: SECONDS_MAX },
      { stage, beside: `the same against ${few} items`, oursMs, besideMs, ratioMax: 1.3 },
    ]
  },
}

const SIZES = [100_000, 1_000_000]
const BRIEF_SIZES = [500, 1_000]
const NEW_SKUS = 100_000
const BRIEF_NEW_SKUS = 500
const SECONDS_MAX = 120
const FILLED_AT_ONCE = 50_000
const AS_OF = '2026-02-01T00:00:00Z'

const numbers = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i)

/** British names: seven tenths of products that the catalog has, spread over all of it; the others it has not. */
function newOffers(
  count: number,
  { size, round, ofMany }: { size: number; round: number; ofMany: number },
): ObservationRecorded[] {
  const known = (count * 7) / 10
  return numbers(0, count).map((n) =>
    offerOf(n < known ? Math.floor((n * size) / known) : ofMany + round * count + n, 'GB', round),
  )
}

/** The path from the log to decisions, as `catalog aggregate` wires it; it publishes nothing. */
async function openCatalog(store: Store) {
  const log = await openTableLog(store)
  const rule = openJoinRule()
  const project = async () => {
    await drain({ store, log, projections: [vendorProjection] })
  }
  const shared = async () => ({
    store,
    log,
    cut: { asOf: AS_OF, positions: { [TOPICS.observations]: await endOf(log, TOPICS.observations) } },
    recordedAt: AS_OF,
    catchUp: project,
  })
  let runs = 0
  return {
    async record(offers: readonly ObservationRecorded[]) {
      await log.append(
        TOPICS.observations,
        offers.map((offer) => ({
          key: observationKey(offer.source.id, offer.vendor_ref),
          value: JSON.stringify(offer),
        })),
      )
      await project()
    },
    match: async () => matchNewSkus({ ...(await shared()), blocks: rule.blocks }),
    join: async () => joinNewItems({ ...(await shared()), rule }),
    /** From here on, earlier items are settled. */
    async beginRun() {
      const deps = { ...(await shared()), now: () => new Date(AS_OF), newRunId: () => `run-${++runs}`, holder: 'bench' }
      await beginRun(deps, deps.cut)
    },
  }
}
