import type { Catalog } from '@catalog/operations/catalog.ts'
import { readEnvironment } from '@catalog/runtime/env.ts'
import { listening } from '@catalog/stack/testing/cli.ts'
import { mailsTo } from '@catalog/stack/testing/console.ts'
import { openTestStore } from '@catalog/stack/testing/store.ts'
import { createWorkspace } from '@catalog/store/accounts/accounts.ts'
import { addMember, readAudit } from '@catalog/store/accounts/members.ts'
import { insertUser } from '@catalog/store/accounts/people.ts'
import { beginSecondFactor, confirmSecondFactor, owesCode } from '@catalog/store/accounts/second-factors.ts'
import { expect, test } from 'vitest'
import { turnOffSecondFactor } from './second-factor.ts'

const at = '2026-11-20T12:00:00Z'

test('an operator turns off the second factor of one person, who is told, and whose workspaces show it', async () => {
  await using store = await openTestStore()
  const catalog = { store, now: () => new Date(at) } as Catalog
  const turnOff = async (email: string) => {
    const { heard, terminal } = listening()
    const env = readEnvironment({ PUBLIC_BASE_URL: 'https://catalog.example/v1' })
    const { signal } = new AbortController()
    await turnOffSecondFactor({ catalog, terminal, env, signal }, email)
    return heard.text
  }
  await createWorkspace(store, { workspaceId: 'ws_1', name: 'Obras', plan: 'free', at })
  for (const userId of ['ana', 'ben']) {
    await insertUser(store, { userId, email: `${userId}@example.org`, passwordHash: 'none', at })
    await addMember(store, { workspaceId: 'ws_1', userId, role: 'member', at })
    await beginSecondFactor(store, { userId, secret: 'JBSWY3DPEHPK3PXP', at })
    await confirmSecondFactor(store, { userId, at })
  }
  expect(await turnOff('Ana@Example.org')).toContain('is off')
  expect([await owesCode(store, 'ana'), await owesCode(store, 'ben')]).toEqual([false, true])
  expect((await mailsTo(store, 'ana@example.org')).map(({ subject }) => subject)).toEqual([
    'The second factor is off · Construction Cost Catalog',
  ])
  expect(await readAudit(store, { workspaceId: 'ws_1', limit: 10 })).toMatchObject([
    { actor: 'operator', action: 'member.second_factor_off', target: 'ana@example.org' },
  ])
  await expect(turnOff('ana@example.org')).rejects.toThrow('ana@example.org has no second factor that is on')
  await expect(turnOff('nobody@example.org')).rejects.toThrow("'nobody@example.org': expected the e-mail of an account")
})
