import { setTimeout as delay } from 'node:timers/promises'
import { asBefore, longestStallMs, type Place, readWhile } from '@catalog/stack/replay/readers.ts'
import { untilReplicated } from '@catalog/stack/servers/command.ts'
import { itemId, itemsOf, mirrorRoot, openServed } from './server.ts'

/** Items of the catalog; every one of a place's pages holds some. */
const ITEMS = 3_000
/** From the database's return to an answer with a publication that followed it. */
const CAUGHT_UP_MS_MAX = 5_000

/** Stops PostgreSQL under constant readers, starts it again, and publishes. Throws when a read fails or changes. */
export async function outage({ minutes, say }: { minutes: number; say: (line: string) => unknown }): Promise<object> {
  await using served = await openServed()
  const { base, postgres, publish } = served
  for (let from = 0; from < ITEMS; from += 1_000) await publish(itemsOf(0, from, from + 1_000))
  await served.endRun()
  await untilReplicated(base)
  const root = await mirrorRoot(served)
  const places = placesOf()
  const judge = await asBefore(base, places)
  const { tally } = await readWhile({ base, places, judge }, async () => {
    await postgres.stop()
    say(`PostgreSQL is stopped for ${minutes} minutes`)
    await delay(minutes * 60_000)
    await postgres.start()
  })
  const backMs = performance.now()
  const isSameRoot = (await mirrorRoot(served)) === root
  await publish(itemsOf(1, 0, 10))
  const shown = async () => (await (await fetch(`${base}/items/${itemId(0)}`)).text()).includes('of publication 1')
  while (!(await shown())) await delay(20)
  const caughtUpMs = Math.round(performance.now() - backMs)
  const { reads, shed, failed, mixed } = tally
  const longestMs = Math.round(longestStallMs(tally, { fromMs: 0, toMs: backMs }))
  const result = {
    minutes,
    reads,
    failed: failed.length,
    changed: mixed.length,
    shed,
    longest_answer_ms: longestMs,
    caught_up_ms: caughtUpMs,
    is_same_root: isSameRoot,
  }
  if (failed.length + mixed.length > 0 || caughtUpMs > CAUGHT_UP_MS_MAX || !isSameRoot)
    throw new Error(`expected no failed or changed read: ${JSON.stringify(result)} ${[...failed, ...mixed][0] ?? ''}`)
  return result
}

/** Public reads of every kind that a replica answers; `{future}` keeps a cache from answering. */
const placesOf = (): Place[] => [
  ...Array.from({ length: 20 }, (_, n) => ({ path: `/items?limit=${n + 5}` })),
  { path: '/items?region=ES&q=item&sort=updated' },
  { path: '/items?updated_since={future}' },
  ...Array.from({ length: 20 }, (_, n) => ({ path: `/items/${itemId(n * 37)}` })),
  { path: `/items/${itemId(5)}?price_region=ES` },
  { path: `/items/${itemId(6)}`, accept: 'text/markdown' },
  { path: `/items/${itemId(7)}/history` },
  { path: '/categories' },
  { path: '/feeds/state.json' },
  { path: '/feeds/items.atom' },
  { path: '/feeds/items.rss?since=2500' },
  { path: '/feeds/region/es' },
]
