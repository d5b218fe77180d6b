import { setTimeout as delay } from 'node:timers/promises'
import type { NetworkFault, ServerProxy } from '@catalog/stack/faults/system/proxy.ts'
import type { System } from '@catalog/stack/faults/system/system.ts'
import { between, type Injection, type InjectionContext, oneOf } from './injection.ts'

/** Faults of the network, by the proxies. */

const BOUND_SECONDS = 15

export const NETWORK_FAULTS: readonly Injection[] = [
  {
    name: 'lost-commit',
    kind: 'network',
    how: 'a third of the replies to COMMIT is lost for 10 s, and the connection reset',
    invariant: 'the phantom commit is recognised: nothing is applied twice',
    needs: [],
    seconds: 10,
    boundSeconds: BOUND_SECONDS,
    async inject({ servers: { proxies } }, { random, injected }) {
      const before = proxies.postgres.lostCommits()
      await disturb([proxies.postgres], { lostCommits: { share: 1 / 3, random } }, { injected, forMs: 10_000 })
      return `${proxies.postgres.lostCommits() - before} replies lost`
    },
  },
  {
    name: 'slow-network',
    kind: 'network',
    how: 'every chunk from and to every server waits 20 to 100 ms, for 10 s',
    invariant: 'latency alone; backpressure holds memory',
    needs: [],
    seconds: 10,
    boundSeconds: BOUND_SECONDS,
    async inject(system, { random, injected }) {
      const latencyMs = between(0.02, 0.1, random)
      await disturb(all(system), { latencyMs }, { injected, forMs: 10_000 })
      return `${latencyMs} ms`
    },
  },
  {
    name: 'slow-fsync',
    kind: 'network',
    how: 'every reply to COMMIT waits 0.2 to 1 s, for 10 s',
    invariant: 'latency alone',
    needs: [],
    seconds: 10,
    boundSeconds: BOUND_SECONDS,
    async inject({ servers: { proxies } }, { random, injected }) {
      const commitMs = between(0.2, 1, random)
      await disturb([proxies.postgres], { commitMs }, { injected, forMs: 10_000 })
      return `${commitMs} ms`
    },
  },
  {
    name: 'narrow-network',
    kind: 'network',
    how: 'connections to PostgreSQL carry 200 kB/s, for 10 s',
    invariant: 'backpressure holds memory',
    needs: [],
    seconds: 10,
    boundSeconds: BOUND_SECONDS,
    async inject({ servers: { proxies } }, { injected }) {
      await disturb([proxies.postgres], { bytesPerSecond: 200_000 }, { injected, forMs: 10_000 })
      return '200 kB/s'
    },
  },
  {
    name: 'half-open',
    kind: 'network',
    how: 'replies of one server vanish for 10 s while requests arrive; then every connection is reset',
    invariant: 'what the server did without an answer is recognised',
    needs: [],
    seconds: 10,
    boundSeconds: BOUND_SECONDS,
    async inject(system, { random, injected }) {
      const { name, proxies } = oneOf(sides(system), random)
      await disturb(proxies, { silent: 'replies' }, { injected, forMs: 10_000, resets: true })
      return name
    },
  },
  {
    name: 'partition',
    kind: 'network',
    how: 'nothing passes to or from one server for 10 s, and new connections are reset',
    invariant: 'catches up without a hand',
    needs: [],
    seconds: 10,
    boundSeconds: BOUND_SECONDS,
    async inject(system, { random, injected }) {
      const { name, proxies } = oneOf(sides(system), random)
      await disturb(proxies, { silent: 'both', isRefusing: true }, { injected, forMs: 10_000, resets: true })
      return name
    },
  },
  {
    name: 'resets',
    kind: 'network',
    how: 'every connection to every server is reset, three times',
    invariant: 'work goes on by new connections',
    needs: [],
    seconds: 5,
    boundSeconds: BOUND_SECONDS,
    async inject(system, { random, injected }) {
      injected()
      for (let left = 3; left > 0; left--) {
        for (const proxy of all(system)) proxy.reset()
        await delay(between(0.3, 2, random))
      }
      return 'three times'
    },
  },
]

type Length = Readonly<{ injected: InjectionContext['injected']; forMs: number; resets?: boolean }>

async function disturb(proxies: readonly ServerProxy[], fault: NetworkFault, { injected, forMs, resets }: Length) {
  injected()
  for (const proxy of proxies) proxy.fault(fault)
  await delay(forMs)
  for (const proxy of proxies) {
    proxy.fault(null)
    if (resets) proxy.reset()
  }
}

/** PostgreSQL, each broker that has a proxy, and Elasticsearch. */
function sides({ servers: { proxies } }: System): { name: string; proxies: ServerProxy[] }[] {
  return [
    { name: 'PostgreSQL', proxies: [proxies.postgres] },
    ...proxies.kafka.map((proxy, i) => ({ name: `broker ${i + 1}`, proxies: [proxy] })),
    ...(proxies.elasticsearch ? [{ name: 'Elasticsearch', proxies: [proxies.elasticsearch] }] : []),
  ]
}

const all = (system: System) => sides(system).flatMap(({ proxies }) => proxies)
