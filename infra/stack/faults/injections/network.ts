import { setTimeout as delay } from 'node:timers/promises'
import type { NetworkFault, ServerProxy } from '@catalog/stack/faults/system/proxy.ts'
import type { System } from '@catalog/stack/faults/system/system.ts'
import { between, type InjectionContext, type Injects, oneOf } from './injection.ts'

/** Faults of the network, by the proxies. */

export const NETWORK_FAULTS: Injects = {
  async 'lost-commit'({ servers: { proxies } }, { random, injected }) {
    const before = proxies.postgres.lostCommits()
    await disturb([proxies.postgres], { lostCommits: { share: 1 / 3, random } }, { injected, forMs: 10_000 })
    return `${proxies.postgres.lostCommits() - before} replies lost`
  },
  async 'slow-network'(system, { random, injected }) {
    const latencyMs = between(0.02, 0.1, random)
    await disturb(all(system), { latencyMs }, { injected, forMs: 10_000 })
    return `${latencyMs} ms`
  },
  async 'slow-fsync'({ servers: { proxies } }, { random, injected }) {
    const commitMs = between(0.2, 1, random)
    await disturb([proxies.postgres], { commitMs }, { injected, forMs: 10_000 })
    return `${commitMs} ms`
  },
  async 'narrow-network'({ servers: { proxies } }, { injected }) {
    await disturb([proxies.postgres], { bytesPerSecond: 200_000 }, { injected, forMs: 10_000 })
    return '200 kB/s'
  },
  async 'half-open'(system, { random, injected }) {
    const { name, proxies } = oneOf(sides(system), random)
    await disturb(proxies, { silent: 'replies' }, { injected, forMs: 10_000, resets: true })
    return name
  },
  async partition(system, { random, injected }) {
    const { name, proxies } = oneOf(sides(system), random)
    await disturb(proxies, { silent: 'both', isRefusing: true }, { injected, forMs: 10_000, resets: true })
    return name
  },
  async resets(system, { random, injected }) {
    injected()
    for (let left = 3; left > 0; left--) {
      for (const proxy of all(system)) proxy.reset()
      await delay(between(0.3, 2, random))
    }
    return 'three times'
  },
}

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
