import { BOTH_STORES } from '@catalog/stack/testing/fixtures.ts'
import type { Store, Transaction } from '@catalog/store/db.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createWorkspace, insertKey } from './accounts.ts'
import {
  addMember,
  appendAudit,
  findMembership,
  lockWorkspace,
  membersOf,
  type Role,
  readAudit,
  removeMember,
  roleIn,
  setMemberRole,
  workspacesOf,
} from './members.ts'

const NOON = '2026-11-20T12:00:00Z'
const workspaceId = 'ws_1'

for (const [name, open, missing] of BOTH_STORES) {
  describe.skipIf(missing !== null)(`members on ${name}`, () => {
    let store: Store
    beforeAll(async () => {
      store = await open()
    })
    afterAll(() => store[Symbol.asyncDispose]())
    beforeEach(async () => {
      await store.query(`truncate workspaces, users cascade`)
      await createWorkspace(store, { workspaceId, name: 'Obras', plan: 'paid', at: NOON })
      await createWorkspace(store, { workspaceId: 'ws_2', name: 'Almacén', plan: 'free', at: NOON })
      for (const userId of ['ana', 'Bea', 'cai']) {
        await store.query(`insert into users values ($1, $1 || '@example.org', 'hash', $2, $2)`, [userId, NOON])
      }
    })

    const given = async (roles: Readonly<Record<string, Role>>) => {
      for (const [userId, role] of Object.entries(roles)) {
        await addMember(store, { workspaceId, userId, role, at: NOON })
      }
    }
    const roles = async () =>
      Object.fromEntries((await membersOf(store, workspaceId)).map(({ user_id, role }) => [user_id, role]))
    const set = (userId: string, role: Role) => (tx: Transaction) => setMemberRole(tx, { workspaceId, userId, role })
    const remove = (userId: string) => (tx: Transaction) => removeMember(tx, { workspaceId, userId })

    test('a person joins once, keeps the first role, and is listed by role, then by e-mail', async () => {
      await given({ cai: 'member', Bea: 'admin', ana: 'admin' })
      expect(await addMember(store, { workspaceId, userId: 'cai', role: 'owner', at: NOON })).toBe(false)
      expect(await membersOf(store, workspaceId)).toEqual([
        { user_id: 'ana', email: 'ana@example.org', role: 'admin', created_at: NOON },
        { user_id: 'Bea', email: 'Bea@example.org', role: 'admin', created_at: NOON },
        { user_id: 'cai', email: 'cai@example.org', role: 'member', created_at: NOON },
      ])
      expect(await membersOf(store, 'ws_2')).toEqual([])
    })

    test('a person sees exactly their own workspaces', async () => {
      await given({ ana: 'owner' })
      await addMember(store, { workspaceId: 'ws_2', userId: 'ana', role: 'member', at: NOON })
      const obras = { workspace_id: workspaceId, name: 'Obras', plan: 'paid', role: 'owner' }
      expect(await workspacesOf(store, 'ana')).toEqual([
        { workspace_id: 'ws_2', name: 'Almacén', plan: 'free', role: 'member' },
        obras,
      ])
      expect(await workspacesOf(store, 'cai')).toEqual([])
      expect(await findMembership(store, { workspaceId, userId: 'ana' })).toEqual(obras)
      expect(await findMembership(store, { workspaceId, userId: 'cai' })).toBeUndefined()
      expect(await findMembership(store, { workspaceId: 'ws_none', userId: 'ana' })).toBeUndefined()
      expect(await roleIn(store, { workspaceId, userId: 'ana' })).toBe('owner')
      expect(await roleIn(store, { workspaceId: 'ws_none', userId: 'ana' })).toBeUndefined()
    })

    test('sets roles and removes members, if they are members', async () => {
      await given({ ana: 'owner', Bea: 'member' })
      expect(await store.transaction(set('Bea', 'admin'))).toBe(true)
      expect(await roles()).toEqual({ ana: 'owner', Bea: 'admin' })
      expect(await store.transaction(set('cai', 'admin'))).toBe(false)
      expect(await store.transaction(remove('Bea'))).toBe(true)
      expect(await store.transaction(remove('Bea'))).toBe(false)
      expect(await roles()).toEqual({ ana: 'owner' })
    })

    test('the last owner keeps the role until there is another owner', async () => {
      await given({ ana: 'owner', Bea: 'admin' })
      // The owner of another workspace is not an owner of this one.
      await addMember(store, { workspaceId: 'ws_2', userId: 'cai', role: 'owner', at: NOON })
      expect(await store.transaction(set('ana', 'admin'))).toBe(false)
      expect(await store.transaction(remove('ana'))).toBe(false)
      expect(await store.transaction(set('ana', 'owner'))).toBe(true)
      expect(await roles()).toEqual({ ana: 'owner', Bea: 'admin' })
      await store.transaction(set('Bea', 'owner'))
      expect(await store.transaction(set('ana', 'member'))).toBe(true)
      expect(await roles()).toEqual({ Bea: 'owner', ana: 'member' })
    })

    test.each([
      ['leave at the same time', [remove('ana'), remove('Bea')]],
      ['give up their role at the same time', [set('ana', 'admin'), set('Bea', 'member')]],
      ['remove each other', [remove('Bea'), remove('ana')]],
      ['demote and remove each other', [set('ana', 'member'), remove('Bea')]],
    ])('of two owners that %s, one stays, in either order', async (_, works) => {
      for (const [first, second] of [works, works.toReversed()] as [(typeof works)[0], (typeof works)[0]][]) {
        await store.query(`truncate workspace_members`)
        await given({ ana: 'owner', Bea: 'owner' })
        let late: Promise<boolean> | undefined
        const early = await store.transaction(async (tx) => {
          const done = await first(tx)
          late = store.transaction(second)
          // Awaiting the second here would deadlock on the embedded store; these statements give it time to start.
          for (let i = 0; i < 20; i++) await tx.query('select 1')
          return done
        })
        expect([early, await late]).toEqual([true, false])
        expect(Object.values(await roles()).filter((role) => role === 'owner')).toHaveLength(1)
      }
    })

    test('a change of members blocks other changes, but not the issuing of keys', async () => {
      await given({ ana: 'owner', Bea: 'admin' })
      let late: Promise<unknown> | undefined
      let key: Promise<unknown> | undefined
      const order: string[] = []
      await store.transaction(async (tx) => {
        await lockWorkspace(tx, workspaceId)
        late = store.transaction(set('Bea', 'member')).then(() => order.push('changed'))
        const mark = { keyId: 'key_1', keySha: Buffer.from('sha'), displayPrefix: 'svc_org_abcd' }
        key = insertKey(store, { kind: 'org', ...mark, workspaceId, name: 'site', at: NOON })
        if (store.kind === 'postgres') await key
        expect(await roleIn(tx, { workspaceId, userId: 'Bea' })).toBe('admin')
        order.push('read')
      })
      await Promise.all([late, key])
      expect(order).toEqual(['read', 'changed'])
    })

    test("reads one workspace's audit log in pages, newest first", async () => {
      const audit = (target: string, of = workspaceId) =>
        appendAudit(store, { workspaceId: of, at: NOON, actor: 'ana@example.org', action: 'key.issued', target })
      for (const target of ['a', 'b', 'c']) await audit(target)
      await audit('elsewhere', 'ws_2')
      const details = { role: 'admin' }
      const invited = { actor: 'operator', action: 'member.invited', target: 'bea@example.org', details } as const
      await appendAudit(store, { workspaceId, at: NOON, ...invited })
      const first = await readAudit(store, { workspaceId, limit: 2 })
      expect(first).toEqual([
        { audit_id: expect.any(BigInt), at: NOON, ...invited },
        expect.objectContaining({ target: 'c', actor: 'ana@example.org', action: 'key.issued', details: {} }),
      ])
      const older = await readAudit(store, { workspaceId, before: first[1]?.audit_id, limit: 9 })
      expect(older.map(({ target }) => target)).toEqual(['b', 'a'])
    })

    test('a rollback removes the audit entry', async () => {
      await store
        .transaction(async (tx) => {
          await appendAudit(tx, { workspaceId, at: NOON, actor: 'a', action: 'key.revoked', target: 'k' })
          throw new Error('undone')
        })
        .catch(() => {})
      expect(await readAudit(store, { workspaceId, limit: 9 })).toEqual([])
    })
  })
}
