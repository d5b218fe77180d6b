import { appendFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { writeTree } from '@catalog/mirror/tree/tree.ts'
import { verifyMirror } from '@catalog/mirror/verify/verify.ts'
import { startCatalog } from '@catalog/stack/servers/command.ts'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openStage, rowsOf, STAGE_ITEMS, type Stage } from './stage.ts'

/** `catalog mirror --verify`: whatever rots in a mirror is named, and made again from the origin. */
const SCOPES = ['items', 'region/ES']

let { stack, origin, server, root, copies, publishNights, mirrorOf, theirs } = {} as Stage
beforeEach(async () => {
  ;({ stack, origin, server, root, copies, publishNights, mirrorOf, theirs } = await openStage())
  publishNights(2)
  origin.snapshot()
  publishNights(1)
})
afterEach(() => stack.disposeAsync())

const publish = (item: number, cents: number) => origin.publish({ item, cents, regions: ['ES'], name: `N${item}` })
const tree = () => join(root, 'tree')
const wait = async () => {}

async function syncAll(): Promise<void> {
  for (const scope of SCOPES) {
    using mirror = mirrorOf(scope)
    await mirror.sync()
  }
}
const write = () => writeTree({ url: server.url, tree: tree(), into: copies, scopes: SCOPES, wait })
const verify = (more: { tree?: string; scopes?: string[] } = {}) =>
  verifyMirror({ url: server.url, into: copies, scopes: SCOPES, wait, ...more })
const fileOf = (scope: string) => join(copies, `${scope.replace('/', '-')}.sqlite`)

function damage(scope: string, sql: string): void {
  using db = new DatabaseSync(fileOf(scope))
  db.exec(sql)
}
function expectEqual(): void {
  for (const scope of SCOPES) {
    using mirror = mirrorOf(scope)
    expect(rowsOf(mirror)).toEqual(theirs(scope))
    expect(mirror.state()).toMatchObject({ gen: origin.gen(), seq: origin.head(scope), head: origin.head(scope) })
  }
}

describe('a copy', () => {
  beforeEach(syncAll)

  test('that is sound is said to be, with no state downloaded', async () => {
    server.forget()
    expect(await verify()).toMatchObject({
      rotten: [],
      found: 0,
      scopes: { items: STAGE_ITEMS, 'region/ES': STAGE_ITEMS },
    })
    expect(server.asked.filter((path) => path.endsWith('.gz') || path.endsWith('.atom'))).toEqual([])
  })

  const id = `ci_${'c'.repeat(26)}`
  test.each<[string, string, object]>([
    ['a state', `update items set state = replace(state, '"cents":', '"cents":1') where id = '${id}'`, { name: id }],
    ['a sha256', `update items set sha256 = 'ff' where id = '${id}'`, { name: id }],
    [
      'a state with its sha256',
      `update items set state = (select state from items where id like 'ci_d%'), sha256 = (select sha256 from items where id like 'ci_d%') where id = '${id}'`,
      { name: id, problem: 'the state is of another id' },
    ],
    ['an id', `update items set id = 'ci_cx' where id = '${id}'`, { name: 'ci_cx' }],
    ['a bucket', `update items set bucket = (bucket + 1) % 256 where id = '${id}'`, { name: id }],
    ['a lost row', `delete from items where id = '${id}'`, { name: id, problem: 'was lost' }],
    [
      'a row too many',
      `insert into items select 'ci_zz', bucket, sha256, state from items where id = '${id}'`,
      { name: 'ci_zz' },
    ],
    ['the seq', 'update position set seq = seq - 3', { name: 'position' }],
    ['the seq, beyond the head', 'update position set seq = seq + 3', { name: 'position' }],
    ['the chain', "update position set chain = replace(chain, '1', '2') || ''", { name: 'position' }],
    ['the gen', "update position set gen = 'ffff'", { name: 'position' }],
    ['the gen, lost', 'update position set gen = null', { name: 'position' }],
    ['the head', 'update position set head = head + 7', { name: 'position' }],
    ['the proof', "update position set proved_root = 'aa'", { name: 'position' }],
    ['the place of the proof', 'update position set proved_seq = proved_seq + 9', { name: 'position' }],
    ['the scope', "update position set scope = 'region/MX'", { problem: expect.stringContaining('damaged') }],
  ])('is repaired where %s rotted', async (_what, sql, named) => {
    damage('items', sql)
    const report = await verify()
    expect(report.rotten).toEqual(expect.arrayContaining([expect.objectContaining({ place: 'items', ...named })]))
    expect(report.repaired).toBe(report.found)
    expectEqual()
    expect(await verify()).toMatchObject({ found: 0 })
  })

  test('is repaired between two marks too', async () => {
    publish(2, 7)
    publish(3, 7)
    await syncAll()
    damage('items', `update items set state = replace(state, '"cents":', '"cents":1'), sha256 = 'ff'`)
    damage('region/ES', 'delete from items')
    const report = await verify()
    expect([report.found, report.repaired]).toEqual([2 * STAGE_ITEMS, 2 * STAGE_ITEMS])
    expectEqual()
  })

  test('that is behind is brought to the head, and only what rotted is named', async () => {
    publishNights(1)
    damage('items', `update items set sha256 = 'ff' where id = '${id}'`)
    expect(await verify()).toMatchObject({ found: 1, repaired: 1, rotten: [{ name: id }] })
    expectEqual()
  })

  test('is not replaced where the origin contradicts rows and position: both are named', async () => {
    damage(
      'items',
      `update position set chain = replace(chain, substr(chain, 1, 1), 'x'); delete from items where id = '${id}'`,
    )
    const report = await verify()
    expect(report).toMatchObject({ repaired: 0, rotten: [{ name: 'position', isRepaired: false }] })
  })

  test('whose bytes rot anywhere is made equal again', async () => {
    const whole = new Map(SCOPES.map((scope) => [scope, readFileSync(fileOf(scope))]))
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...SCOPES),
        fc.nat(),
        fc.integer({ min: 1, max: 255 }),
        async (scope, at, mask) => {
          for (const [scope, bytes] of whole) {
            for (const suffix of ['', '-wal', '-shm']) rmSync(fileOf(scope) + suffix, { force: true })
            writeFileSync(fileOf(scope), bytes)
          }
          const bytes = Buffer.from(whole.get(scope) as Buffer)
          const place = at % bytes.length
          bytes[place] = (bytes[place] as number) ^ mask
          writeFileSync(fileOf(scope), bytes)
          const outcome = await verify().catch((error: Error) => error)
          // A later version of the schema is refused by name.
          if (outcome instanceof Error) return expect(outcome.message).toMatch(/the copy has version/)
          expect(outcome.repaired).toBe(outcome.found)
          expectEqual()
        },
      ),
      { numRuns: RUNS },
    )
  })
})
const RUNS = Number(process.env.TEST_RUNS ?? 8)

describe('plain files', () => {
  beforeEach(async () => {
    await write()
  })
  const files = () =>
    readdirSync(tree(), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(tree().length + 1))
      .sort()
  const contents = () => new Map(files().map((path) => [path, readFileSync(join(tree(), path), 'base64')]))

  test('that are sound are said to be', async () => {
    const before = contents()
    expect(await verify({ tree: tree() })).toMatchObject({ found: 0 })
    expect(contents()).toEqual(before)
  })

  test('are named and made again wherever one byte rots', async () => {
    const before = contents()
    const paths = files()
    const kinds = [/^archive/, /^digest/, /\.gz$/, /manifest/, /^state/, /^items/, /^region/, /^SHA256SUMS$/]
    const path = fc.oneof(...kinds.map((kind) => fc.constantFrom(...paths.filter((path) => kind.test(path)))))
    await fc.assert(
      fc.asyncProperty(path, fc.nat(), fc.integer({ min: 1, max: 255 }), async (path, at, mask) => {
        const bytes = readFileSync(join(tree(), path))
        const place = at % bytes.length
        bytes[place] = (bytes[place] as number) ^ mask
        writeFileSync(join(tree(), path), bytes)
        const report = await verify({ tree: tree() })
        expect(report.rotten.map(({ name }) => name)).toContain(path)
        expect(report.repaired).toBe(report.found)
        expect(contents()).toEqual(before)
      }),
      { numRuns: RUNS },
    )
  })

  test('that are lost are named and made again', async () => {
    const before = contents()
    for (const path of ['items.atom', ...files().filter((path) => /^digest|7f\.ndjson/.test(path))])
      rmSync(join(tree(), path))
    const report = await verify({ tree: tree() })
    expect(report.found).toBeGreaterThan(2)
    expect(contents()).toEqual(before)
  })

  test('of others stay, beside the tree and outside of it, whatever the list says', async () => {
    writeFileSync(join(root, 'outside'), 'of others')
    appendFileSync(join(tree(), 'SHA256SUMS'), `${'0'.repeat(64)}  ../outside\n`)
    expect(await verify({ tree: tree() })).toMatchObject({ found: 1, repaired: 1, rotten: [{ name: 'SHA256SUMS' }] })
    expect(existsSync(join(root, 'outside'))).toBe(true)
    writeFileSync(join(tree(), 'robots.txt'), 'User-agent: *')
    expect(await verify({ tree: tree() })).toMatchObject({ found: 0 })
    writeFileSync(join(tree(), 'robots.txt'), 'User-agent: x')
    expect(await verify({ tree: tree() })).toMatchObject({ found: 0 })
    expect(existsSync(join(tree(), 'robots.txt'))).toBe(true)
  })

  test('that the origin cannot give any more are named, and the command fails', async () => {
    const path = files().find((path) => path.startsWith('archive')) as string
    const file = join(tree(), path)
    writeFileSync(file, readFileSync(file, 'utf8').replace('<title>', '<title>x'))
    server.behave = (asked) => (asked === path ? { status: 404 } : undefined)
    const command = (...more: string[]) =>
      stack.use(
        startCatalog(['mirror', server.url, '--into', copies, '--static', tree(), '--verify', ...more], { data: root }),
      ).finished
    const failed = await command('--json')
    expect([failed.code, JSON.parse(failed.stdout)]).toMatchObject([
      1,
      { ok: false, rotten: [{ place: 'static', name: path, repaired: false }] },
    ])
    server.behave = () => undefined
    expect((await command()).code).toBe(0)
  })
})

test('the command prints what rotted, and exits 0 when it is repaired', async () => {
  await syncAll()
  damage('items', "update items set sha256 = 'ff' where id like 'ci_c%'")
  const args = ['mirror', server.url, '--into', copies, '--verify']
  const { code, stdout } = await stack.use(startCatalog(args, { data: root })).finished
  expect(code).toBe(0)
  expect(stdout).toMatch(/items: 8 items\nregion\/ES: 8 items\n1 findings, 1 repaired\n\n.*\nitems +ci_c+ .*yes/)
  const empty = await stack.use(startCatalog([...args, '--scope', 'region/MX'], { data: root })).finished
  expect([empty.code, empty.stderr]).toEqual([1, expect.stringContaining('no copy of region/MX')])
})
