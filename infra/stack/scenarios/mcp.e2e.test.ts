import { execFile } from 'node:child_process'
import { mkdtempDisposableSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { addressOf, answerOf, freePort, type Running, startCatalog } from '@catalog/stack/servers/command.ts'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

/** A foreign client of the older revision against the real command. */
const LIST = `sku;name;unit;price;currency;trust score;category
N1;Cement CEM II 42.5 25 kg;bag;5.20;EUR;60;Masonry
N2;Ceramic brick 24x12x7;u;0.45;EUR;60;Masonry
`

const folder = mkdtempDisposableSync(join(tmpdir(), 'catalog-mcp-'))
const data = join(folder.path, 'data')
let server: Running
let base: string
let key: string

beforeAll(async () => {
  const list = join(folder.path, 'north.csv')
  writeFileSync(list, LIST)
  await answerOf(['crawl', list, '--source', 'North', '--region', 'ES', '--observed-at', '2025-01-05'], { data })
  await answerOf(['aggregate', '--as-of', '2025-01-06'], { data })
  server = startCatalog(['up', '--json', '--port', String(await freePort())], { data })
  base = (await addressOf(server)).replace(/\/v1$/, '')
  await answerOf(['workspace', 'create', 'demo'], { data })
  key = ((await answerOf(['keys', 'issue', '--workspace', 'demo', '--name', 'agent'], { data })) as { key: string }).key
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  folder.remove()
})

const rest = async (path: string) =>
  (await fetch(`${base}/v1${path}`, { headers: { authorization: `Bearer ${key}` } })).json() as Promise<object>

async function connected(): Promise<Client> {
  const client = new Client({ name: 'judge', version: '1.0.0' })
  const requestInit = { headers: { authorization: `Bearer ${key}` } }
  const transport = new StreamableHTTPClientTransport(new URL(`${base}/api/mcp`), { requestInit })
  // The client's types are not exact about optional members.
  await client.connect(transport as unknown as Parameters<Client['connect']>[0])
  return client
}

type Found = { results: { id: string; name: string }[]; citations: object[] }
type Detail = {
  item: { id: string; name: string }
  vendors: {
    source: { name: string; url: string | null }
    observed_at: string
    price: { cents: number; currency: string }
  }[]
}
type Content = { type: string; text?: string }[]

describe('an agent of revision 2025-11-25', () => {
  test('searches, reads an item, and cites it', async () => {
    const client = await connected()
    try {
      expect(client.getServerVersion()).toMatchObject({ name: 'construction-catalog' })
      expect(client.getServerCapabilities()).toMatchObject({ tools: {}, resources: {} })
      expect((await client.listTools()).tools).toHaveLength(5)
      // The client compares every answer with the schema that the tool declares.
      const found = await client.callTool({ name: 'search_catalog', arguments: { q: 'cement 25 kg', region: 'ES' } })
      const { results, citations } = found.structuredContent as Found
      const item = results.find(({ name }) => name.startsWith('Cement'))
      expect(citations.length).toBe(results.length)
      const read = await client.callTool({ name: 'get_item', arguments: { id: item?.id } })
      expect(read.structuredContent).toEqual(await rest(`/items/${item?.id}`))
      const [text] = read.content as Content
      for (const words of ['5.20 EUR', '2025-01-05']) expect(text?.text).toContain(words)
      const categories = await client.callTool({ name: 'list_categories', arguments: {} })
      expect(categories.structuredContent).toEqual(await rest('/categories'))
      const none = await client.callTool({ name: 'get_decomposition', arguments: { id: item?.id } })
      expect([none.isError, (none.content as Content)[0]?.text]).toEqual([
        true,
        expect.stringContaining('recipe_not_found'),
      ])
      const lines = [{ text: 'Cement 25 kg', unit: 'ud', quantity: 4 }]
      const bill = await client.callTool({ name: 'price_bill', arguments: { lines, region: 'ES' } })
      expect(bill.structuredContent).toMatchObject({ line_count: 1, lines: [{ item: { id: item?.id } }] })
      const { contents } = await client.readResource({ uri: `catalog://items/${item?.id}` })
      expect(contents[0]).toMatchObject({ mimeType: 'text/markdown', text: expect.stringContaining('5.20 EUR') })
      const ref = { type: 'ref/resource' as const, uri: 'catalog://items/{id}' }
      const { completion } = await client.complete({ ref, argument: { name: 'id', value: 'ci_' } })
      expect(completion.values).toContain(item?.id)
    } finally {
      await client.close()
    }
  })
})

test('docs/mcp.md leads in three commands from nothing to an item, with every price, source and date', async () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/mcp.md'), 'utf8')
  const block = /```sh\n([\s\S]*?)```/.exec(page)?.[1] as string
  expect(
    block
      .replaceAll(/\\\n|\$\(\n/g, '')
      .trim()
      .split('\n'),
  ).toHaveLength(3)
  // The documented script, except for names in use, the server's address and the data folder.
  const script = block.replaceAll('http://127.0.0.1:8080', base).replaceAll('demo', 'shown')
  const path = `${join(import.meta.dirname, '../../../node_modules/.bin')}${delimiter}${process.env.PATH}`
  const env = { ...process.env, PATH: path, CATALOG_DATA: data, AGGREGATE_CRON: '0 0 29 2 *' }
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], { env })
  const message = JSON.parse(/^data: (.*)$/m.exec(stdout)?.[1] as string) as {
    result: { structuredContent: Detail; content: Content }
  }
  const { structuredContent, content } = message.result
  expect(structuredContent).toEqual(await rest(`/items/${structuredContent.item.id}`))
  const { item, vendors } = structuredContent
  expect(vendors.length).toBeGreaterThan(0)
  const text = content[0]?.text ?? ''
  expect(text).toContain(item.name)
  const address = /<(\S+\/v1\/\S+)>/.exec(text)?.[1] as string
  const whole = await (await fetch(address, { headers: { accept: 'text/markdown' } })).text()
  for (const { source, observed_at, price } of vendors) {
    const shown = [
      source.name,
      observed_at,
      ...(source.url === null ? [] : [source.url]),
      `${(price.cents / 100).toFixed(2)} ${price.currency}`,
    ]
    for (const words of shown) expect(whole).toContain(words)
  }
})

test('the server ends at once while agents are connected', async () => {
  const client = await connected()
  expect(server.kill('SIGTERM')).toBe(true)
  expect((await server.finished).code).toBe(0)
  await client.close()
})
