import { testClock } from '@catalog/stack/testing/clock.ts'
import { BOTH_STORES } from '@catalog/stack/testing/fixtures.ts'
import { purgePayloads } from '@catalog/store/accounts/oauth.ts'
import type { Store } from '@catalog/store/db.ts'
import type { Adapter, AdapterFactory } from 'oidc-provider'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { storedModels } from './oauth-adapter.ts'

for (const [name, open, missing] of BOTH_STORES) {
  describe.skipIf(missing !== null)(`models of the authorization server on ${name}`, () => {
    let store: Store
    let clock: ReturnType<typeof testClock>
    let adapter: (model: string) => Adapter
    beforeAll(async () => {
      store = await open()
    })
    afterAll(() => store[Symbol.asyncDispose]())
    beforeEach(async () => {
      await store.query(`truncate oauth_payloads`)
      clock = testClock()
      adapter = storedModels({ store, now: () => clock.at }) as (model: string) => Adapter & AdapterFactory
    })
    const code = { jti: 'secret-code', grantId: 'grant-1', clientId: 'c' }

    test('are read as written, until they expire', async () => {
      const codes = adapter('AuthorizationCode')
      await codes.upsert('secret-code', code, 60)
      expect(await codes.find('secret-code')).toEqual(code)
      expect(await adapter('RefreshToken').find('secret-code')).toBeUndefined()
      clock.advance(60_000)
      expect(await codes.find('secret-code')).toBeUndefined()
      expect(await purgePayloads(store, { at: '2026-11-20T12:00:59Z', max: 9 })).toBe(0)
      expect(await purgePayloads(store, { at: '2026-11-20T12:01:01Z', max: 9 })).toBe(1)
    })

    test('are stored without usable secrets', async () => {
      await adapter('RefreshToken').upsert('secret-token', { jti: 'secret-token', grantId: 'g' }, 60)
      await adapter('Session').upsert('secret-cookie', { jti: 'secret-cookie', uid: 'known' }, 60)
      expect(JSON.stringify(await store.query(`select * from oauth_payloads`))).not.toContain('secret')
      expect(await adapter('Session').findByUid('known')).toMatchObject({ uid: 'known' })
    })

    test('are consumed once, by concurrent requests too, and a second use revokes the grant', async () => {
      const codes = adapter('AuthorizationCode')
      await codes.upsert('secret-code', code, 60)
      await adapter('RefreshToken').upsert('token', { grantId: 'grant-1' }, 600)
      await adapter('Grant').upsert('grant-1', { jti: 'grant-1' }, 600)
      await adapter('Grant').upsert('grant-2', { jti: 'grant-2' }, 600)
      const uses = await Promise.allSettled(Array.from({ length: 10 }, () => codes.consume('secret-code')))
      expect(uses.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
      expect(await codes.find('secret-code')).toBeUndefined()
      expect(await adapter('RefreshToken').find('token')).toBeUndefined()
      expect(await adapter('Grant').find('grant-1')).toBeUndefined()
      expect(await adapter('Grant').find('grant-2')).toBeDefined()
    })

    test('record when they were consumed', async () => {
      const codes = adapter('AuthorizationCode')
      await codes.upsert('secret-code', code, 60)
      await codes.consume('secret-code')
      expect(await codes.find('secret-code')).toEqual({ ...code, consumed: Date.parse('2026-11-20T12:00:00Z') / 1000 })
    })

    test('a client without consent is deleted after a day', async () => {
      await adapter('Client').upsert('client-1', { client_id: 'client-1' }, undefined as never)
      clock.advance(86_399_000)
      expect(await adapter('Client').find('client-1')).toMatchObject({ client_id: 'client-1' })
      clock.advance(1_000)
      expect(await adapter('Client').find('client-1')).toBeUndefined()
    })
  })
}
