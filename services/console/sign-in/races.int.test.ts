import { newKey } from '@catalog/access/keys.ts'
import { newToken } from '@catalog/console/pages/token.ts'
import { INVITATIONS_OPEN_MAX } from '@catalog/console/workspace/invitation.ts'
import { KEYS_MAX } from '@catalog/console/workspace/keys.ts'
import { testClock } from '@catalog/stack/testing/clock.ts'
import {
  type Console,
  createTestWorkspace,
  type Person,
  postForm,
  signedInPerson,
  testConsole,
} from '@catalog/stack/testing/console.ts'
import { BOTH_STORES } from '@catalog/stack/testing/fixtures.ts'
import { countActiveKeys, insertKey } from '@catalog/store/accounts/accounts.ts'
import { membersOf, type Role } from '@catalog/store/accounts/members.ts'
import { insertLink, openInvitations } from '@catalog/store/accounts/people.ts'
import type { Store } from '@catalog/store/db.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

/** Concurrent changes by several people: limits hold, and the workspace keeps an owner. */
const at = '2026-11-20T12:00:00Z'

for (const [name, open, missing] of BOTH_STORES) {
  describe.skipIf(missing !== null)(`at once on ${name}`, () => {
    let store: Store
    let app: Console
    beforeAll(async () => {
      store = await open()
      app = testConsole(store, testClock(at))
    })
    afterAll(async () => {
      await app.close()
      await store[Symbol.asyncDispose]()
    })

    let people = 0
    const person = () => signedInPerson(store, { email: `person${++people}@example.org`, at })
    const given = async (...roles: Role[]) => {
      const members: [Person, Role][] = []
      for (const role of roles) members.push([await person(), role])
      const workspaceId = await createTestWorkspace(store, { name: `Obras ${++people}`, members, at })
      return {
        workspaceId,
        path: `/console/workspaces/${workspaceId}`,
        people: members.map(([member]) => member) as [Person, Person],
      }
    }
    const statuses = async (sent: readonly ReturnType<typeof postForm>[]) =>
      (await Promise.all(sent)).map(({ statusCode }) => statusCode).sort()

    test('concurrent requests issue keys up to the limit; rotation has no such limit', async () => {
      const { workspaceId, path, people } = await given('owner')
      const { mark: first } = newKey('org')
      await insertKey(store, { kind: 'org', ...first, workspaceId, name: 'site', at })
      for (let i = 3; i < KEYS_MAX; i++) {
        await insertKey(store, { kind: 'org', ...newKey('org').mark, workspaceId, name: 'site', at })
      }
      const issue = () => postForm(app, `${path}/keys`, people[0], { name: 'office' })
      expect(await statuses(Array.from({ length: 6 }, issue))).toEqual([201, 201, 409, 409, 409, 409])
      expect(await countActiveKeys(store, workspaceId)).toBe(KEYS_MAX)
      const rotate = () => postForm(app, `${path}/keys/${first.keyId}/rotate`, people[0])
      expect(await statuses([rotate(), rotate()])).toEqual([201, 409])
      expect(await countActiveKeys(store, workspaceId)).toBe(KEYS_MAX)
    })

    test('of two leaving owners one stays and learns why', async () => {
      const { workspaceId, path, people } = await given('owner', 'owner')
      const leave = (who: Person) => postForm(app, `${path}/members/${who.userId}/remove`, who)
      const answers = await Promise.all(people.map(leave))
      expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([303, 409])
      expect(answers.find(({ statusCode }) => statusCode === 409)?.body).toContain('Make another member an owner first')
      expect(await membersOf(store, workspaceId)).toHaveLength(1)
    })

    test('of two admins who remove each other, one is removed and changes nothing', async () => {
      const { workspaceId, path, people } = await given('admin', 'admin', 'owner')
      const [one, other] = people
      const remove = (who: Person, whom: Person) => postForm(app, `${path}/members/${whom.userId}/remove`, who)
      expect(await statuses([remove(one, other), remove(other, one)])).toEqual([303, 404])
      expect(await membersOf(store, workspaceId)).toHaveLength(2)
    })

    test('concurrent requests send invitations up to the limit', async () => {
      const { workspaceId, path, people } = await given('owner')
      for (let i = 1; i < INVITATIONS_OPEN_MAX; i++) {
        const invited = { email: `guest${i}@example.org`, role: 'member', expiresAt: '2026-11-27T12:00:00Z' } as const
        await insertLink(store, { purpose: 'invite', linkSha: newToken().sha, workspaceId, at, ...invited })
      }
      const invite = (_: unknown, i: number) =>
        postForm(app, `${path}/invitations`, people[0], { email: `late${i}@example.org`, role: 'member' })
      expect(await statuses(Array.from({ length: 4 }, invite))).toEqual([303, 409, 409, 409])
      expect(await openInvitations(store, { workspaceId, at })).toHaveLength(INVITATIONS_OPEN_MAX)
      // An open invitation is sent again.
      const again = await postForm(app, `${path}/invitations`, people[0], {
        email: 'GUEST1@example.org',
        role: 'admin',
      })
      expect(again.statusCode).toBe(303)
    })
  })
}
