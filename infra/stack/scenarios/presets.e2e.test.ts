import { mkdtempDisposableSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, startCatalog } from '@catalog/stack/servers/command.ts'
import { expect, test } from 'vitest'

const SAMPLE = new URL('../../../services/crawler/presets/lists/it-piemonte/sample.csv', import.meta.url)
/** As many as the preset expects of a whole list, and some. */
const WORKS = 1_100

/** The sample of the preset, with as many works as its list has, each with a code, a name and a price of its own. */
function listOf(works: number): string {
  const [headings = '', first = ''] = readFileSync(SAMPLE, 'utf8').split('\n')
  const rows = Array.from({ length: works }, (_, n) =>
    first
      .replace('01.A02.B10.005', `01.A02.B10.${n}`)
      .replace('cm 10', `cm ${n}`)
      .replace('12,4', `${n + 1},4`),
  )
  return [headings, ...rows, ''].join('\n')
}

test('one command leads from a public price list to its pages, with the terms of its publisher', async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'catalog-presets-'))
  const list = join(folder.path, 'prezzario.csv')
  writeFileSync(list, listOf(WORKS))
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const words = ['up', '--preset', 'it-piemonte', '--file', list, '--json']
  await using server = startCatalog([...words, '--port', String(port)], {
    data: join(folder.path, 'data'),
    env: { CATALOG_SOURCES: join(folder.path, 'catalog.sources.yaml') },
  })
  await server.firstLine
  const get = async (path: string) => (await fetch(`${origin}${path}`)).text()
  expect(JSON.parse(await get('/v1/sources/it-piemonte'))).toMatchObject({
    name: 'Regione Piemonte',
    vendor_sku_count: WORKS,
    licence: { name: 'CC-BY-4.0', attribution: 'Regione Piemonte, prezzario regionale' },
    last_crawl: { outcome: 'recorded', read: WORKS },
  })
  expect(JSON.parse(await get('/v1/items?limit=1')).items[0].name).toContain('Demolizione di tramezzi')
  expect(await get('/sources/it-piemonte')).toContain('Regione Piemonte, prezzario regionale')
  expect(readFileSync(join(folder.path, 'catalog.sources.yaml'), 'utf8')).toContain('file: prezzario.csv')
  server.kill('SIGTERM')
  expect((await server.finished).code).toBe(0)
})
