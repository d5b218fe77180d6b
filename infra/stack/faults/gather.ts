import { TOPICS, type Topic } from '@catalog/core/events/topics.ts'
import { openMirror } from '@catalog/mirror/mirror.ts'
import { isFound, readPrices } from '@catalog/stack/faults/system/readers.ts'
import type { System } from '@catalog/stack/faults/system/system.ts'
import { readTables } from '@catalog/stack/model/tables.ts'
import type { FeedLine } from '@catalog/stack/model/verdict.ts'
import { answerOf, feedState } from '@catalog/stack/servers/command.ts'
import type { Shown } from './judge.ts'

/** Reads what the catalog shows at the end. The mirror that followed all the time makes one more pass. */
export async function gather(system: System): Promise<Shown> {
  const { base, options, store, mirrorFolder } = system
  using mirror = openMirror({ url: base, scope: 'items', into: mirrorFolder })
  const { state } = await mirror.sync()
  const { gen, seq, root } = await readServedDigest(base)
  const { ok } = (await answerOf(['verify'], options)) as { ok: boolean }
  return {
    tables: await readTables((sql) => store().query(sql)),
    texts: {
      observations: await readLog(system, TOPICS.observations),
      decisions: (await readLog(system, TOPICS.decisions)).flat(),
      items: (await readLog(system, TOPICS.items)).flat(),
    },
    generation: gen,
    read: new Map([['items', await readFeed(base)]]),
    mirror: { scope: 'items', rows: new Map([...mirror.items()].map((item) => [item.id, item.state])) },
    mirrored: { gen: state.gen, seq: state.seq },
    digest: { seq, root },
    prices: new Map((await readPrices(base)).map(([name, cents]) => [name, String(cents)])),
    isVerified: ok,
    isSearchBack: await isFound(base),
  }
}

/** The generation and the last digest of items that the server names; before the first digest, `seq` is -1. */
export async function readServedDigest(base: string): Promise<{ gen: string; seq: number; root: string }> {
  const { gen, digest } = await feedState(base)
  const { seq = -1, state_root: root = '' } = digest?.scopes.items ?? {}
  return { gen, seq, root }
}

/** The texts of a topic by partition. */
async function readLog({ log }: System, topic: Topic): Promise<string[][]> {
  const partitions: string[][] = []
  for (const { partition, next } of await log.partitions(topic)) {
    const texts: string[] = []
    while (BigInt(texts.length) < next)
      texts.push(...(await log.read(topic, partition, BigInt(texts.length), 1_000)).map(({ value }) => value))
    partitions[partition] = texts
  }
  return partitions
}

/** All changes of the feed, as NDJSON. */
async function readFeed(base: string): Promise<FeedLine[]> {
  const changes: FeedLine[] = []
  for (;;) {
    const address = `${base}/feeds/items.atom?since=${changes.at(-1)?.seq ?? 0}&limit=1000`
    const response = await fetch(address, { headers: { accept: 'application/x-ndjson' } })
    const text = response.status === 200 ? (await response.text()).trim() : ''
    if (response.status !== 200 && response.status !== 304) throw new Error(`${address}: ${response.status}`)
    if (text === '') return changes
    changes.push(...text.split('\n').map((line) => JSON.parse(line) as FeedLine))
  }
}
