import { openTestStore } from '@catalog/stack/testing/store.ts'
import { readSigner } from '@catalog/store/feed-keys.ts'
import type { Sealing } from '@catalog/store/sealing.ts'
import { beforeEach, expect, test } from 'vitest'
import { addSigningKey, readPayload, readSigningKeys, writePayload } from './oauth.ts'
import { insertUser } from './people.ts'
import { beginSecondFactor, findSecondFactor } from './second-factors.ts'
import { claimSecret, countSecrets, sealSecrets } from './secrets.ts'

/** A copy of the database must let nobody in: what it holds with a key, without one, and while keys change. */

const at = '2026-11-20T12:00:00Z'
const FACTOR = 'JBSWY3DPEHPK3PXP'
const jwk = { kty: 'EC', crv: 'P-256', d: 'the private part', kid: 'k1' }
const client = { client_id: 'c1', client_secret: 'the secret of a client', client_name: 'Agent' }
const key = (byte: number) => Buffer.alloc(32, byte).toString('base64')
const [NONE, OLD, BOTH, NEW]: [Sealing, Sealing, Sealing, Sealing] = [
  { keys: [] },
  { keys: [key(1)] },
  { keys: [key(2), key(1)] },
  { keys: [key(2)] },
]

const opened = await openTestStore()
/** The same database, as a process with these keys has it. */
const withKeys = (sealing: Sealing) => ({
  ...opened,
  sealing,
  transaction: (work: Parameters<typeof opened.transaction>[0]) =>
    opened.transaction((tx) => work({ ...tx, sealing })) as never,
})
const fill = async (sealing: Sealing) => {
  const store = withKeys(sealing)
  await addSigningKey(store, { kid: 'k1', jwk, at, signsFrom: at, isFirst: true })
  await insertUser(store, { userId: 'u1', email: 'a@example.org', passwordHash: 'none', at })
  await beginSecondFactor(store, { userId: 'u1', secret: FACTOR, at })
  await writePayload(store, { model: 'Client', id: 'c1', payload: client, expiresAt: null })
  feedSecret = seedOf(await readSigner(store, new Date(at)))
  return await claimSecret(store, 'address_secret')
}
/** The secret of the one key of the feeds. */
let feedSecret = ''
const seedOf = ({ keys }: Awaited<ReturnType<typeof readSigner>>) =>
  keys.map(({ privateKey }) => privateKey.export({ format: 'jwk' }).d).join()
const read = async (sealing: Sealing) => {
  const store = withKeys(sealing)
  const [row] = await readSigningKeys(store)
  const found = await readPayload(store, { model: 'Client', id: 'c1', at })
  const factor = (await findSecondFactor(store, 'u1'))?.secret
  const feedKey = seedOf(await readSigner(store, new Date(at)))
  return { jwk: row?.jwk, client: found, address: await claimSecret(store, 'address_secret'), factor, feedKey }
}
const dump = async () =>
  JSON.stringify([
    await opened.query(`select * from oauth_keys`),
    await opened.query(`select * from oauth_payloads`),
    await opened.query(`select user_id, secret from second_factors`),
    await opened.query(`select * from feed_keys`),
    await opened.query(`select * from meta where key like '%secret' and key <> 'cursor_secret'`),
  ])

beforeEach(async () => {
  await opened.query(`truncate oauth_keys, oauth_payloads, users, feed_keys cascade`)
  await opened.query(`delete from meta where key in ('address_secret', 'oauth_cookie_secret')`)
})

test('with a key the tables hold no secret, and every reader with it gets all', async () => {
  const address = await fill(OLD)
  const stored = await dump()
  for (const secret of [jwk.d, client.client_secret, address, FACTOR, feedSecret]) expect(stored).not.toContain(secret)
  expect(stored).toContain('Agent')
  expect(await read(OLD)).toEqual({
    jwk,
    client: { ...client, jti: 'c1' },
    address,
    factor: FACTOR,
    feedKey: feedSecret,
  })
  for (const without of [NONE, NEW]) await expect(read(without)).rejects.toThrow('expected that key in SECRETS_KEY')
})

test('secrets in clear are read with a key, and sealed once one appears', async () => {
  const address = await fill(NONE)
  const expected = { jwk, client: { ...client, jti: 'c1' }, address, factor: FACTOR, feedKey: feedSecret }
  expect([await dump()].join()).toContain(jwk.d)
  expect(await read(OLD)).toEqual(expected)
  expect([await sealSecrets(withKeys(NONE)), await countSecrets(withKeys(OLD))]).toEqual([0, { all: 5, sealed: 0 }])
  expect([await sealSecrets(withKeys(OLD)), await sealSecrets(withKeys(OLD))]).toEqual([5, 0])
  for (const secret of [jwk.d, client.client_secret, address, FACTOR, feedSecret])
    expect(await dump()).not.toContain(secret)
  expect(await read(OLD)).toEqual(expected)
})

test('a new key takes over from the former one, which may then go', async () => {
  const address = await fill(OLD)
  expect(await read(BOTH)).toMatchObject({ jwk, address, factor: FACTOR, feedKey: feedSecret })
  expect([await sealSecrets(withKeys(BOTH)), await countSecrets(withKeys(BOTH))]).toEqual([5, { all: 5, sealed: 5 }])
  expect(await read(NEW)).toMatchObject({ jwk, address, factor: FACTOR, feedKey: feedSecret })
  await expect(sealSecrets(withKeys(OLD))).rejects.toThrow('expected that key')
})

test('a sealed secret that was moved to another row does not open', async () => {
  await fill(OLD)
  await opened.query(`update oauth_keys set kid = 'k2'`)
  await expect(readSigningKeys(withKeys(OLD))).rejects.toThrow('oauth_keys k2 does not open')
})
