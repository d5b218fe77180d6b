import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { MirrorError } from '@catalog/mirror/mirror-error.ts'
import { startCatalog } from '@catalog/stack/servers/command.ts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openStage, rowsOf, type Stage, type StageOptions } from './stage.ts'

/** The client of ccm/1 over real HTTP, against an origin in memory and a misbehaving proxy. */
let { stack, origin, server, root, copies, publishNights, mirrorOf, theirs } = {} as Stage
async function begin(options: StageOptions = {}): Promise<void> {
  ;({ stack, origin, server, root, copies, publishNights, mirrorOf, theirs } = await openStage({
    moves: true,
    ...options,
  }))
}
beforeEach(() => begin())
afterEach(() => stack.disposeAsync())

const catalog = (...args: string[]) =>
  stack.use(startCatalog(['mirror', server.url, '--into', copies, '--json', ...args], { data: root }))

test.each(['items', 'region/ES'])('a mirror of %s follows changes, and an idle poll is one 304', async (scope) => {
  publishNights(4)
  const mirror = mirrorOf(scope)
  await mirror.sync()
  expect(rowsOf(mirror)).toEqual(theirs(scope))
  expect(mirror.state()).toMatchObject({ seq: origin.head(scope), proved: { seq: origin.head(scope) } })

  publishNights(1)
  await mirror.sync()
  expect(rowsOf(mirror)).toEqual(theirs(scope))
  server.forget()
  expect(await mirror.sync()).toMatchObject({ applied: 0, requests: 1 })
  expect(server.asked).toEqual(['state.json'])
})

test('a new mirror begins at the snapshot, reads each shard once, and goes on from there', async () => {
  publishNights(3)
  origin.snapshot()
  origin.trim(1)
  publishNights(2)
  const mirror = mirrorOf('region/EU')
  expect(await mirror.sync()).toMatchObject({ restart: 'snapshot' })
  expect(rowsOf(mirror)).toEqual(theirs('region/EU'))
  expect(server.asked.filter((path) => path.endsWith('.gz'))).toHaveLength(256)
})

test("the command reports the copy's position, and the copy is a SQLite file", async () => {
  publishNights(2)
  const { code, stdout } = await catalog('--scope', 'items', '--scope', 'region/ES').finished
  expect(code).toBe(0)
  const { scopes } = JSON.parse(stdout) as { scopes: Record<string, object> }
  expect(scopes).toMatchObject({ items: { seq: origin.head('items') }, 'region/ES': { seq: origin.head('region/ES') } })
  using copy = new DatabaseSync(join(copies, 'region-ES.sqlite'), { readOnly: true })
  expect(copy.prepare('select count(*) as n from items').get()?.n).toBe(theirs('region/ES').size)
})

describe('at a snapshot that has a file for each scope', () => {
  beforeEach(async () => {
    await stack.disposeAsync()
    await begin({ hasScopeFiles: true })
    publishNights(3)
    origin.snapshot()
    origin.trim(1)
  })
  const packed = () => server.asked.filter((path) => path.endsWith('.gz')).map((path) => path.split('/').at(-1))

  test.each([
    ['items', 'items.ndjson.gz'],
    ['region/ES', 'region-ES.ndjson.gz'],
  ])('a new mirror of %s reads that file alone', async (scope, file) => {
    publishNights(1)
    const mirror = mirrorOf(scope)
    expect(await mirror.sync()).toMatchObject({ restart: 'snapshot' })
    expect(packed()).toEqual([file])
    expect(rowsOf(mirror)).toEqual(theirs(scope))
  })

  test('a new mirror of a region without items reads no file', async () => {
    const mirror = mirrorOf('region/UY')
    await mirror.sync()
    expect(packed()).toEqual([])
    expect(mirror.state()).toMatchObject({ count: 0 })
  })

  test('a mirror with one wrong bucket reads one shard', async () => {
    const mirror = mirrorOf()
    await mirror.sync()
    mirror[Symbol.dispose]()
    using copy = new DatabaseSync(join(copies, 'items.sqlite'))
    copy.exec("insert into items values ('ci_zz', 7, 'ff', '{}')")
    server.forget()
    const again = mirrorOf()
    expect(await again.sync()).toMatchObject({ repaired: 1 })
    expect(packed()).toHaveLength(1)
    expect(rowsOf(again)).toEqual(theirs())
  })

  test('a new mirror refuses a wrong file and begins with the right one', async () => {
    server.behave = (path, { body }) => (path.endsWith('.gz') ? { body: withOtherDigit(body, 20) } : undefined)
    const mirror = mirrorOf()
    await expect(mirror.sync()).rejects.toThrow(/items\.ndjson\.gz: sha256: expected/)
    expect(mirror.state()).toBeNull()
    server.behave = () => undefined
    await mirror.sync()
    expect(rowsOf(mirror)).toEqual(theirs())
  })
})

describe('of an origin that answers since', () => {
  beforeEach(async () => {
    await stack.disposeAsync()
    await begin({ answersSince: true })
    publishNights(3)
  })
  const isPage = (path: string) => /^archive|atom$/.test(path)

  test.each([
    ['items', 'items.atom'],
    ['region/ES', 'region/ES'],
  ])('a mirror of %s asks for the few changes that it lacks alone', async (scope, feed) => {
    const mirror = mirrorOf(scope)
    await mirror.sync()
    const seq = origin.head(scope)
    publishNights(1)
    server.forget()
    await mirror.sync()
    const limit = origin.head(scope) - seq
    expect(server.asked).toEqual(['state.json', `${feed}?since=${seq}&gen=${origin.gen()}&limit=${limit}`])
    expect(rowsOf(mirror)).toEqual(theirs(scope))
    expect(mirror.state()).toMatchObject({ seq: origin.head(scope), proved: { seq: origin.head(scope) } })
  })

  test.each([
    [500, 'the pages that caches hold'],
    [50, 'as many in a request, for pages of 50 would take ten'],
  ])('a mirror that lacks many changes of an origin with pages of %i reads %s', async (pageSize) => {
    await stack.disposeAsync()
    await begin({ answersSince: true, pageSize })
    publishNights(3)
    const mirror = mirrorOf()
    await mirror.sync()
    const seq = origin.head('items')
    publishNights(60)
    server.forget()
    await mirror.sync()
    const pages = server.asked.filter(isPage)
    expect(pages.length > 0).toBe(pageSize === 500)
    const requests = server.asked.filter((path) => path !== 'state.json').length
    expect(requests).toBeLessThanOrEqual(Math.ceil((origin.head('items') - seq) / 500) + 1)
    expect(rowsOf(mirror)).toEqual(theirs())
  })

  test('a mirror reads state.json again when the generation changes between the two', async () => {
    const mirror = mirrorOf()
    await mirror.sync()
    publishNights(1)
    server.behave = (path) => {
      if (!path.includes('since=')) return undefined
      server.behave = () => undefined
      origin.resize(7)
      return { status: 409 }
    }
    await mirror.sync()
    expect(mirror.state()).toMatchObject({ gen: origin.gen(), seq: origin.head('items') })
    expect(rowsOf(mirror)).toEqual(theirs())
  })

  test.each<[string, (line: string) => string]>([
    ['a price', (line) => line.replace('"cents":', '"cents":1')],
    ['a chain', (line) => line.replace(/"chain":"[0-9a-f]{4}/, '"chain":"0000')],
    ['an op', (line) => line.replace('"upsert"', '"insert"')],
    ['a number', (line) => line.replace(/"seq":(\d+)/, '"seq":1$1')],
    ['a brace', (line) => line.slice(0, -1)],
  ])('a mirror refuses changes of which %s was altered', async (_what, alter) => {
    const mirror = mirrorOf()
    await mirror.sync()
    const before = [mirror.state(), rowsOf(mirror)]
    publishNights(1)
    server.behave = (path, { body }) => {
      if (!path.includes('since=')) return undefined
      const [first = '', ...rest] = body.toString().split('\n')
      return { body: Buffer.from([alter(first), ...rest].join('\n')), type: 'application/x-ndjson' }
    }
    await expect(mirror.sync()).rejects.toThrow(MirrorError)
    expect([mirror.state(), rowsOf(mirror)]).toEqual(before)
    server.behave = () => undefined
    await mirror.sync()
    expect(rowsOf(mirror)).toEqual(theirs())
  })
})

test('a file server that ignores since sends the subscription once, and is not asked again', async () => {
  publishNights(1)
  const publish = (cents: number) => origin.publish({ item: 1, cents, regions: ['ES'], name: 'Brick' })
  publish(1)
  await mirrorOf().sync()
  const plain = (path: string): string => path.split('?')[0] as string
  const subscription = (path: string) => origin.answer(`${origin.baseUrl}/feeds/${plain(path)}`).body
  server.behave = (path) => (path.includes('?') ? (response) => void response.end(subscription(path)) : undefined)
  const mirror = mirrorOf()
  for (const cents of [2, 3]) {
    const since = `?since=${origin.head('items')}&gen=${origin.gen()}&limit=1`
    publish(cents)
    server.forget()
    await mirror.sync()
    expect(server.asked).toEqual(['state.json', `items.atom${cents === 2 ? since : ''}`])
    expect(rowsOf(mirror)).toEqual(theirs())
  }
})

describe('a proxy that alters one digit', () => {
  test('of an archive ends the command with the seq and changes nothing', async () => {
    publishNights(1)
    expect((await catalog().finished).code).toBe(0)
    const before = mirrorOf()
    const [position, rows] = [before.state(), rowsOf(before)]
    publishNights(3)
    // The price of the first change after the position.
    const seq = (position?.seq ?? 0) + 1
    server.behave = (path, { body }) => {
      if (!path.startsWith('archive/')) return undefined
      const text = body.toString()
      const [entry] = new RegExp(`<ccm:seq>${seq}<.*?</ccm:state>`, 's').exec(text) ?? []
      return entry === undefined
        ? undefined
        : { body: Buffer.from(text.replace(entry, entry.replace('"cents":1', '"cents":2'))) }
    }
    const { code, stdout } = await catalog().finished
    expect(code).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({
      details: expect.stringMatching(`items seq ${seq}: sha256 of the state`),
    })
    expect(before.state()).toEqual(position)
    expect(rowsOf(before)).toEqual(rows)

    server.behave = () => undefined
    expect((await catalog().finished).code).toBe(0)
    expect(rowsOf(before)).toEqual(theirs())
  })

  test('anywhere, in any document, leaves a copy that is a state of the origin', async () => {
    publishNights(2)
    origin.snapshot()
    publishNights(1)
    let random = 3
    const next = (below: number) => {
      random = (random * 48_271) % 2_147_483_647
      return random % below
    }
    let refused = 0
    for (let round = 0; round < ROUNDS; round++) {
      const into = new DatabaseSync(':memory:')
      const mirror = mirrorOf(round % 2 === 0 ? 'items' : 'region/ES', { into })
      if (round % 3 === 0) await mirror.sync()
      if (round % 6 === 0) publishNights(1)
      const kind = KINDS[next(KINDS.length)] as RegExp
      const at = next(1_000_000)
      server.behave = (path, { body }) => (kind.test(path) ? { body: withOtherDigit(body, at) } : undefined)
      const before = mirror.state()
      await mirror.sync().catch((error) => {
        expect(error).toBeInstanceOf(MirrorError)
        refused += 1
      })
      server.behave = () => undefined
      const now = mirror.state()
      if (now === null) expect(rowsOf(mirror).size).toBe(0)
      else {
        expect(rowsOf(mirror), `round ${round}`).toEqual(origin.stateAt(now))
        expect(now.gen).toBe(origin.gen())
        expect(now.seq).toBeGreaterThanOrEqual(before?.seq ?? 0)
      }
      await mirror.sync()
      expect(rowsOf(mirror)).toEqual(theirs(mirror.state()?.scope))
      mirror[Symbol.dispose]()
      into.close()
    }
    expect(refused).toBeGreaterThan(ROUNDS / 3)
  })
})
const ROUNDS = 24
const KINDS = [/^state\.json$/, /^archive/, /^(items\.atom|region)/, /^digest/, /manifest\.json$/, /\.gz$/]

/** The bytes with one decimal digit changed: the first at or after this place, wrapping around. */
function withOtherDigit(body: Buffer, place: number): Buffer {
  const altered = Buffer.from(body)
  for (let i = 0; i < body.length; i++) {
    const at = (place + i) % body.length
    const digit = body[at] as number
    if (digit < 0x30 || digit > 0x39) continue
    altered[at] = digit === 0x39 ? 0x30 : digit + 1
    return altered
  }
  return altered
}
