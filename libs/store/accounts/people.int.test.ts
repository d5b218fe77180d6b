import { instant } from '@catalog/core/time.ts'
import { BOTH_STORES } from '@catalog/stack/testing/fixtures.ts'
import type { Store } from '@catalog/store/db.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createWorkspace } from './accounts.ts'
import {
  changePassword,
  endLinks,
  endSession,
  endSessions,
  findLink,
  findSession,
  findUser,
  insertLink,
  insertSession,
  insertUser,
  listSessions,
  openInvitations,
  purgePeople,
  redeemLink,
  setPassword,
  setPendingPassword,
  touchSession,
  verifyUser,
  withdrawInvitation,
} from './people.ts'

const NOON = '2026-11-20T12:00:00Z'
const DAY = 86_400
const at = (seconds: number) => instant(new Date(Date.parse(NOON) + seconds * 1000))
const sha = (name: string) => Buffer.from(name.padEnd(32, '.'))

for (const [name, open, missing] of BOTH_STORES) {
  describe.skipIf(missing !== null)(`people on ${name}`, () => {
    let store: Store
    beforeAll(async () => {
      store = await open()
    })
    afterAll(() => store[Symbol.asyncDispose]())
    beforeEach(async () => {
      await store.query(`truncate users, sessions, mailed_links, workspace_members, workspaces cascade`)
      await user('ana', 'Ana@example.org')
      await createWorkspace(store, { workspaceId: 'ws_1', name: 'Obras', plan: 'paid', at: NOON })
    })

    const user = (userId: string, email: string, seconds = 0) =>
      insertUser(store, { userId, email, passwordHash: `hash of ${userId}`, at: at(seconds) })
    const session = (of: string, userId = 'ana', seconds = 0) =>
      insertSession(store, { sessionSha: sha(of), userId, browser: of, at: at(seconds) })
    const link = (of: string, purpose: 'verify' | 'reset' = 'verify', userId = 'ana') =>
      insertLink(store, { linkSha: sha(of), email: 'Ana@example.org', at: NOON, expiresAt: at(60), purpose, userId })
    const invitation = (of: string, seconds = 0) =>
      insertLink(store, {
        linkSha: sha(of),
        email: `${of}@example.org`,
        at: at(seconds),
        expiresAt: at(60),
        purpose: 'invite',
        workspaceId: 'ws_1',
        role: 'admin',
      })

    describe('a person', () => {
      test('is found by the e-mail in any case, which is unique', async () => {
        expect(await findUser(store, { email: 'ANA@EXAMPLE.ORG' })).toEqual({
          user_id: 'ana',
          email: 'Ana@example.org',
          password_hash: 'hash of ana',
          verified_at: null,
          created_at: NOON,
        })
        expect(await findUser(store, { userId: 'ana' })).toEqual(await findUser(store, { email: 'ana@example.org' }))
        expect(await user('bea', 'ana@EXAMPLE.org')).toBe(false)
        expect(await findUser(store, { userId: 'bea' })).toBeUndefined()
        expect(await findUser(store, { email: 'an_@example.org' })).toBeUndefined()
      })

      test('is created once by ten concurrent sign-ups with one e-mail', async () => {
        const made = await Promise.all(Array.from({ length: 10 }, (_, i) => user(`u${i}`, 'many@example.org')))
        expect(made.filter(Boolean)).toHaveLength(1)
      })

      test('is verified only with the checked password, and the first time stays', async () => {
        expect(await verifyUser(store, { userId: 'ana', passwordHash: 'another', at: at(1) })).toBe(false)
        expect((await findUser(store, { userId: 'ana' }))?.verified_at).toBeNull()
        expect(await verifyUser(store, { userId: 'ana', passwordHash: 'hash of ana', at: at(2) })).toBe(true)
        expect(await verifyUser(store, { userId: 'ana', passwordHash: 'hash of ana', at: at(3) })).toBe(true)
        expect((await findUser(store, { userId: 'ana' }))?.verified_at).toBe(at(2))
      })

      test('keeps a verified password when somebody signs up again', async () => {
        await setPendingPassword(store, { userId: 'ana', passwordHash: 'second' })
        expect((await findUser(store, { userId: 'ana' }))?.password_hash).toBe('second')
        await verifyUser(store, { userId: 'ana', passwordHash: 'second', at: NOON })
        await setPendingPassword(store, { userId: 'ana', passwordHash: 'third' })
        expect((await findUser(store, { userId: 'ana' }))?.password_hash).toBe('second')
      })

      test('is never verified with a password set while the link was used', async () => {
        for (let round = 0; round < 20; round++) {
          await store.query(`update users set verified_at = null, password_hash = 'mine'`)
          const [isVerified] = await Promise.all([
            verifyUser(store, { userId: 'ana', passwordHash: 'mine', at: NOON }),
            setPendingPassword(store, { userId: 'ana', passwordHash: 'a stranger’s' }),
          ])
          const found = await findUser(store, { userId: 'ana' })
          expect([found?.verified_at !== null, found?.password_hash === 'mine']).toEqual([isVerified, isVerified])
        }
      })

      test('changes the password once per former one, and always by a mailed link', async () => {
        const change = (passwordHash: string) =>
          changePassword(store, { userId: 'ana', former: 'hash of ana', passwordHash })
        const changed = await Promise.all(['a', 'b', 'c'].map(change))
        expect(changed.filter(Boolean)).toHaveLength(1)
        await setPassword(store, { userId: 'ana', passwordHash: 'new', at: at(5) })
        expect(await findUser(store, { userId: 'ana' })).toMatchObject({ password_hash: 'new', verified_at: at(5) })
      })
    })

    describe('a session', () => {
      test('is found by its hash until thirty days after its start or seven after its last use', async () => {
        await session('one')
        const found = (seconds: number) => findSession(store, { sessionSha: sha('one'), at: at(seconds) })
        expect(await found(0)).toEqual({ user_id: 'ana', email: 'Ana@example.org', seen_at: NOON })
        expect(await findSession(store, { sessionSha: sha('two'), at: NOON })).toBeUndefined()
        expect(await found(7 * DAY - 1)).toBeDefined()
        expect(await found(7 * DAY)).toBeUndefined()
        for (const day of [6, 12, 18, 24, 29]) await touchSession(store, { sessionSha: sha('one'), at: at(day * DAY) })
        expect(await found(30 * DAY - 1)).toMatchObject({ seen_at: at(29 * DAY) })
        expect(await found(30 * DAY)).toBeUndefined()
        // A process whose clock is behind does not move the time back.
        await touchSession(store, { sessionSha: sha('one'), at: at(DAY) })
        expect(await found(29 * DAY)).toMatchObject({ seen_at: at(29 * DAY) })
      })

      test('ends alone, with all sessions of its person, or with all but one', async () => {
        await user('bea', 'bea@example.org')
        for (const of of ['one', 'two', 'three']) await session(of)
        await session('other', 'bea')
        const left = async (userId: string) =>
          (await listSessions(store, { userId, at: NOON, limit: 9 })).map(({ browser }) => browser).sort()
        await endSession(store, sha('one'))
        expect(await left('ana')).toEqual(['three', 'two'])
        await endSessions(store, 'ana', { except: sha('two') })
        expect([await left('ana'), await left('bea')]).toEqual([['two'], ['other']])
        await endSessions(store, 'ana')
        expect([await left('ana'), await left('bea')]).toEqual([[], ['other']])
      })

      test('is listed while it lasts, last used first', async () => {
        await session('old', 'ana', -7 * DAY)
        await session('first', 'ana', -60)
        await session('second', 'ana', -30)
        await touchSession(store, { sessionSha: sha('first'), at: NOON })
        const listed = await listSessions(store, { userId: 'ana', at: NOON, limit: 9 })
        expect(listed.map(({ browser }) => browser)).toEqual(['first', 'second'])
        expect(listed[0]).toEqual({ session_sha: sha('first'), browser: 'first', created_at: at(-60), seen_at: NOON })
        expect(await listSessions(store, { userId: 'ana', at: NOON, limit: 1 })).toHaveLength(1)
      })
    })

    describe('a link', () => {
      test('is redeemed once by ten concurrent callers', async () => {
        await link('verify')
        expect(await findLink(store, { linkSha: sha('verify'), at: at(59) })).toMatchObject({
          purpose: 'verify',
          user_id: 'ana',
          workspace_id: null,
          role: null,
          email: 'Ana@example.org',
        })
        const take = () => redeemLink(store, { linkSha: sha('verify'), at: at(59) })
        const taken = await Promise.all(Array.from({ length: 10 }, take))
        expect(taken.filter((row) => row !== undefined)).toHaveLength(1)
        expect(await findLink(store, { linkSha: sha('verify'), at: at(59) })).toBeUndefined()
      })

      test('works until it expires, exclusive of that instant', async () => {
        await link('reset', 'reset')
        expect(await findLink(store, { linkSha: sha('reset'), at: at(60) })).toBeUndefined()
        expect(await redeemLink(store, { linkSha: sha('reset'), at: at(60) })).toBeUndefined()
        expect(await redeemLink(store, { linkSha: sha('other'), at: NOON })).toBeUndefined()
        expect(await redeemLink(store, { linkSha: sha('reset'), at: at(59) })).toBeDefined()
      })

      test('redeemed in a failed transaction stays usable', async () => {
        await link('verify')
        const failing = store.transaction(async (tx) => {
          await redeemLink(tx, { linkSha: sha('verify'), at: NOON })
          throw new Error('no')
        })
        await expect(failing).rejects.toThrow('no')
        expect(await redeemLink(store, { linkSha: sha('verify'), at: NOON })).toBeDefined()
      })

      test('ends with all other links of its person, except invitations', async () => {
        await user('bea', 'bea@example.org')
        await link('one')
        await link('two', 'reset')
        await link('other', 'reset', 'bea')
        await invitation('guest')
        await endLinks(store, { userId: 'ana', at: NOON })
        const isThere = async (of: string) => (await findLink(store, { linkSha: sha(of), at: NOON })) !== undefined
        expect(await Promise.all(['one', 'two', 'other', 'guest'].map(isThere))).toEqual([false, false, true, true])
      })

      test('to join is listed until used, withdrawn or expired; only its workspace can withdraw it', async () => {
        await createWorkspace(store, { workspaceId: 'ws_2', name: 'Other', plan: 'paid', at: NOON })
        for (const [i, of] of ['first', 'second', 'third'].entries()) await invitation(of, i)
        await link('verify')
        const listed = async (seconds = 5) =>
          (await openInvitations(store, { workspaceId: 'ws_1', at: at(seconds) })).map(
            ({ email }) => email.split('@')[0],
          )
        expect(await listed()).toEqual(['third', 'second', 'first'])
        const withdraw = (workspaceId: string, of: string) =>
          withdrawInvitation(store, { workspaceId, linkSha: sha(of), at: at(5) })
        expect(await withdraw('ws_2', 'first')).toBeUndefined()
        expect(await withdraw('ws_1', 'verify')).toBeUndefined()
        expect(await withdraw('ws_1', 'first')).toBe('first@example.org')
        expect(await withdraw('ws_1', 'first')).toBeUndefined()
        expect(await redeemLink(store, { linkSha: sha('first'), at: at(5) })).toBeUndefined()
        expect(await redeemLink(store, { linkSha: sha('second'), at: at(5) })).toMatchObject({
          purpose: 'invite',
          workspace_id: 'ws_1',
          role: 'admin',
          user_id: null,
        })
        expect(await listed()).toEqual(['third'])
        expect(await listed(60)).toEqual([])
      })
    })

    describe('expired data', () => {
      test('is deleted in bounded batches: sessions, links and unverified people; nothing else', async () => {
        await verifyUser(store, { userId: 'ana', passwordHash: 'hash of ana', at: NOON })
        await user('new', 'new@example.org', DAY)
        await user('stranger', 'stranger@example.org', -7 * DAY)
        await user('waiting', 'waiting@example.org', -7 * DAY)
        await insertLink(store, {
          linkSha: sha('waiting'),
          email: 'waiting@example.org',
          at: NOON,
          expiresAt: at(DAY),
          purpose: 'verify',
          userId: 'waiting',
        })
        await session('idle', 'ana', -7 * DAY)
        await session('lasting', 'ana', -7 * DAY + 1)
        await link('over')
        // The second run deletes the pending link, the third the person.
        const purged = []
        for (const seconds of [60, DAY, DAY, DAY]) purged.push(await purgePeople(store, { at: at(seconds), max: 100 }))
        expect(purged).toEqual([4, 1, 1, 0])
        const rows = async (table: string, column: string) =>
          (await store.query<{ value: unknown }>(`select ${column} as value from ${table} order by 1`)).map(
            ({ value }) => value,
          )
        expect(await rows('users', 'user_id')).toEqual(['ana', 'new'])
        expect(await rows('sessions', 'browser')).toEqual([])
        expect(await rows('mailed_links', 'link_sha')).toEqual([])

        for (const of of ['a', 'b', 'c']) await session(of)
        expect(await purgePeople(store, { at: at(7 * DAY), max: 2 })).toBe(2)
        expect(await purgePeople(store, { at: at(7 * DAY), max: 2 })).toBe(1)
      })
    })
  })
}
