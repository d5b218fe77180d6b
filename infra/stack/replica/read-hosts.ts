import { setTimeout as delay } from 'node:timers/promises'
import { feedState, untilReplicated } from '@catalog/stack/servers/command.ts'
import { type Host, itemsOf, mirrorRoot, openCatalogStore, startHost } from './server.ts'

const HOSTS = 3
const ITEMS = 100_000
/** As large as batches of the projector. */
const BATCH_ITEMS = 1_000
const POLL_MS = 10

/**
 * Publishes a change of every item to three hosts with a replica each. Throws unless the mirrors of all have one root. The
 * result tells when all had the last change, and the processor time that it cost each.
 */
export async function readHosts({ say }: { say: (line: string) => unknown }): Promise<object> {
  await using catalog = await openCatalogStore()
  const publishAll = async (publication: number) => {
    for (let from = 0; from < ITEMS; from += BATCH_ITEMS)
      await catalog.publish(itemsOf(publication, from, from + BATCH_ITEMS))
  }
  await publishAll(0)
  await using running = new AsyncDisposableStack()
  const startedMs = performance.now()
  const starting = Array.from({ length: HOSTS }, async () => running.use(await startHost(catalog.postgres.url)))
  const hosts = await Promise.all(starting)
  const filledMs = Math.round(performance.now() - startedMs)
  say(`${HOSTS} hosts hold ${ITEMS} items after ${filledMs} ms`)

  const before = hosts.map((host) => host.cpuSeconds())
  await publishAll(1)
  await catalog.endRun()
  const publishedMs = performance.now()
  // The digest comes last: it is made of the marked state.
  const markOf = async ({ base }: Host) => (await feedState(base)).digest?.scopes.items.seq ?? 0
  for (const host of hosts) {
    while ((await markOf(host)) < 2 * ITEMS) await delay(POLL_MS)
    await untilReplicated(host.base)
  }
  const shownMs = Math.round(performance.now() - publishedMs)
  const cpuSeconds = hosts.map((host, n) => Math.round((host.cpuSeconds() - (before[n] as number)) * 10) / 10)
  const roots = new Set<string>()
  for (const host of hosts) roots.add(await mirrorRoot(host))
  const result = { hosts: HOSTS, items: ITEMS, filled_ms: filledMs, shown_ms: shownMs, cpu_seconds: cpuSeconds }
  if (roots.size !== 1) throw new Error(`expected one root, ${[...roots].join(', ')}: ${JSON.stringify(result)}`)
  return { ...result, roots: roots.size }
}
