import { setTimeout as delay } from 'node:timers/promises'
import type { System } from '@catalog/stack/faults/system/system.ts'
import type { ElasticsearchServer } from '@catalog/stack/servers/elasticsearch.ts'
import { between, type Injects } from './injection.ts'

/** Faults of the search index. The store never waits for it, so the bound holds while each lasts, too. */

const BUSY = `{"error":"too many requests","status":429}`

export const INDEX_FAULTS: Injects = {
  async 'index-away'(system, { random, injected }) {
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
  async 'index-deleted'(system, { injected }) {
    const { url } = server(system)
    const response = await fetch(`${url}/_cat/indices/catalog-*?format=json`)
    const names = ((await response.json()) as { index: string }[]).map((found) => found.index)
    injected()
    const deleted = await fetch(`${url}/${names.join(',')}`, { method: 'DELETE' })
    if (names.length === 0 || !deleted.ok) throw new Error(`expected to delete indices: ${names} ${deleted.status}`)
    return names.join(', ')
  },
  async 'index-read-only'(system, { injected }) {
    injected()
    await block(system, true)
    await delay(15_000)
    await block(system, null)
    return 'index.blocks.write'
  },
  async 'index-busy'({ servers: { proxies } }, { injected }) {
    injected()
    const head = 'HTTP/1.1 429 Too Many Requests\r\ncontent-type: application/json\r\nconnection: close'
    proxies.elasticsearch?.fault({ answer: `${head}\r\ncontent-length: ${BUSY.length}\r\n\r\n${BUSY}` })
    await delay(10_000)
    proxies.elasticsearch?.fault(null)
    return '429'
  },
}

const server = ({ servers }: System) => servers.elasticsearch as ElasticsearchServer

async function block(system: System, isBlocked: true | null): Promise<void> {
  const response = await fetch(`${server(system).url}/catalog-*/_settings`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ 'index.blocks.write': isBlocked }),
  })
  if (!response.ok) throw new Error(`expected to set index.blocks.write: ${response.status}`)
}
