import { instant } from '@catalog/core/time.ts'
import { BOTH_STORES } from '@catalog/stack/testing/fixtures.ts'
import type { Store } from '@catalog/store/db.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createWorkspace } from './accounts.ts'
import { insertDevice, lockedOutUntil } from './devices.ts'
import {
  changePassword,
  endLinks,
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
      await store.query(`truncate users, sign_in_waits, mailed_links, workspaces cascade`)
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
      test('keeps the time of its last use when a process has a clock behind', async () => {
        await session('one')
        for (const day of [5, 1]) await touchSession(store, { sessionSha: sha('one'), at: at(day * DAY) })
        expect(await findSession(store, { sessionSha: sha('one'), at: at(6 * DAY) })).toMatchObject({
          seen_at: at(5 * DAY),
        })
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

      test('to join is listed and can be used or withdrawn until it expires, the newest first', async () => {
        for (const [i, of] of ['first', 'second'].entries()) await invitation(of, i)
        const listed = async (seconds: number) =>
          (await openInvitations(store, { workspaceId: 'ws_1', at: at(seconds) })).map(({ email }) => email)
        expect([await listed(59), await listed(60)]).toEqual([['second@example.org', 'first@example.org'], []])
        const late = { workspaceId: 'ws_1', linkSha: sha('first'), at: at(60) }
        expect([await withdrawInvitation(store, late), await redeemLink(store, late)]).toEqual([undefined, undefined])
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

      test('of sign-ins is deleted in bounded batches too: waits after a day, devices after half a year', async () => {
        await verifyUser(store, { userId: 'ana', passwordHash: 'hash of ana', at: NOON })
        for (const of of ['a', 'b', 'c']) await insertDevice(store, { deviceSha: sha(of), userId: 'ana', at: NOON })
        for (const bucket of ['a', 'b']) await lockedOutUntil(store, { bucket, at: NOON })
        const purged: number[] = []
        for (const days of [1 - 1 / DAY, 1, 180 - 1 / DAY, 180, 180, 180])
          purged.push(await purgePeople(store, { at: at(days * DAY), max: 2 }))
        expect(purged).toEqual([0, 2, 0, 2, 1, 0])
      })
    })
  })
}
