import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { gunzipSync } from 'node:zlib'
import { writeTree } from '@catalog/mirror/tree/tree.ts'
import { type Finished, startCatalog } from '@catalog/stack/servers/command.ts'
import { pythonAvailable } from '@catalog/stack/servers/fetched/python.ts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { runPython, serveFolder } from './mirror-server.ts'
import { openStage, rowsOf, type Stage } from './stage.ts'

/** Copies after a power failure, after damage to rows, as plain files for others, and in Python. */
const missing = pythonAvailable()
if (missing !== null) process.stderr.write(`skipped: ${missing}\n`)

let { stack, origin, server, root, copies, publishNights, mirrorOf, theirs } = {} as Stage
beforeEach(async () => {
  ;({ stack, origin, server, root, copies, publishNights, mirrorOf, theirs } = await openStage({ moves: true }))
  publishNights(4)
})
afterEach(() => stack.disposeAsync())

/** The origin's root at its last mark, from its own digest. */
function rootAtMark(scope: string): string {
  const state = JSON.parse(origin.answer(`${origin.baseUrl}/feeds/state.json`).body.toString())
  return state.digest.scopes[scope].state_root
}

/**
 * Starts the command and kills it when it asks the origin for a path that `isTime` accepts; that request gets no
 * answer.
 */
async function killedAt(isTime: (path: string) => boolean, args: readonly string[]): Promise<Finished> {
  const command = stack.use(startCatalog(['mirror', server.url, '--json', ...args], { data: root }))
  server.behave = (path) => {
    if (!isTime(path)) return undefined
    return () => command.kill('SIGKILL')
  }
  const finished = await command.finished
  server.behave = () => undefined
  return finished
}
const into = () => ['--into', copies]

describe('a command that is killed', () => {
  test('between two pages resumes with the next one', async () => {
    let pages = 0
    const { code } = await killedAt((path) => path.startsWith('archive') && ++pages === 4, into())
    expect(code).toBeNull()
    const mirror = mirrorOf('items')
    expect(mirror.state()?.seq).toBe(15)
    expect(rowsOf(mirror)).toEqual(origin.stateAt({ gen: origin.gen(), scope: 'items', seq: 15 }))
    server.forget()
    await mirror.sync()
    expect(server.asked.filter((path) => path.startsWith('archive'))[0]).toContain('/items/3.atom')
    expect(rowsOf(mirror)).toEqual(theirs('items'))
  })

  test('in the middle of a snapshot resumes with the missing shards', async () => {
    origin.snapshot()
    origin.trim(2)
    let shards = 0
    await killedAt((path) => path.endsWith('.gz') && ++shards > 100, into())
    const mirror = mirrorOf('items')
    expect(mirror.state()).toBeNull()
    server.forget()
    await mirror.sync()
    // Several downloads are under way when the kill comes, and none has finished.
    expect(server.asked.filter((path) => path.endsWith('.gz'))).toHaveLength(156)
    expect(rowsOf(mirror)).toEqual(theirs('items'))
  })

  test('again and again still completes', async () => {
    origin.snapshot()
    publishNights(1)
    let kills = 0
    for (; ; kills++) {
      let requests = 0
      const { code } = await killedAt((path) => path !== 'state.json' && ++requests > 60, into())
      if (code === 0) break
      expect(kills).toBeLessThan(10)
    }
    expect(kills).toBeGreaterThan(2)
    expect(rowsOf(mirrorOf('items'))).toEqual(theirs('items'))
  })
})

describe('damaged rows', () => {
  test.each<[string, string]>([
    ['altered', "update items set state = replace(state, 'ES', 'EE'), sha256 = 'ff' where id like 'ci_c%'"],
    ['lost', "delete from items where id like 'ci_c%'"],
    ['made up', "insert into items values ('ci_zz', 7, 'ff', '{}')"],
  ])('are made again from the snapshot and the changes since: %s', async (_what, damage) => {
    origin.snapshot()
    publishNights(2)
    const mirror = mirrorOf('region/EU')
    await mirror.sync()
    mirror[Symbol.dispose]()
    using copy = new DatabaseSync(join(copies, 'region-EU.sqlite'))
    copy.exec(damage)
    server.forget()
    const again = mirrorOf('region/EU')
    expect(await again.sync()).toMatchObject({
      repaired: 1,
      applied: 0,
      state: { proved: { root: rootAtMark('region/EU') } },
    })
    expect(rowsOf(again)).toEqual(theirs('region/EU'))
    // The digest names the differing bucket, so the mirror reads one shard.
    expect(server.asked.filter((path) => path.endsWith('.gz'))).toHaveLength(1)
  })

  test('are found at a mark inside a page, before the changes after it', async () => {
    const mirror = mirrorOf('items')
    await mirror.sync()
    mirror[Symbol.dispose]()
    using copy = new DatabaseSync(join(copies, 'items.sqlite'))
    copy.exec("insert into items values ('ci_zz', 7, 'ff', '{}')")
    publishNights(1)
    origin.publish({ item: 3, cents: 98, regions: ['ES'], name: 'Before the mark' })
    origin.mark()
    const marked = origin.head('items')
    expect(marked % 5).toBe(1)
    origin.publish({ item: 1, cents: 98, regions: ['ES'], name: 'After the mark' })
    origin.publish({ item: 2, cents: 98, regions: ['ES'], name: 'After the mark' })
    const again = mirrorOf('items')
    expect(await again.sync()).toMatchObject({ repaired: 1, state: { seq: marked + 2, proved: { seq: marked } } })
    expect(rowsOf(again)).toEqual(theirs('items'))
  })

  test("are an error when the origin's digest is wrong", async () => {
    const mirror = mirrorOf('items')
    await mirror.sync()
    mirror[Symbol.dispose]()
    const before = rowsOf(mirrorOf('items'))
    const wrong = 'a'.repeat(64)
    server.behave = (path, { body }) =>
      path === 'state.json' ? { body: Buffer.from(body.toString().replaceAll(rootAtMark('items'), wrong)) } : undefined
    const again = mirrorOf('items')
    const says = `items seq ${origin.head('items')}: root of the digest: expected ${wrong}, found ${rootAtMark('items')}`
    await expect(again.sync()).rejects.toThrow(says)
    expect(rowsOf(again)).toEqual(before)
  })
})

describe.skipIf(missing !== null)('plain files', () => {
  const tree = (name: string) => join(root, name)
  const write = (name: string, { url = server.url, scopes = [] as string[] } = {}) =>
    writeTree({ url, tree: tree(name), into: join(root, `${name}-copies`), scopes, wait: async () => {} })
  const filesOf = (name: string) =>
    new Map(
      readdirSync(tree(name), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name))
        .sort()
        .map((path) => [path.slice(tree(name).length + 1), readFileSync(path, 'base64')]),
    )

  test('served by any server are mirrored by others, also a region that an item left, and the mirror of the mirror', async () => {
    origin.snapshot()
    origin.trim(1)
    publishNights(1)
    await write('first')
    await using first = await serveFolder(tree('first'))
    await write('second', { url: first.url })
    expect(filesOf('second')).toEqual(filesOf('first'))
    await using second = await serveFolder(tree('second'))
    for (const scope of ['items', 'region/ES']) {
      const mirror = mirrorOf(scope, { url: second.url, into: join(root, 'third') })
      const { state } = await mirror.sync()
      expect(state).toMatchObject({ proved: { root: rootAtMark(scope) } })
      expect(rowsOf(mirror)).toEqual(theirs(scope))
      // File servers know dates instead of tags; an idle poll still gets a 304.
      expect(await mirror.sync()).toMatchObject({ applied: 0, requests: 1 })
    }
  })

  test('follow the origin: the client reads only new documents and removes unlinked ones', async () => {
    await write('tree')
    origin.snapshot()
    publishNights(1)
    await write('tree')
    origin.trim(3)
    publishNights(1)
    server.forget()
    await write('tree')
    const archives = server.asked.filter((path) => path.startsWith('archive') && path.includes('/items/'))
    expect(archives).toEqual([`archive/${origin.gen()}/items/9.atom`])
    expect(server.asked.filter((path) => path.endsWith('.gz'))).toEqual([])
    await write('tree')
    const pages = [...filesOf('tree').keys()].filter((path) => path.includes('/items/') && path.endsWith('.atom'))
    // Pages 3 to 9: the floor is 15 and the head is 54.
    expect(pages).toHaveLength(7)
    await using served = await serveFolder(tree('tree'))
    const mirror = mirrorOf('items', { url: served.url, into: join(root, 'other') })
    await mirror.sync()
    expect(rowsOf(mirror)).toEqual(theirs('items'))
  })

  test('of some scopes contain only those', async () => {
    await write('some', { scopes: ['region/ES'] })
    const state = JSON.parse(readFileSync(join(tree('some'), 'state.json'), 'utf8'))
    expect(Object.keys(state.scopes)).toEqual(['region/ES'])
    expect(Object.keys(state.digest.scopes)).toEqual(['region/ES'])
    await using served = await serveFolder(tree('some'))
    const into = join(root, 'other')
    await mirrorOf('region/ES', { url: served.url, into }).sync()
    await expect(mirrorOf('items', { url: served.url, into }).sync()).rejects.toThrow(
      /'items' is not there: expected one of region\/ES/,
    )
  })

  test('have packed forms beside what changes, as file servers send them', async () => {
    await write('tree')
    const files = filesOf('tree')
    const packed = [...files.keys()].filter((path) => path.endsWith('.gz') && !path.startsWith('snapshots'))
    expect(packed).toEqual(expect.arrayContaining(['state.json.gz', 'items.atom.gz', 'region/ES.gz']))
    for (const path of packed) {
      const plain = Buffer.from(files.get(path.slice(0, -3)) ?? '', 'base64')
      expect(gunzipSync(Buffer.from(files.get(path) as string, 'base64')).equals(plain), path).toBe(true)
    }
  })

  test('of an earlier version list deltas, which a mirror leaves unread and the next pass removes', async () => {
    await write('tree')
    await using served = await serveFolder(tree('tree'))
    const mirror = mirrorOf('items', { url: served.url, into: join(root, 'other') })
    await mirror.sync()
    publishNights(1)
    await write('tree')
    const state = JSON.parse(readFileSync(join(tree('tree'), 'state.json'), 'utf8'))
    state.mirror.deltas = 'deltas/{scope}.json'
    writeFileSync(join(tree('tree'), 'state.json'), JSON.stringify(state))
    mkdirSync(tree('tree/deltas'))
    writeFileSync(tree('tree/deltas/items.json'), '{}')
    await mirror.sync()
    expect(rowsOf(mirror)).toEqual(theirs('items'))
    await write('tree')
    expect([...filesOf('tree').keys()].filter((path) => path.startsWith('deltas'))).toEqual([])
    expect(JSON.parse(readFileSync(join(tree('tree'), 'state.json'), 'utf8')).mirror).toEqual({
      scopes: state.mirror.scopes,
    })
  })

  const price = (body: Buffer) => Buffer.from(body.toString().replace('"cents":', '"cents":1'))
  const lastHash = (body: Buffer) =>
    Buffer.from(body.toString().replace(/[0-9a-f]{64}("[^0-9a-f]*)$/, `${'0'.repeat(64)}$1`))
  const middle = (body: Buffer) => Buffer.concat([body.subarray(0, -9), Buffer.from('?'), body.subarray(-8)])
  test.each<[string, (body: Buffer) => Buffer]>([
    ['archive', price],
    ['region/ES', price],
    ['digest', lastHash],
    ['snapshots', middle],
  ])('stay as they were while %s is wrong', async (prefix, alter) => {
    await write('tree')
    const before = readFileSync(join(tree('tree'), 'state.json'), 'utf8')
    origin.snapshot()
    publishNights(1)
    server.behave = (path, { body }) => (path.startsWith(prefix) ? { body: alter(body) } : undefined)
    await expect(write('tree')).rejects.toThrow(/expected/)
    expect(readFileSync(join(tree('tree'), 'state.json'), 'utf8')).toBe(before)
    server.behave = () => undefined
    await write('tree')
    expect(JSON.parse(readFileSync(join(tree('tree'), 'state.json'), 'utf8')).scopes.items.head).toBe(
      origin.head('items'),
    )
  })
})

describe.skipIf(missing !== null)('the client of docs/write-your-own-mirror.md', () => {
  const page = readFileSync(resolve(import.meta.dirname, '../../../docs/write-your-own-mirror.md'), 'utf8')
  const program = /```python\n(.*?)```/s.exec(page)?.[1] as string
  const run = async () => JSON.parse(await runPython(program, [server.url, join(root, 'copy.db')]))
  const rows = () => {
    using copy = new DatabaseSync(join(root, 'copy.db'), { readOnly: true })
    return new Map(
      copy
        .prepare('select id, state from items')
        .all()
        .map(({ id, state }) => [id, state]),
    )
  }
  const position = () => {
    using copy = new DatabaseSync(join(root, 'copy.db'), { readOnly: true })
    return copy.prepare('select seq from position').get()?.seq as number
  }

  test('has at most 60 lines', () => {
    expect(program.trimEnd().split('\n').length).toBeLessThanOrEqual(60)
  })

  test("has the origin's root, from the first change, from the snapshot, and in a new generation", async () => {
    const expected = () => ({ gen: origin.gen(), seq: origin.head('items'), root: rootAtMark('items') })
    expect(await run()).toEqual(expected())
    publishNights(2)
    expect(await run()).toEqual(expected())
    expect(await run()).toEqual(expected())
    origin.resize(7)
    origin.snapshot()
    origin.trim(2)
    publishNights(1)
    expect(await run()).toEqual(expected())
    expect(rows()).toEqual(theirs('items'))
  })

  const state = (alter: (text: string) => string) => {
    server.behave = (path, { body }) =>
      path === 'state.json' ? { body: Buffer.from(alter(body.toString())) } : undefined
  }

  test('stops at an equal head with another chain: history was rewritten', async () => {
    const { seq } = await run()
    const { chain } = JSON.parse(origin.answer(`${origin.baseUrl}/feeds/state.json`).body.toString()).scopes.items
    state((text) => text.replaceAll(chain, 'a'.repeat(64)))
    await expect(run()).rejects.toThrow(`chain at the head: history was rewritten: expected ${'a'.repeat(64)}`)
    state((text) => text)
    expect(await run()).toMatchObject({ seq })
  })

  test('never goes back to an older generation, not even at an equal head', async () => {
    const past = origin.gen()
    origin.resize(7)
    const { gen, seq } = await run()
    state((text) => text.replaceAll(gen, past))
    await expect(run()).rejects.toThrow(`expected gen ${gen} or a later one, found ${past}`)
    state((text) => text)
    expect(await run()).toMatchObject({ gen, seq })
  })

  test('stops with the seq at an altered digit, and the copy is right up to it', async () => {
    await run()
    publishNights(2)
    const seq = origin.head('items')
    server.behave = (path, { body }) =>
      path === 'items.atom' ? { body: Buffer.from(body.toString().replace('"cents":', '"cents":1')) } : undefined
    const altered = /<entry>.*?<ccm:seq>(\d+)</s.exec(
      origin.answer(`${origin.baseUrl}/feeds/items.atom`).body.toString(),
    )?.[1]
    await expect(run()).rejects.toThrow(`sha256 of seq ${altered}`)
    server.behave = () => undefined
    expect(rows()).toEqual(origin.stateAt({ gen: origin.gen(), scope: 'items', seq: position() }))
    expect(position()).toBeLessThan(Number(altered))
    expect((await run()).seq).toBe(seq)
  })
})
