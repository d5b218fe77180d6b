import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { DAY_MS } from '@catalog/core/time.ts'
import type { MirrorOptions } from '@catalog/mirror/mirror.ts'
import { writeTree } from '@catalog/mirror/tree/tree.ts'
import { startCatalog } from '@catalog/stack/servers/command.ts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type ModelOrigin, openModelOrigin } from './mirror-model.ts'
import { type ModelSigning, modelSigning, rotatedSigning } from './origin-documents.ts'
import { openStage, rowsOf, type Stage } from './stage.ts'

/** A copy belongs to one catalog: what it takes from an origin that is another, was stopped, or has less. */

let nowMs: number
const now = () => new Date(nowMs)
let signing: ModelSigning
let { stack, origin, server, root, copies, mirrorOf: mirrorIn, theirs } = {} as Stage
beforeEach(async () => {
  nowMs = Date.parse('2026-01-06T00:00:00Z')
  signing = modelSigning(now)
  ;({ stack, origin, server, root, copies, mirrorOf: mirrorIn, theirs } = await openStage({ signing }))
  publish(origin, 10)
})
afterEach(() => stack.disposeAsync())

function publish(to: ModelOrigin, items: number): void {
  for (let item = 0; item < items; item++) to.publish({ item, cents: item + 1, regions: ['ES'], name: `Item ${item}` })
  to.mark()
}
const mirrorOf = (options: Partial<MirrorOptions> = {}) => mirrorIn('items', { now, ...options })
/** From now on the server answers with another origin's documents. */
function replaceBy(other: ModelOrigin): void {
  server.behave = (path) => (response) => {
    const { status, body } = other.answer(`${other.baseUrl}/feeds/${path}`)
    response.writeHead(status).end(body)
  }
}
/** An origin of a later generation, without an item. */
function emptied(by: ModelSigning | undefined): ModelOrigin {
  const other = openModelOrigin({ pageSize: 5, signing: by })
  other.backup()
  other.restore()
  other.restore()
  return other
}
const isRefused = { kind: 'refused' }

describe('one wrong state.json with a later generation', () => {
  test.each<[string, () => ModelSigning | undefined, RegExp]>([
    ['without signatures', () => undefined, /signatures: expected one by [0-9a-f]{32}, found none/],
    ['by another key', () => modelSigning(now), /signatures: expected one by [0-9a-f]{32}, or a key that it endorsed/],
    [
      'of another catalog',
      () => modelSigning(now, 'd'.repeat(32)),
      /catalog: expected c{32}, of which the copy is, found d{32}/,
    ],
  ])('%s empties no mirror, which goes on with the right origin', async (_what, by, says) => {
    const mirror = mirrorOf()
    await mirror.sync()
    const [before, rows] = [mirror.state(), rowsOf(mirror)]
    replaceBy(emptied(by()))
    await expect(mirror.sync()).rejects.toMatchObject({ ...isRefused, message: expect.stringMatching(says) })
    expect([mirror.state(), rowsOf(mirror)]).toEqual([before, rows])
    server.behave = () => undefined
    publish(origin, 4)
    await mirror.sync()
    expect(rowsOf(mirror)).toEqual(theirs())
  })

  test('of an unsigned origin empties no mirror that never saw a signature', async () => {
    const old = openModelOrigin({ pageSize: 5 })
    publish(old, 10)
    replaceBy(old)
    const mirror = mirrorOf()
    await mirror.sync()
    expect(mirror.state()?.identity).toBeNull()
    const rows = rowsOf(mirror)
    replaceBy(emptied(undefined))
    await expect(mirror.sync()).rejects.toMatchObject({
      ...isRefused,
      message: expect.stringMatching(/has 0 items, expected at least 10, since the copy has 10.*--accept-generation/),
    })
    expect(rowsOf(mirror)).toEqual(rows)
  })

  test('is taken from a follower’s place by the right one: following goes on', async () => {
    const mirror = mirrorOf()
    await mirror.sync()
    replaceBy(emptied(modelSigning(now)))
    const stop = new AbortController()
    const retries: unknown[] = []
    await mirror.follow({
      everyMs: 1,
      signal: stop.signal,
      onRetry: (error) => {
        retries.push(error)
        server.behave = () => undefined
        publish(origin, 3)
      },
      onSync: () => stop.abort(),
    })
    expect(retries).toMatchObject([isRefused])
    expect(rowsOf(mirror)).toEqual(theirs())
  })
})

describe('a signed origin', () => {
  test('is stopped where its state is valid no more, also while it says that nothing changed', async () => {
    const mirror = mirrorOf()
    await mirror.sync()
    const stopped = origin.answer(`${origin.baseUrl}/feeds/state.json`).body
    server.behave = (path) => (path === 'state.json' ? { body: stopped } : undefined)
    nowMs += 2 * DAY_MS - 1
    await mirror.sync()
    nowMs += 1
    await expect(mirror.sync()).rejects.toThrow(/valid_until: expected a later instant than .*: it was stopped/)
    server.behave = () => undefined
    await mirror.sync()
  })

  test('says nothing of an instant before one that was seen', async () => {
    const mirror = mirrorOf()
    await mirror.sync()
    const early = origin.answer(`${origin.baseUrl}/feeds/state.json`).body
    nowMs += DAY_MS
    await mirror.sync()
    server.behave = (path) => (path === 'state.json' ? { body: early } : undefined)
    await expect(mirror.sync()).rejects.toThrow(/generated_at: expected 2026-01-07T00:00:00Z or later/)
  })

  test('with any byte changed in what is signed is refused', async () => {
    const mirror = mirrorOf()
    await mirror.sync()
    server.behave = (path, { body }) =>
      path === 'state.json' ? { body: Buffer.from(body.toString().replace('"head":10', '"head":9')) } : undefined
    await expect(mirror.sync()).rejects.toMatchObject({
      ...isRefused,
      message: expect.stringMatching(/the signature by key [0-9a-f]{32} is not over these bytes/),
    })
  })

  test('is followed through rotations, and a list of keys without the chain is not', async () => {
    const mirror = mirrorOf()
    const { state } = await mirror.sync()
    expect(state.identity).toMatchObject({ catalog: 'c'.repeat(32), signedBy: [signing.signer.keys[0]?.id] })
    const rotated = rotatedSigning(rotatedSigning(signing))
    const withoutSecond = rotated.keys.keys.filter((_key, i) => i !== 1)
    origin.signBy({ ...rotated, keys: { ...rotated.keys, keys: withoutSecond } })
    nowMs += DAY_MS
    await expect(mirror.sync()).rejects.toMatchObject(isRefused)
    origin.signBy(rotated)
    const after = await mirror.sync()
    expect(after.state.identity?.signedBy).toEqual([rotated.signer.keys[0]?.id])
    expect(after.state.identity?.keys.size).toBe(3)
  })

  test('must have a named key from the first contact on; another name takes the place of the one that is kept', async () => {
    const [named, other] = [signing.signer.keys[0]?.id as string, '0'.repeat(32)]
    await expect(mirrorOf({ keys: [other] }).sync()).rejects.toMatchObject(isRefused)
    expect(mirrorOf().state()).toBeNull()
    await mirrorOf({ keys: [named, other] }).sync()
    const lost = modelSigning(now)
    origin.signBy(lost)
    nowMs += DAY_MS
    await expect(mirrorOf().sync()).rejects.toMatchObject(isRefused)
    await mirrorOf({ keys: [lost.signer.keys[0]?.id as string] }).sync()
    expect((await mirrorOf().sync()).state.identity?.signedBy).toEqual([lost.signer.keys[0]?.id])
  })

  test('of fewer than 90 % of the items in a later generation is held until a person accepts it', async () => {
    const mirror = mirrorOf()
    await mirror.sync()
    for (const gone of [0, 1]) origin.remove({ item: gone, into: null })
    origin.mark()
    origin.backup()
    origin.publish({ item: 0, cents: 1, regions: ['ES'], name: 'Again' })
    origin.publish({ item: 1, cents: 1, regions: ['ES'], name: 'Again' })
    await mirror.sync()
    origin.restore()
    const rows = rowsOf(mirror)
    await expect(mirror.sync()).rejects.toThrow(/has 8 items, expected at least 9, since the copy has 10/)
    await expect(mirrorOf({ acceptGeneration: 'another' }).sync()).rejects.toMatchObject(isRefused)
    expect(rowsOf(mirror)).toEqual(rows)
    await mirrorOf({ acceptGeneration: origin.gen() }).sync()
    expect(rowsOf(mirror)).toEqual(theirs())
  })

  test('is kept to from then on by a copy that an earlier version made', async () => {
    const old = openModelOrigin({ pageSize: 5 })
    publish(old, 10)
    replaceBy(old)
    await mirrorOf().sync()
    using db = new DatabaseSync(join(copies, 'items.sqlite'))
    db.exec('drop table identity; drop table trusted_keys; pragma user_version = 1')
    server.behave = () => undefined
    const mirror = mirrorOf()
    expect(mirror.state()).toMatchObject({ seq: 10, identity: null })
    await mirror.sync()
    expect(mirror.state()?.identity?.signedBy).toEqual([signing.signer.keys[0]?.id])
    replaceBy(old)
    await expect(mirror.sync()).rejects.toMatchObject(isRefused)
  })
})

describe('the command', () => {
  const command = async (...flags: string[]) => {
    const started = stack.use(
      startCatalog(['mirror', server.url, '--into', copies, '--json', ...flags], { data: root }),
    )
    const { code, stdout } = await started.finished
    return { code, answer: JSON.parse(stdout) }
  }

  test('says whose the copy is, and refuses an origin without the named key', async () => {
    nowMs = Date.now()
    const [key] = signing.signer.keys.map(({ id }) => id) as [string]
    const refused = await command('--key', '0'.repeat(32))
    expect([refused.code, refused.answer.details]).toEqual([
      1,
      expect.stringContaining(`expected one by ${'0'.repeat(32)}`),
    ])
    expect(await command('--key', 'mine')).toMatchObject({
      code: 1,
      answer: { details: expect.stringContaining("--key 'mine': expected an id") },
    })
    const { code, answer } = await command('--key', key, '--key', '0'.repeat(32))
    expect([code, answer.scopes.items]).toMatchObject([0, { catalog: 'c'.repeat(32), signed_by: [key], seq: 10 }])
    expect(Date.parse(answer.scopes.items.valid_until)).toBeGreaterThan(Date.now())
  })
})

describe('a static copy', () => {
  const treeOf = (scopes: readonly string[], url = server.url, name = 'tree') =>
    writeTree({ url, tree: join(root, name), into: join(root, `${name}-copies`), scopes, now, wait: async () => {} })
  const stateIn = (name = 'tree') => JSON.parse(readFileSync(join(root, name, 'state.json'), 'utf8'))
  /** Serves a folder as the server of the origin. */
  function serveTree(name: string, change: (path: string, body: Buffer) => Buffer = (_path, body) => body): void {
    server.behave = (path) => {
      try {
        return { body: change(path, readFileSync(join(root, name, path))) }
      } catch {
        return { status: 404 }
      }
    }
  }

  test('of some scopes keeps what the origin signed, at any depth, and says which scopes it holds', async () => {
    const whole = JSON.parse(origin.answer(`${origin.baseUrl}/feeds/state.json`).body.toString())
    await treeOf(['items', 'region/ES'])
    expect(stateIn()).toEqual({ ...whole, mirror: { scopes: ['items', 'region/ES'] } })
    serveTree('tree')
    const second = await treeOf([], server.url, 'second')
    expect(Object.keys(second.scopes)).toEqual(['items', 'region/ES'])
    expect(stateIn('second')).toEqual(stateIn())
    await treeOf(['region/ES'], server.url, 'third')
    expect(stateIn('third')).toEqual({ ...whole, mirror: { scopes: ['region/ES'] } })
    expect(readFileSync(join(root, 'third', 'keys.json'), 'utf8')).toContain(signing.signer.keys[0]?.id)
    serveTree('third')
    await mirrorOf({ scope: 'region/ES', keys: [signing.signer.keys[0]?.id as string] }).sync()
    await expect(mirrorOf().sync()).rejects.toThrow("scope 'items' is not there: expected one of region/ES")
  })

  test('that was stopped or invented is recognised by a mirror of it', async () => {
    await treeOf([])
    serveTree('tree')
    const mirror = mirrorOf()
    await mirror.sync()
    nowMs += 2 * DAY_MS
    await expect(mirror.sync()).rejects.toThrow('it was stopped')
    nowMs -= 2 * DAY_MS
    const other = openModelOrigin({ pageSize: 5, signing: modelSigning(now) })
    publish(other, 10)
    const state = other.answer(`${other.baseUrl}/feeds/state.json`).body
    writeFileSync(join(root, 'tree', 'state.json'), state)
    await expect(mirror.sync()).rejects.toMatchObject(isRefused)
    expect(rowsOf(mirror)).toEqual(theirs())
  })

  test('of an unsigned origin has the state of its scopes alone', async () => {
    const old = openModelOrigin({ pageSize: 5 })
    publish(old, 3)
    replaceBy(old)
    await treeOf(['items'])
    expect(Object.keys(stateIn().scopes)).toEqual(['items'])
    expect(stateIn().mirror).toEqual({ scopes: ['items'] })
  })
})
