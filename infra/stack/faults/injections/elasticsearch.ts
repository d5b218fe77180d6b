import { setTimeout as delay } from 'node:timers/promises'
import type { System } from '@catalog/stack/faults/system/system.ts'
import type { ElasticsearchServer } from '@catalog/stack/servers/elasticsearch.ts'
import { between, type Injection } from './injection.ts'

/** Faults of the search index. The store never waits for it, so the bound holds while each lasts, too. */

const BOUND_SECONDS = 10
const NEVER_WAITS = 'the store does not wait; search says 503 or finds; older documents replace no newer ones'
const BUSY = `{"error":"too many requests","status":429}`

const index = (fault: Omit<Injection, 'kind' | 'needs' | 'invariant' | 'boundSeconds'>): Injection => ({
  kind: 'index',
  needs: ['index'],
  invariant: NEVER_WAITS,
  boundSeconds: BOUND_SECONDS,
  ...fault,
})

export const INDEX_FAULTS: readonly Injection[] = [
  index({
    name: 'index-away',
    how: 'SIGKILL of Elasticsearch, away for 20 to 40 s',
    seconds: 50,
    async inject(system, { random, injected }) {
      const awayMs = between(20, 40, random)
      injected()
      await server(system).stop()
      await delay(awayMs)
      // A busy machine may need longer than one start is given: like a service manager, try again.
      await server(system)
        .start()
        .catch(() => server(system).start())
      return `for ${awayMs} ms and its start`
    },
  }),
  index({
    name: 'index-deleted',
    how: 'every index is deleted by hand',
    seconds: 2,
    async inject(system, { injected }) {
      const { url } = server(system)
      const response = await fetch(`${url}/_cat/indices/catalog-*?format=json`)
      const names = ((await response.json()) as { index: string }[]).map((found) => found.index)
      injected()
      const deleted = await fetch(`${url}/${names.join(',')}`, { method: 'DELETE' })
      if (names.length === 0 || !deleted.ok) throw new Error(`expected to delete indices: ${names} ${deleted.status}`)
      return names.join(', ')
    },
  }),
  index({
    name: 'index-read-only',
    how: 'indices refuse writes for 15 s, so that each document of a bulk request fails by itself',
    seconds: 15,
    async inject(system, { injected }) {
      injected()
      await block(system, true)
      await delay(15_000)
      await block(system, null)
      return 'index.blocks.write'
    },
  }),
  index({
    name: 'index-busy',
    how: 'every request gets 429 for 10 s',
    seconds: 10,
    async inject({ servers: { proxies } }, { injected }) {
      injected()
      const head = 'HTTP/1.1 429 Too Many Requests\r\ncontent-type: application/json\r\nconnection: close'
      proxies.elasticsearch?.fault({ answer: `${head}\r\ncontent-length: ${BUSY.length}\r\n\r\n${BUSY}` })
      await delay(10_000)
      proxies.elasticsearch?.fault(null)
      return '429'
    },
  }),
]

const server = ({ servers }: System) => servers.elasticsearch as ElasticsearchServer

async function block(system: System, isBlocked: true | null): Promise<void> {
  const response = await fetch(`${server(system).url}/catalog-*/_settings`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ 'index.blocks.write': isBlocked }),
  })
  if (!response.ok) throw new Error(`expected to set index.blocks.write: ${response.status}`)
}
