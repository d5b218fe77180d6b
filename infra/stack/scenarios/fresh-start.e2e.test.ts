import { mkdtempDisposableSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, startCatalog } from '@catalog/stack/servers/command.ts'
import { expect, test, vi } from 'vitest'

/** Outlasts a start on a busy machine. */
const LOOKING = { interval: 50, timeout: 240_000 }

test('a first start with the sample answers at once, tells how far it is, and is ready when a search finds', async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'catalog-fresh-'))
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const asked = (path: string, headers: Record<string, string> = {}) => fetch(`${origin}${path}`, { headers })
  await using server = startCatalog(['up', '--sample', '--json', '--port', String(port)], {
    data: join(folder.path, 'data'),
    createsStore: true,
  })
  let isReady = false
  const ready = server.firstLine.then(() => {
    isReady = true
  })
  const pages = new Set<string>()
  const refusals = new Set<string>()
  await vi.waitUntil(async () => {
    const page = await asked('/', { accept: 'text/html', 'accept-language': 'es' }).catch(() => undefined)
    if (page?.status === 503) {
      const text = await page.text()
      expect(text).toContain('<meta http-equiv="refresh" content="2">')
      pages.add(/<strong>(.*?)<\/strong>/.exec(text)?.[1] ?? text)
      const refused = await asked('/v1/items').catch(() => undefined)
      if (refused?.status === 503) {
        expect(refused.headers.get('retry-after')).toBe('2')
        const { error, retry_after_seconds } = (await refused.json()) as Record<string, unknown>
        refusals.add(`${error} ${retry_after_seconds}`)
      }
      expect((await asked('/livez').catch(() => undefined))?.status ?? 200).toBe(200)
    }
    return isReady
  }, LOOKING)
  await ready
  expect([...pages][0]).toBe('El catálogo se está iniciando.')
  expect([...pages].filter((text) => /^Cargando la muestra: \d+ %$/.test(text)).length).toBeGreaterThan(2)
  expect([...refusals]).toEqual(['not_ready 2'])

  expect((await asked('/readyz')).status).toBe(200)
  const { results } = (await (await asked('/v1/search?q=cemento%2025%20kg&region=ES')).json()) as {
    results: { name: string }[]
  }
  expect(results[0]?.name.toLowerCase()).toContain('cemento')
  server.kill('SIGTERM')
  expect((await server.finished).code).toBe(0)
})
