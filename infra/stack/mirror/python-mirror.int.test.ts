import { mkdtempDisposableSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import {
  endorsementsOf,
  type FeedKey,
  keysJson,
  newKeyPair,
  type SigningKey,
  signedBy,
  signingKeyOf,
} from '@catalog/core/changes/signature.ts'
import { HOUR_MS } from '@catalog/core/time.ts'
import { writeTree } from '@catalog/mirror/tree/tree.ts'
import { randomOf } from '@catalog/sample-files/seeded-random.ts'
import { pythonAvailable, pythonWith } from '@catalog/stack/servers/fetched/python.ts'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type ModelOrigin, openModelOrigin } from './mirror-model.ts'
import {
  type Behaviour,
  broken,
  cut,
  type ModelServer,
  runPython,
  serveFolder,
  serveModel,
  status,
} from './mirror-server.ts'

/** The client of clients/python-mirror over real HTTP, against an origin in memory and a misbehaving proxy. */
const PACKAGE = resolve(import.meta.dirname, '../../../clients/python-mirror')
const PACKAGES = { name: 'mirror-python', requirements: join(PACKAGE, 'requirements.txt') }
const missing = pythonAvailable(PACKAGES)
if (missing !== null) process.stderr.write(`skipped: ${missing}\n`)

const SOURCES = join(PACKAGE, 'src')
/** The command, whose retries do not wait. */
const COMMAND = `
import sys
sys.path.insert(0, ${JSON.stringify(SOURCES)})
import ccm_mirror.__main__ as command
from ccm_mirror.downloads import Downloads
def impatient(limits):
    return Downloads(limits._replace(bytes_max=1_000_000, stall_seconds=3.0), wait=lambda seconds: None)
command.Downloads = impatient
sys.exit(command.main())
`

let python: string
let origin: ModelOrigin
let server: ModelServer
let stack: AsyncDisposableStack
let night: number
let root: string
beforeAll(async () => {
  if (missing === null) python = await pythonWith(PACKAGES)
})
beforeEach(async () => {
  stack = new AsyncDisposableStack()
  night = 0
  origin = openModelOrigin({ pageSize: 5 })
  server = stack.use(await serveModel(origin))
  root = stack.adopt(mkdtempDisposableSync(join(tmpdir(), 'mirror-')), (made) => made.remove()).path
  publishNights(3)
})
afterEach(() => stack.disposeAsync())

/** Every item changes every night; one leaves ES, one goes or is merged. */
function publishNights(nights: number): void {
  for (let published = 0; published < nights; published++) {
    night += 1
    for (let item = 0; item < 8; item++) {
      const regions = item === night % 8 ? ['EU'] : ['ES', 'EU']
      origin.publish({ item, cents: (item * 7 + night * 13) % 97, regions, name: `Ladrillo ${item} <"&'> \u{1f9f1}` })
    }
    origin.remove({ item: (night + 3) % 8, into: night % 2 === 0 ? null : 7 })
    origin.mark()
  }
}

type Passed = Readonly<{
  gen: string
  seq: number
  applied: number
  restart: string | null
  repaired: number
  requests: number
  proved: { seq: number; root: string } | null
  keys: readonly string[]
}>
const run = async (
  args: readonly string[] = [],
  { url = server.url, copy = 'copy.db', scope = 'items' } = {},
): Promise<Passed> =>
  JSON.parse(await runPython(COMMAND, [url, join(root, copy), '--scope', scope, '--json', ...args], python)) as Passed

function rows(copy = 'copy.db'): Map<unknown, unknown> {
  using db = new DatabaseSync(join(root, copy), { readOnly: true })
  return new Map(
    db
      .prepare('select id, state from items')
      .all()
      .map(({ id, state }) => [id, state]),
  )
}
function position(copy = 'copy.db'): { gen: string; seq: number } {
  using db = new DatabaseSync(join(root, copy), { readOnly: true })
  const found = db.prepare("select value from meta where name = 'position'").get() as { value: string }
  const [gen, seq] = JSON.parse(found.value) as [string, number]
  return { gen, seq }
}
function damage(sql: string): void {
  using db = new DatabaseSync(join(root, 'copy.db'))
  db.exec(sql)
}
const theirs = (scope = 'items') => origin.stateAt({ gen: origin.gen(), scope, seq: origin.head(scope) })
const stateNow = () => JSON.parse(origin.answer(`${origin.baseUrl}/feeds/state.json`).body.toString())
const rootAtMark = (scope = 'items'): string => stateNow().digest.scopes[scope].state_root
const altered = (prefix: string, alter: (text: string) => string): Behaviour => {
  return (path, { body }) => (path.startsWith(prefix) ? { body: Buffer.from(alter(body.toString())) } : undefined)
}

describe.skipIf(missing !== null)('a copy', () => {
  test.each(['items', 'region/ES'])('of %s follows changes, and an idle poll is one 304', async (scope) => {
    expect(await run([], { scope })).toMatchObject({ restart: 'zero', seq: origin.head(scope) })
    publishNights(1)
    expect(await run([], { scope })).toMatchObject({ restart: null, proved: { root: rootAtMark(scope) } })
    expect(rows()).toEqual(theirs(scope))
    server.forget()
    expect(await run([], { scope })).toMatchObject({ applied: 0, requests: 1 })
    expect(server.asked).toEqual(['state.json'])
  })

  test('begins at the snapshot where changes are gone, and again in a new generation', async () => {
    origin.snapshot()
    origin.trim(2)
    publishNights(1)
    expect(await run([], { scope: 'region/EU' })).toMatchObject({ restart: 'snapshot', repaired: 0 })
    expect(rows()).toEqual(theirs('region/EU'))
    origin.resize(7)
    origin.snapshot()
    publishNights(1)
    const { gen, restart } = await run([], { scope: 'region/EU' })
    expect([gen, restart]).toEqual([origin.gen(), 'snapshot'])
    expect(rows()).toEqual(theirs('region/EU'))
  })

  test('of a new generation without a snapshot replaces its rows only at the head', async () => {
    await run()
    const before = rows()
    origin.resize(7)
    publishNights(1)
    const last = `archive/${origin.gen()}/items/${stateNow().scopes.items.closed - 1}.atom`
    server.behave = altered(last, (text) => text.replace('"cents":', '"cents":1'))
    await expect(run()).rejects.toThrow('sha256 of the state')
    expect(rows()).toEqual(before)
    server.behave = () => undefined
    expect(await run()).toMatchObject({ restart: 'zero', gen: origin.gen() })
    expect(rows()).toEqual(theirs())
  })

  test('is held instead of replaced by less, until a person accepts the generation', async () => {
    await run()
    const before = rows()
    origin.resize(7)
    origin.remove({ item: 1, into: null })
    origin.mark()
    origin.snapshot()
    await expect(run()).rejects.toThrow(`accept it by --accept-generation ${origin.gen()}`)
    expect(rows()).toEqual(before)
    expect(await run(['--accept-generation', origin.gen()])).toMatchObject({ gen: origin.gen() })
    expect(rows()).toEqual(theirs())
  })

  test('is made from plain files, also those of a region', async () => {
    origin.snapshot()
    origin.trim(1)
    publishNights(1)
    const tree = join(root, 'tree')
    await writeTree({ url: server.url, tree, into: join(root, 'copies'), scopes: [], wait: async () => {} })
    await using files = await serveFolder(tree)
    for (const scope of ['items', 'region/ES']) {
      const given = { url: files.url, copy: `${scope.length}.db`, scope }
      expect(await run([], given)).toMatchObject({ proved: { root: rootAtMark(scope) } })
      expect(rows(given.copy)).toEqual(theirs(scope))
      expect(await run([], given)).toMatchObject({ applied: 0, requests: 1 })
    }
  })
})

describe.skipIf(missing !== null)('rot in the file of a copy', () => {
  beforeEach(async () => {
    origin.snapshot()
    publishNights(1)
    await run()
  })

  test.each([
    ['altered', "update items set state = replace(state, 'ES', 'EE'), sha256 = 'ff' where id like 'ci_c%'"],
    ['lost', "delete from items where id like 'ci_c%'"],
    ['made up', "insert into items values ('ci_zz', 7, 'ff', '{}')"],
  ])('a row that is %s is made again at the next mark', async (_what, sql) => {
    damage(sql)
    expect(await run(['--verify'])).toMatchObject({ repaired: 1, proved: { root: rootAtMark() } })
    expect(rows()).toEqual(theirs())
  })

  test('a text that changed below its hash is found by --verify, also between marks', async () => {
    origin.publish({ item: 2, cents: 5, regions: ['ES'], name: 'After the mark' })
    await run()
    damage("update items set state = replace(state, 'ES', 'EE') where id like 'ci_c%'")
    expect(await run()).toMatchObject({ repaired: 0 })
    expect(await run(['--verify'])).toMatchObject({ repaired: 1 })
    expect(rows()).toEqual(theirs())
    expect(await run(['--verify'])).toMatchObject({ repaired: 0 })
  })

  test('a digest that is wrong changes nothing', async () => {
    const before = rows()
    server.behave = altered('state.json', (text) => text.replaceAll(rootAtMark(), 'a'.repeat(64)))
    await expect(run(['--verify'])).rejects.toThrow(/digest.*expected a{64}/)
    expect(rows()).toEqual(before)
  })
})

describe.skipIf(missing !== null)('a failure', () => {
  test.each<[string, Behaviour]>([
    ['a connection that breaks', broken],
    ['a body that ends too soon', cut],
    ['status 500', status(500)],
    ['status 429', status(429, { 'retry-after': '7' })],
  ])('%s, once for each document, is waited for', async (_what, behave) => {
    const seen = new Set<string>()
    server.behave = (path, answer) => {
      if (seen.has(path)) return undefined
      seen.add(path)
      return behave(path, answer)
    }
    expect(await run()).toMatchObject({ seq: origin.head('items') })
    expect(rows()).toEqual(theirs())
  })

  test.each<[string, Behaviour, RegExp]>([
    ['a connection that always breaks', broken, /unreachable.*\/0\.atom.*\(attempt 2\)/],
    ['a body that always ends too soon', cut, /contradiction.*document: expected Atom/],
    ['status 500 for ever', status(500), /status 500 \(attempt 2\)/],
    ['status 403', status(403), /status 403 \(attempt 1\)/],
    ['a wait of an hour', status(429, { 'retry-after': '3600' }), /\(attempt 1\); .* in 3600 s/],
    ['a page that is gone', status(410), /unsettled.*status 410/],
    ['another host', status(302, { location: 'http://127.0.0.2:1/x' }), /redirect to http:\/\/127\.0\.0\.2:1/],
    [
      'a redirect to itself',
      (path) => ({ status: 307, headers: { location: `/v1/feeds/${path}` } }),
      /more than 3 redirects/,
    ],
    ['a missing answer', () => () => {}, /timed out \(attempt 2\)/],
    ['a body without end', () => (response) => void response.end(Buffer.alloc(2_000_000)), /more than 1000000 bytes/],
    ['an entity', altered('archive', (text) => text.replace('?>', '?><!DOCTYPE x>')), /document type/],
  ])('%s, for ever, ends the pass and changes nothing', async (_what, behave, says) => {
    server.behave = (path, answer) => (path.startsWith('archive') ? behave(path, answer) : undefined)
    await expect(run(['--attempts', '2'])).rejects.toThrow(says)
    expect(rows()).toEqual(new Map())
    server.behave = () => undefined
    expect(await run()).toMatchObject({ seq: origin.head('items') })
  })
})

describe.skipIf(missing !== null)('a stale or rewritten answer', () => {
  /** The document as it is now, even to requests that bypass caches. */
  const kept = (document: string): Behaviour => {
    const { body } = origin.answer(`${origin.baseUrl}/feeds/${document}`)
    return (path) => (path === document ? { body } : undefined)
  }

  test('of state.json never moves a copy back', async () => {
    const stale = kept('state.json')
    publishNights(1)
    const { seq } = await run()
    server.behave = stale
    await expect(run()).rejects.toThrow(/unsettled.*head of state.json/)
    expect(rows()).toEqual(theirs())
    server.behave = () => undefined
    expect(await run()).toMatchObject({ seq, applied: 0 })
  })

  test('of a former generation brings no copy back to it', async () => {
    const stale = kept('state.json')
    origin.resize(7)
    await run()
    server.behave = stale
    await expect(run()).rejects.toThrow(/unsettled.*gen of state.json/)
  })

  test('of the subscription is waited for', async () => {
    await run()
    server.behave = kept('items.atom')
    origin.publish({ item: 1, cents: 99, regions: ['ES'], name: 'N1' })
    await expect(run()).rejects.toThrow(/unsettled.*numbers of the document/)
    server.behave = () => undefined
    expect(await run()).toMatchObject({ applied: 1 })
  })

  test('at an equal head with another chain stops: history was rewritten', async () => {
    const { seq } = await run()
    const { chain } = stateNow().scopes.items
    server.behave = altered('state.json', (text) => text.replaceAll(chain, 'a'.repeat(64)))
    await expect(run()).rejects.toThrow(/contradiction.*history was rewritten/)
    server.behave = () => undefined
    expect(await run()).toMatchObject({ seq })
  })
})

describe.skipIf(missing !== null)('an origin that signs', () => {
  const at = (hours: number) => `${new Date(Date.now() + hours * HOUR_MS).toISOString().slice(0, 19)}Z`
  const listed = (endorsers: readonly SigningKey[] = []) => {
    const pair = newKeyPair()
    const key = { id: pair.id, public_key: pair.publicKey, created_at: at(-100) }
    const endorsements = endorsementsOf(endorsers, { catalog: CATALOG, key })
    return { ...signingKeyOf(pair), entry: { ...key, signs_until: null, endorsements } satisfies FeedKey }
  }
  const CATALOG = 'cat-of-tests'
  const ALPHA = listed()
  const BETA = listed([ALPHA])
  const GAMMA = listed()
  const KEYS = keysJson({ catalog: CATALOG, keys: [ALPHA, BETA, GAMMA].map(({ entry }) => entry) })
  /** Signs state.json from now on; `members` replace some before that. */
  const sign = (keys: readonly SigningKey[], { catalog = CATALOG, ...members }: Record<string, string> = {}) => {
    const fresh = { generated_at: at(-1), valid_until: at(47), keys: 'keys.json', ...members }
    server.behave = (path, { body }) => {
      if (path === 'keys.json') return (response) => void response.end(KEYS)
      if (path !== 'state.json') return undefined
      const state = { ...JSON.parse(body.toString()), ...fresh }
      return { body: Buffer.from(JSON.stringify({ ...state, ...signedBy({ catalog, keys }, 'state', state) })) }
    }
  }

  test('is pinned at first contact, and its next key is trusted by an endorsement', async () => {
    sign([ALPHA])
    expect(await run()).toMatchObject({ keys: [ALPHA.id, BETA.id].sort(), seq: origin.head('items') })
    publishNights(1)
    sign([BETA])
    expect(await run()).toMatchObject({ seq: origin.head('items') })
    expect(rows()).toEqual(theirs())
  })

  test.each<[string, () => void, string]>([
    ['takes its signatures away', () => (server.behave = () => undefined), 'signatures: expected'],
    ['signs by a key that nobody endorsed', () => sign([GAMMA]), 'right ones by'],
    ['says that it is another catalog', () => sign([ALPHA], { catalog: 'another' }), 'catalog: expected'],
    ['keeps a state that has expired', () => sign([ALPHA], { valid_until: at(-0.5) }), 'valid_until'],
    ['goes back to a former state', () => sign([ALPHA], { generated_at: at(-9) }), 'generated_at'],
  ])('is refused when it %s', async (_what, then, says) => {
    sign([ALPHA])
    const { seq } = await run()
    publishNights(1)
    then()
    await expect(run()).rejects.toThrow(says)
    expect(rows()).toEqual(origin.stateAt({ gen: origin.gen(), scope: 'items', seq }))
  })

  test('must have the key that the user names', async () => {
    sign([BETA])
    await expect(run(['--key', GAMMA.id])).rejects.toThrow('right ones by')
    expect(await run(['--key', ALPHA.id])).toMatchObject({ seq: origin.head('items') })
  })

  test('is asked again where a 304 would confirm a state that has expired', async () => {
    sign([ALPHA])
    await run()
    damage("update meta set value = json_set(value, '$.valid_until', '2026-01-01T00:00:00Z') where name = 'trust'")
    expect(await run()).toMatchObject({ applied: 0, requests: 2 })
    expect(await run()).toMatchObject({ applied: 0, requests: 1 })
  })
})

test.skipIf(missing !== null)('the client answers every test vector', async () => {
  const runTests =
    'import sys, unittest; sys.exit(not unittest.TextTestRunner().run(unittest.defaultTestLoader.discover(sys.argv[1])).wasSuccessful())'
  await runPython(runTests, [join(PACKAGE, 'tests')], python)
})

describe.skipIf(missing !== null)('random histories with caches that are behind', () => {
  const ROUNDS = 12
  const CHANGES_MAX = 14
  const NAMES = ['a', '<"&> \u{1f9f1} e\u0301\u2028', ']]>']
  const REGIONS = [['ES'], ['EU'], ['ES', 'EU'], []]

  /** One thing that happens at the origin, from a random number below. */
  function happen(below: (limit: number) => number): void {
    const kind = below(30)
    const item = below(7)
    if (kind < 18) {
      const [regions, name] = [REGIONS[below(4)] as string[], NAMES[below(3)] as string]
      origin.publish({ item, cents: 1 + below(4), regions, name })
    } else if (kind < 21) origin.remove({ item, into: below(2) === 0 ? null : below(7) })
    else if (kind < 26) origin.mark()
    else if (kind === 26) origin.snapshot()
    else if (kind === 27) origin.trim(1 + below(2))
    else if (kind === 28 && below(3) === 0) origin.resize(1 + below(5))
    else if (kind === 29) origin.backup()
    else if (below(4) === 0) origin.restore()
  }

  test.each([1, 2])('seed %s: the copy is a state of the origin, and never goes back', async (seed) => {
    const random = randomOf(seed)
    const below = (limit: number) => Math.floor(random() * limit)
    const cache = new Map<string, Buffer>()
    let staleShare = 0
    server.behave = (path, { status, body }) => {
      const old = cache.get(path)
      if (old !== undefined && random() < staleShare) return { body: old }
      if (status === 200) cache.set(path, body)
      return undefined
    }
    let before = { gen: '', seq: -1 }
    let current = 0
    origin.backup()
    for (let round = 0; round < ROUNDS; round++) {
      for (let left = below(CHANGES_MAX); left >= 0; left--) happen(below)
      staleShare = [0, 0.3, 0.7][round % 3] as number
      const accepted = ['--accept-generation', origin.gen()]
      await run(accepted).catch((error) => {
        // A cache may be behind for as long as it likes; nothing else may stop the client.
        if (staleShare === 0 || !/"(unsettled|unreachable)"/.test(String(error))) throw error
      })
      const now = position()
      expect(rows(), `round ${round}`).toEqual(origin.stateAt({ ...now, scope: 'items' }))
      expect(now.gen > before.gen || (now.gen === before.gen && now.seq >= before.seq)).toBe(true)
      before = now
      if (staleShare > 0) continue
      expect(now).toEqual({ gen: origin.gen(), seq: origin.head('items') })
      current += 1
    }
    expect(current).toBe(ROUNDS / 3)
  })
})
