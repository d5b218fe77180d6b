import { type ChildProcess, spawn } from 'node:child_process'
import { copyFileSync, mkdtempDisposableSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { LIMITS } from '@catalog/api/callers/rate-limits.ts'
import type { Api } from '@catalog/api/server.ts'
import { python, pythonAvailable } from '@catalog/judge/harness/tools.ts'
import { openSampleWeeks, type SampleWeeks } from '@catalog/stack/path/sample-catalog.ts'
import { testApi } from '@catalog/stack/testing/api.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  checkTypes,
  firstExample,
  installTypescriptClient,
  outputOf,
  PYTHON_CLIENT,
  ROOT,
  TYPESCRIPT_CLIENT,
} from './packages.ts'
import { judgePythonClient, makePythonTypes } from './python-client.ts'

/**
 * The published clients, each in a process of its own, read a running catalog of the sample market: TypeScript always,
 * Python where this machine has it.
 */
const missing = await pythonAvailable()
if (missing !== null) process.stderr.write(`skipped: the client in Python: ${missing}\n`)
const NAMES = missing === null ? (['typescript', 'python'] as const) : (['typescript'] as const)

const DAY = '2026-11-20'
const PUBLICATIONS = 4
const BILL = {
  lines: [
    { text: 'Portland cement 25 kg', quantity: 40 },
    { text: 'a unicorn', quantity: 1 },
  ],
  region: 'ES',
}

/** A client's program, to be started with a command of its script. */
type Reader = Readonly<{ program: string; script: string; env: Readonly<Record<string, string>> }>
type Walked = {
  position: { gen: string; seq: number }
  items: string[]
  item: { id: string }
  markdown: string
  bill: object
  unknown: object
}

const folder = mkdtempDisposableSync(join(tmpdir(), 'catalog-clients-'))
const stack = new AsyncDisposableStack()
stack.defer(() => folder.remove())
let weeks: SampleWeeks
let base: string
let packed: readonly string[]
let readers: readonly (readonly [string, Reader])[]

beforeAll(async () => {
  if (missing === null) await makePythonTypes()
  const opening = openSampleWeeks(DAY)
  packed = await installTypescriptClient(folder.path)
  copyFileSync(join(import.meta.dirname, 'walk.mts'), join(folder.path, 'walk.mts'))
  readers = await Promise.all(NAMES.map(async (name) => [name, await READERS[name]()] as const))
  weeks = stack.use(await opening)
  base = await serve({ now: clockFrom(Date.parse(`${DAY}T12:00:00Z`)) })
})
afterAll(() => stack.disposeAsync())

const READERS: Readonly<Record<(typeof NAMES)[number], () => Promise<Reader>>> = {
  typescript: async () => ({ program: process.execPath, script: join(folder.path, 'walk.mts'), env: {} }),
  python: async () => ({
    program: await python(),
    script: join(import.meta.dirname, 'walk.py'),
    env: { PYTHONPATH: join(PYTHON_CLIENT, 'src') },
  }),
}

/** A clock that begins at this instant and runs as real ones do. */
function clockFrom(atMs: number): () => Date {
  const begun = Date.now()
  return () => new Date(atMs + Date.now() - begun)
}

async function serve(deps: Parameters<typeof testApi>[2], listen = (_api: Api) => {}): Promise<string> {
  const api = testApi(weeks.catalog.store, { at: new Date(), advance: () => {} }, deps)
  stack.defer(() => api.close())
  listen(api)
  return `${await api.listen({ host: '127.0.0.1', port: 0 })}/v1`
}

/** The one value that a command of each client prints, by the client's name. */
async function answers<T>(address: string | readonly string[], command: string, ...args: string[]): Promise<T[]> {
  return await Promise.all(
    readers.map(async ([, { program, script, env }], i) => {
      const at = typeof address === 'string' ? address : (address[i] as string)
      return JSON.parse(await outputOf(program, [script, command, at, ...args], folder.path, env)) as T
    }),
  )
}

async function fetched(path: string, init: RequestInit = {}): Promise<Response> {
  const response = await fetch(`${base}${path}`, init)
  expect([path, response.status]).toEqual([path, 200])
  return response
}

describe('the packages', () => {
  test('hold compiled code, its types, and what npm always takes', () => {
    const modules = [...new Set(packed.filter((path) => path.startsWith('dist/')).map((path) => path.split('.')[0]))]
    expect(packed.toSorted()).toEqual(
      [
        ...modules.flatMap((module) => [`${module}.d.ts`, `${module}.js`]),
        'LICENSE',
        'README.md',
        'package.json',
      ].toSorted(),
    )
    expect(modules).toContain('dist/index')
  })

  test('have types for Node, and for browsers and Deno, which know nothing of Node', async () => {
    writeFileSync(join(folder.path, 'example.mts'), firstExample(TYPESCRIPT_CLIENT, 'ts'))
    await Promise.all([
      checkTypes(folder.path, 'example.mts', { node: false }),
      checkTypes(folder.path, 'walk.mts', { node: true }),
    ])
  })

  test('carry the licence of the project', () => {
    const [ours, ...theirs] = [ROOT, TYPESCRIPT_CLIENT, PYTHON_CLIENT].map((place) =>
      readFileSync(join(place, 'LICENSE'), 'utf8'),
    )
    expect(theirs).toEqual([ours, ours])
  })

  test.skipIf(missing !== null)('in Python have types of the document that mypy accepts in a program', async () => {
    expect(await judgePythonClient()).toMatchObject({ verdict: 'passed' })
  })

  test.skipIf(missing !== null)('in Python pass the tests beside them', async () => {
    const args = ['-m', 'pytest', '--quiet', '-p', 'no:cacheprovider']
    expect(await outputOf(await python(), args, PYTHON_CLIENT, { PYTHONDONTWRITEBYTECODE: '1' })).toMatch(
      /^\d+ passed/m,
    )
  })

  test('run the example that their READMEs begin with', async () => {
    const started = (example: string) => example.replace('http://127.0.0.1:8080/v1', base)
    const example = join(folder.path, 'started.mts')
    writeFileSync(example, started(firstExample(TYPESCRIPT_CLIENT, 'ts')))
    const runs = [outputOf(process.execPath, [example], folder.path)]
    if (missing === null) {
      const { program, env } = await READERS.python()
      runs.push(outputOf(program, ['-c', started(firstExample(PYTHON_CLIENT, 'python'))], folder.path, env))
    }
    for (const output of await Promise.all(runs)) expect(output).toMatch(/^ci_\w+ .*\n[\s\S]*a unicorn|cement/)
  })
})

describe('each client', () => {
  test('walks every item once, reads one as JSON and as text, and prices a bill', async () => {
    const walks = await answers<Walked>(base, 'walk', JSON.stringify(BILL))
    const { count } = (
      await weeks.catalog.store.query<{ count: bigint }>(`select count(*) as count from items where state = 'active'`)
    )[0] as { count: bigint }
    const priced = await fetched('/match', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(BILL),
    })
    const bill = (await priced.json()) as { lines: { status: string }[]; prices: object }
    // Each answer states its own instant.
    const likeBill = { ...bill, prices: { ...bill.prices, as_of: expect.stringMatching(`^${DAY}T`) } }
    expect(bill.lines.map(({ status }) => status)).toContain('unmatched')
    for (const walked of walks) {
      expect(new Set(walked.items).size).toBe(walked.items.length)
      expect(walked.items).toHaveLength(Number(count))
      const path = `/items/${walked.items[0]}`
      expect(walked.item).toEqual(((await (await fetched(path)).json()) as { item: object }).item)
      expect(walked.markdown).toBe(await (await fetched(path, { headers: { accept: 'text/markdown' } })).text())
      expect(walked.bill).toEqual(likeBill)
      expect(walked.unknown).toMatchObject({ status: 404, code: 'item_not_found', details: expect.any(String) })
      expect(walked.position.seq).toBe(Number(count))
    }
  })

  test(`follows the feed for ${PUBLICATIONS} publications and misses nothing`, async () => {
    const state = async () =>
      (await (await fetched('/feeds/state.json')).json()) as { gen: string; scopes: { items: { head: number } } }
    const { gen, scopes } = await state()
    const since = scopes.items.head
    const followers = readers.map(([, reader]) => follow(reader, { gen, seq: since }))
    try {
      let changed = 0
      for (let i = 0; i < PUBLICATIONS; i++) {
        const items = await weeks.publishNext()
        expect(items).toBeGreaterThan(0)
        changed += items
      }
      const head = since + changed
      await expect.poll(async () => (await state()).scopes.items.head).toBe(head)
      const feed = await fetched(`/feeds/items.atom?since=${since}`, { headers: { accept: 'application/x-ndjson' } })
      const lines = (await feed.text()).trimEnd().split('\n')
      for (const { changes } of followers) {
        await expect.poll(() => changes.at(-1)?.seq, { timeout: 10_000 }).toBe(head)
        expect(changes.map(({ seq }) => seq)).toEqual(Array.from({ length: changed }, (_, i) => since + i + 1))
        expect(changes.slice(0, lines.length)).toEqual(lines.map((line) => ({ ...JSON.parse(line), gen })))
      }
    } finally {
      for (const { process } of followers) process.kill()
    }
  })

  test('comes back when a limit says so, and stops where that is too late, without one request too many', async () => {
    const limits = { ...LIMITS, anonPerMinute: 3 }
    const served = await Promise.all(readers.map((_, i) => serveLimited(limits, i)))
    const stops = await answers<object>(
      served.map(({ address }) => address),
      'limited',
    )
    for (const [i, stop] of stops.entries()) {
      expect(served[i]?.statuses).toEqual([200, 200, 200, 429, 200, 200, 200, 429])
      expect(stop).toMatchObject({
        items: 60,
        error: { status: 429, code: 'rate_limited_minute', message: expect.stringMatching(/come back in \d+ s/) },
      })
    }
  })
})

type Follower = Readonly<{ process: ChildProcess; changes: { seq: number }[] }>

/** Starts a client that follows the feed, with the changes that it has printed so far. */
function follow({ program, script, env }: Reader, { gen, seq }: { gen: string; seq: number }): Follower {
  const child = spawn(program, [script, 'follow', base, gen, String(seq)], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const changes: { seq: number }[] = []
  createInterface({ input: child.stdout }).on('line', (line) => changes.push(JSON.parse(line)))
  return { process: child, changes }
}

/**
 * Serves with these limits from a moment before a minute ends, which lasts until the first refusal: so the wait is short
 * and the count of requests does not depend on the machine.
 */
async function serveLimited(
  limits: typeof LIMITS,
  i: number,
): Promise<{ address: string; statuses: readonly number[] }> {
  // All servers count the same address, each in minutes of its own.
  const atMs = Date.parse(`${DAY}T${13 + i}:00:58Z`)
  const statuses: number[] = []
  let now = () => new Date(atMs)
  const address = await serve({ limits, now: () => now() }, (api) => {
    api.server.on('request', (_request, response) => {
      response.on('finish', () => {
        statuses.push(response.statusCode)
        // A moment ahead, since the client's wait began before this event.
        if (response.statusCode === 429 && statuses.indexOf(429) === statuses.length - 1)
          now = clockFrom(atMs + AHEAD_MS)
      })
    })
  })
  return { address, statuses }
}
const AHEAD_MS = 500
