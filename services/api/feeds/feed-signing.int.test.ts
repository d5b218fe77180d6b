import type { Api } from '@catalog/api/server.ts'
import { isSignedBy, trustedKeys } from '@catalog/core/changes/signature.ts'
import { HOUR_MS } from '@catalog/core/time.ts'
import { publish, testApi, testId } from '@catalog/stack/testing/api.ts'
import { testClock } from '@catalog/stack/testing/clock.ts'
import { openTestStore } from '@catalog/stack/testing/store.ts'
import type { Store } from '@catalog/store/db.ts'
import { readCatalogId, readSigner, rotateFeedKey } from '@catalog/store/feed-keys.ts'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'

/** Signatures of state.json, and the keys that prove them. */

const clock = testClock()
let store: Store
let apis: Api[]
beforeEach(async () => {
  store = await openTestStore()
  await publish(store, { id: testId('ci_', 'cement'), name: 'Cement' })
  apis = []
})
afterEach(async () => {
  for (const api of apis) await api.close()
  await store[Symbol.asyncDispose]()
})
function open(with_: Store = store): Api {
  const api = testApi(with_, clock)
  apis.push(api)
  return api
}
async function get(api: Api, path: string, headers: Record<string, string> = {}) {
  clock.advance(250)
  return await api.inject({ url: `/v1/feeds/${path}`, headers })
}
type State = {
  catalog: string
  keys: string
  generated_at: string
  valid_until: string
  signatures: { key: string; signature: string }[]
}
const stateOf = async (api: Api) => (await get(api, 'state.json')).json<State>()
const keysOf = async (api: Api) => (await get(api, 'keys.json')).json<Parameters<typeof trustedKeys>[0]>()

test('state.json is signed by the key that keys.json lists, over all that it says', async () => {
  const api = open()
  const state = await stateOf(api)
  const { catalog, keys } = await keysOf(api)
  expect([state.catalog, state.keys, catalog]).toEqual([await readCatalogId(store), 'keys.json', state.catalog])
  const [signature] = state.signatures
  const key = keys.find(({ id }) => id === signature?.key)
  const holds = (document: object) =>
    isSignedBy(key?.public_key as string, {
      kind: 'state',
      document: { ...document },
      signature: signature?.signature as string,
    })
  expect(holds(state)).toBe(true)
  for (const member of Object.keys(state).filter((name) => name !== 'signatures'))
    expect([member, holds({ ...state, [member]: 'another' })]).toEqual([member, false])
})

test('all processes send the same bytes: an idle poll is a 304 within the hour, and the next hour is said anew', async () => {
  const hourMs = Math.floor(clock.at.getTime() / HOUR_MS) * HOUR_MS + HOUR_MS
  clock.advance(hourMs - clock.at.getTime())
  const [api, other] = [open(), open()]
  const first = await get(api, 'state.json')
  expect((await get(other, 'state.json')).body).toBe(first.body)
  clock.advance(HOUR_MS / 2)
  const poll = { 'if-none-match': String(first.headers.etag) }
  expect([(await get(api, 'state.json', poll)).statusCode, (await get(other, 'state.json', poll)).statusCode]).toEqual([
    304, 304,
  ])
  clock.advance(HOUR_MS / 2)
  const next = await get(api, 'state.json', poll)
  expect(next.statusCode).toBe(200)
  const { generated_at, valid_until } = next.json<State>()
  expect(Date.parse(generated_at) - Date.parse(first.json<State>().generated_at)).toBe(HOUR_MS)
  expect(Date.parse(valid_until) - Date.parse(generated_at)).toBe(48 * HOUR_MS)
  expect((await get(other, 'state.json')).body).toBe(next.body)
})

test('after a rotation both keys sign, and who knew the old one trusts the new', async () => {
  const api = open()
  const { signatures } = await stateOf(api)
  await rotateFeedKey(store, clock.at)
  clock.advance(HOUR_MS)
  // The keys are read again beside the requests.
  const after = await vi.waitFor(async () => {
    const state = await stateOf(api)
    expect(state.signatures).toHaveLength(2)
    return state
  })
  const known = await keysOf(api)
  expect(after.signatures.map(({ key }) => key)).toEqual(known.keys.map(({ id }) => id))
  expect(trustedKeys(known, [signatures[0]?.key as string]).size).toBe(2)
})

test('a process that cannot open the key answers as before there were signatures, and still lists the keys', async () => {
  const sealed = { ...store, sealing: { keys: [Buffer.alloc(32, 1).toString('base64')] } }
  const { keys } = await readSigner(sealed, clock.at)
  const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
  onTestFinished(() => void warn.mockRestore())
  const api = open()
  const state = await stateOf(api)
  expect(state).toHaveProperty('scopes')
  for (const member of ['signatures', 'catalog', 'generated_at', 'valid_until', 'keys'])
    expect(state).not.toHaveProperty(member)
  expect(warn).toHaveBeenCalledTimes(1)
  expect((await keysOf(api)).keys.map(({ id }) => id)).toEqual(keys.map(({ id }) => id))
})
