import { BOTH_STORES } from '@catalog/stack/testing/fixtures.ts'
import type { Store, Transaction } from '@catalog/store/db.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createWorkspace, insertKey } from './accounts.ts'
import {
  addMember,
  lockWorkspace,
  membersOf,
  type Role,
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

    test('a person joins once and keeps the role; lists are by role, then by e-mail, and by name', async () => {
      await given({ cai: 'member', Bea: 'admin', ana: 'admin' })
      expect(await addMember(store, { workspaceId, userId: 'cai', role: 'owner', at: NOON })).toBe(false)
      expect(await membersOf(store, workspaceId)).toEqual([
        { user_id: 'ana', email: 'ana@example.org', role: 'admin', created_at: NOON },
        { user_id: 'Bea', email: 'Bea@example.org', role: 'admin', created_at: NOON },
        { user_id: 'cai', email: 'cai@example.org', role: 'member', created_at: NOON },
      ])
      await addMember(store, { workspaceId: 'ws_2', userId: 'cai', role: 'owner', at: NOON })
      expect((await workspacesOf(store, 'cai')).map((row) => row.name)).toEqual(['Almacén', 'Obras'])
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
        // The owner of another workspace is not an owner of this one.
        await addMember(store, { workspaceId: 'ws_2', userId: 'cai', role: 'owner', at: NOON })
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
  })
}
