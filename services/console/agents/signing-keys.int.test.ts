import { DAY_MS, MINUTE_MS } from '@catalog/core/time.ts'
import { testClock } from '@catalog/stack/testing/clock.ts'
import { storeOfFile } from '@catalog/stack/testing/fixtures.ts'
import { addSigningKey, readSigningKeys } from '@catalog/store/accounts/oauth.ts'
import type { Store } from '@catalog/store/db.ts'
import { decodeProtectedHeader, importJWK, jwtVerify, SignJWT } from 'jose'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  openSigningKeys,
  renewSigningKeys,
  replaceSigningKeys,
  rotateSigningKey,
  type SigningKeys,
} from './signing-keys.ts'

const store = await storeOfFile()
beforeEach(async () => {
  await store.query(`truncate oauth_keys`)
})

const AT = '2026-11-01T00:00:00Z'

/** Processes that sign and verify on one clock. */
function processes(count: number) {
  const clock = testClock()
  const deps = { store, now: () => clock.at }
  return { clock, deps, all: Array.from({ length: count }, () => openSigningKeys(deps)) }
}

async function signedBy(keys: SigningKeys, at: Date): Promise<string> {
  const { jwks, kid } = await keys.current()
  const key = await importJWK(jwks.find((jwk) => jwk.kid === kid) as object, 'ES256')
  const exp = Math.floor(at.getTime() / 1000) + 600
  return await new SignJWT({ exp }).setProtectedHeader({ alg: 'ES256', kid }).sign(key)
}

const isTaken = (keys: SigningKeys, token: string, at: Date) =>
  jwtVerify(token, keys.verifying, { currentDate: at }).then(
    () => true,
    () => false,
  )

describe('signing keys', () => {
  test('begin with one key even when several processes start at once', async () => {
    const { all } = processes(5)
    const sets = await Promise.all(all.map((keys) => keys.current()))
    expect(new Set(sets.map(({ kid }) => kid)).size).toBe(1)
    expect((await all[0]?.current())?.jwks).toHaveLength(1)
  })

  test('add no first key while another process is adding one', async () => {
    const key = (kid: string) => ({ kid, jwk: {}, at: AT, signsFrom: AT, isFirst: true })
    let second: Promise<boolean> = Promise.resolve(true)
    await store.transaction(async (tx) => {
      await tx.query(`insert into oauth_keys (kid, jwk, created_at, signs_from) values ('first', '{}', $1, $1)`, [AT])
      let isAdded = false
      second = addSigningKey(store, key('second')).then((added) => {
        isAdded = true
        return added
      })
      // Each query gives the second process time: it adds its key here or waits for this transaction.
      for (let query = 0; query < 50 && !isAdded; query++) await tx.query('select 1')
    })
    expect(await second).toBe(false)
    expect((await readSigningKeys(store)).map(({ kid }) => kid)).toEqual(['first'])
  })

  test('rotate without any process refusing a valid token, whatever key set it read last', async () => {
    const { clock, deps, all } = processes(3)
    await Promise.all(all.map((keys) => keys.current()))
    await rotateSigningKey(deps)
    const issued: { token: string; untilMs: number }[] = []
    const signers = new Set<string | undefined>()
    for (let minute = 0; minute < 45; minute++) {
      for (const [i, keys] of all.entries()) {
        // Each process reads the key set at its own times.
        if (i > 0 && (minute + i) % (i + 2) !== 0) continue
        const token = await signedBy(keys, clock.at)
        signers.add(decodeProtectedHeader(token).kid)
        issued.push({ token, untilMs: clock.at.getTime() + 10 * MINUTE_MS })
      }
      if (minute % 5 === 0) await renewSigningKeys(deps)
      const lasting = issued.filter(({ untilMs }) => untilMs > clock.at.getTime())
      for (const { token } of lasting) for (const keys of all) expect(await isTaken(keys, token, clock.at)).toBe(true)
      clock.advance(MINUTE_MS)
    }
    expect(signers.size).toBe(2)
    // The old key is gone at last.
    expect((await all[0]?.current())?.jwks).toHaveLength(1)
  })

  test('are replaced automatically after a quarter of a year', async () => {
    const { clock, deps, all } = processes(1)
    const [keys] = all as [SigningKeys]
    const { kid } = await keys.current()
    clock.advance(89 * DAY_MS)
    await renewSigningKeys(deps)
    expect((await keys.current()).jwks).toHaveLength(1)
    clock.advance(2 * DAY_MS)
    await renewSigningKeys(deps)
    clock.advance(10 * MINUTE_MS)
    expect((await keys.current()).kid).not.toBe(kid)
  })

  test('are replaced at once after a leak, and their tokens are refused', async () => {
    const { clock, deps, all } = processes(2)
    const [one, two] = all as [SigningKeys, SigningKeys]
    const leaked = await signedBy(one, clock.at)
    await rotateSigningKey(deps)
    clock.advance(1_000)
    const { kid } = await replaceSigningKeys(deps)
    clock.advance(30_000)
    expect(await one.current()).toMatchObject({ kid, jwks: { length: 1 } })
    for (const keys of [one, two]) expect(await isTaken(keys, leaked, clock.at)).toBe(false)
    expect(await isTaken(two, await signedBy(one, clock.at), clock.at)).toBe(true)
  })

  test('are read again for unknown key ids at a bounded rate, not for every guess', async () => {
    const clock = testClock()
    let reads = 0
    const counting = {
      ...store,
      query(sql: string, given?: readonly unknown[]) {
        reads++
        return store.query(sql, given)
      },
    }
    const keys = openSigningKeys({ store: counting as Store, now: () => clock.at })
    await keys.current()
    reads = 0
    for (let i = 0; i < 50; i++)
      await expect(keys.verifying({ alg: 'ES256', kid: `k${i}` }, {} as never)).rejects.toThrow()
    expect(reads).toBeLessThanOrEqual(1)
  })
})
