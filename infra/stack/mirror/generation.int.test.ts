import { DatabaseSync } from 'node:sqlite'
import { startCatalog } from '@catalog/stack/servers/command.ts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openStage, rowsOf, STAGE_ITEMS, type Stage } from './stage.ts'

/** Copies that meet a new generation, or a floor above them, and take over the digest there. */
let { stack, origin, server, root, copies, publishNights, mirrorOf, theirs } = {} as Stage
beforeEach(async () => {
  ;({ stack, origin, server, root, copies, publishNights, mirrorOf, theirs } = await openStage())
  publishNights(3)
  origin.snapshot()
})
afterEach(() => stack.disposeAsync())

const publish = (item: number, cents: number) => origin.publish({ item, cents, regions: ['ES'], name: `N${item}` })
const shardsAsked = ({ asked } = server) => asked.filter((path) => path.endsWith('.gz'))

/** A mirror in sync, after which the requests are forgotten. */
async function syncedMirror(scope = 'items', more: Parameters<Stage['mirrorOf']>[1] = {}) {
  const mirror = mirrorOf(scope, more)
  await mirror.sync()
  server.forget()
  return mirror
}

describe.each(['items', 'region/ES'])('a copy of %s in a new generation', (scope) => {
  test('that has the state of the digest takes over its position, and asks for no state', async () => {
    const mirror = await syncedMirror(scope)
    origin.resize(7)
    const { restart, repaired, state } = await mirror.sync()
    expect([restart, repaired]).toEqual(['adopted', 0])
    expect(state).toMatchObject({ gen: origin.gen(), seq: origin.head(scope), proved: { seq: origin.head(scope) } })
    expect(server.asked).toEqual(['state.json', 'state.json'])
    expect(rowsOf(mirror)).toEqual(theirs(scope))
  })

  test('goes on with the changes after the digest', async () => {
    const mirror = await syncedMirror(scope)
    origin.resize(7)
    publish(2, 77)
    expect(await mirror.sync()).toMatchObject({ restart: 'adopted', applied: 1 })
    expect(shardsAsked()).toEqual([])
    publishNights(1)
    expect(await mirror.sync()).toMatchObject({ restart: null, state: { proved: { seq: origin.head(scope) } } })
    expect(rowsOf(mirror)).toEqual(theirs(scope))
  })

  test('downloads only the buckets that differ', async () => {
    publish(1, 5)
    origin.remove({ item: 4, into: null })
    origin.mark()
    const mirror = await syncedMirror(scope)
    // A backup of the nights before comes back: both changes are lost, and the state is that of the snapshot again.
    const restored = await openStage({ pageSize: 7 })
    stack.use(restored.stack)
    restored.origin.resize(7)
    restored.publishNights(3)
    restored.origin.snapshot()
    mirror[Symbol.dispose]()
    const again = mirrorOf(scope, { url: restored.server.url })
    expect(await again.sync()).toMatchObject({ restart: 'adopted', repaired: 0 })
    expect(shardsAsked(restored.server)).toHaveLength(2)
    expect(rowsOf(again)).toEqual(restored.theirs(scope))
  })

  test('makes them from the changes where there is no snapshot', async () => {
    const mirror = await syncedMirror(scope)
    origin.resize(7)
    publish(3, 8)
    origin.mark()
    expect(await mirror.sync()).toMatchObject({ restart: 'adopted', applied: 0 })
    expect(rowsOf(mirror)).toEqual(theirs(scope))
  })
})

test('a copy below the floor downloads only the buckets that differ', async () => {
  const mirror = await syncedMirror()
  for (let round = 0; round < 9; round++) publish(5, 100 + round)
  origin.mark()
  origin.snapshot()
  origin.trim(9)
  expect(await mirror.sync()).toMatchObject({ restart: 'adopted' })
  expect(shardsAsked()).toHaveLength(1)
  expect(rowsOf(mirror)).toEqual(theirs())
})

test('a copy whose power fails meanwhile keeps its rows and its position, and does not ask twice for a shard', async () => {
  const into = new DatabaseSync(':memory:')
  let power = Number.POSITIVE_INFINITY
  const onProgress = ({ step, done }: { step: string; done: number }) => {
    if (step === 'adoption' && done >= power) throw new Error('power')
  }
  const mirror = await syncedMirror('items', { into, onProgress })
  const [before, position] = [rowsOf(mirror), mirror.state()]
  origin.resize(7)
  publishNights(1)
  origin.snapshot()
  power = 5
  await expect(mirror.sync()).rejects.toThrow('power')
  expect([rowsOf(mirror), mirror.state()]).toEqual([before, position])
  power = Number.POSITIVE_INFINITY
  expect(await mirror.sync()).toMatchObject({ restart: 'adopted' })
  expect(new Set(shardsAsked()).size).toBe(STAGE_ITEMS)
  expect(shardsAsked().length).toBeLessThan(2 * STAGE_ITEMS)
  expect(rowsOf(mirror)).toEqual(theirs())
})

const stateWith = (alter: (scopes: Record<string, { chain?: string }>) => void) => {
  server.behave = (path, { body }) => {
    if (path !== 'state.json') return undefined
    const state = JSON.parse(body.toString())
    alter(state.digest.scopes)
    return { body: Buffer.from(JSON.stringify(state)) }
  }
}

test('a copy begins anew where the origin does not give the chain of the digest', async () => {
  const mirror = await syncedMirror()
  origin.resize(7)
  origin.snapshot()
  stateWith((scopes) => delete scopes.items?.chain)
  expect(await mirror.sync()).toMatchObject({ restart: 'snapshot' })
  expect(rowsOf(mirror)).toEqual(theirs())
})

test.each([0, 1])('a wrong chain of the digest moves nothing, with %i changes after it', async (later) => {
  const mirror = await syncedMirror()
  const position = mirror.state()
  origin.resize(7)
  for (let item = 0; item < later; item++) publish(item, 7)
  stateWith((scopes) => Object.assign(scopes.items as object, { chain: 'a'.repeat(64) }))
  await expect(mirror.sync()).rejects.toThrow(/items seq 2\d: chain.*: expected .*, found /)
  expect(mirror.state()).toEqual(position)
})

test('the command says how the copy came to its position', async () => {
  const catalog = () => stack.use(startCatalog(['mirror', server.url, '--into', copies], { data: root })).finished
  await catalog()
  origin.resize(7)
  const { code, stdout } = await catalog()
  expect(code).toBe(0)
  expect(stdout).toMatch(/BEGAN.*\n.*adopted/)
})
