import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { outage } from '@catalog/stack/replica/outage.ts'
import { readHosts } from '@catalog/stack/replica/read-hosts.ts'
import { itemsOf, openServed } from '@catalog/stack/replica/server.ts'
import { exitOnSignals } from '@catalog/stack/servers/machine.ts'

/**
 * Long runs against `catalog serve` on a real PostgreSQL, bounded and on loopback only.
 *
 * `publications`: readers poll while publications commit. Law: a request that begins 250 ms after a commit shows it,
 * and every answer shows whole publications. `outage`: PostgreSQL is stopped under constant readers. Law: no public read
 * fails or changes, and a publication shows soon after the database is back. `read-hosts`: three servers, each with a
 * replica of its own, follow a publication of 100,000 changes. Law: mirrors of all three have one root.
 */
const SOAKS = { publications, outage, 'read-hosts': readHosts }

type Options = Readonly<{ publications: number; minutes: number; say: (line: string) => unknown }>

/** Longest delay from a commit to its first visible answer. */
const VISIBLE_MS_MAX = 250
const ITEMS_AT_ONCE = 20
const READERS = 4
/** Pause between two publications, so that readers see most of them. */
const PUBLICATION_PAUSE_MS = 50

async function publications({ publications, say }: Options): Promise<object> {
  await using served = await openServed()
  const { publish, base } = served
  await publish(itemsOf(0, 0, ITEMS_AT_ONCE))
  const committedAtMs = [performance.now()]
  // Readers begin when the first publication must be visible.
  await delay(VISIBLE_MS_MAX)
  let stop = false
  const staleMs: number[] = []
  let torn = 0
  const readers = Array.from({ length: READERS }, async () => {
    while (!stop) {
      const begunMs = performance.now()
      const { items } = (await (await fetch(`${base}/items?limit=${ITEMS_AT_ONCE}`)).json()) as {
        items: { name: string }[]
      }
      const shown = new Set(items.map(({ name }) => Number(name.split(' ').at(-1))))
      if (shown.size !== 1 || items.length !== ITEMS_AT_ONCE) torn += 1
      // Age of the first committed publication that this answer lacks.
      const missing = committedAtMs[Math.min(...shown) + 1]
      staleMs.push(missing === undefined ? 0 : Math.max(0, begunMs - missing))
    }
  })
  for (let n = 1; n <= publications; n++) {
    await publish(itemsOf(n, 0, ITEMS_AT_ONCE))
    committedAtMs.push(performance.now())
    if (n % 100 === 0) say(`${n} publications, ${staleMs.length} answers`)
    await delay(PUBLICATION_PAUSE_MS)
  }
  stop = true
  await Promise.all(readers)
  staleMs.sort((a, b) => a - b)
  const at = (share: number) => Math.round(staleMs[Math.floor((staleMs.length - 1) * share)] as number)
  const result = { publications, answers: staleMs.length, torn, stale_ms: { p50: at(0.5), p99: at(0.99), max: at(1) } }
  if (torn > 0 || at(1) > VISIBLE_MS_MAX)
    throw new Error(`expected no torn answer and at most ${VISIBLE_MS_MAX} ms: ${JSON.stringify(result)}`)
  return result
}

exitOnSignals()
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    publications: { type: 'string', default: '1000' },
    minutes: { type: 'string', default: '10' },
    json: { type: 'boolean' },
  },
})
const soak = SOAKS[positionals[0] as keyof typeof SOAKS]
const [count, minutes] = [Number(values.publications), Number(values.minutes)]
if (soak === undefined || !(count >= 1) || !(minutes > 0 && minutes <= 60)) {
  process.stderr.write(
    'usage: npm run soak -- publications [--publications N] | outage [--minutes M, at most 60] | read-hosts [--json]\n',
  )
  process.exitCode = 2
} else {
  const say = (line: string) => process.stderr.write(`${line}\n`)
  const result = await soak({ publications: count, minutes, say })
  process.stdout.write(`${values.json ? '' : 'held: '}${JSON.stringify(result)}\n`)
}
