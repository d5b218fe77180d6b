import { hash } from 'node:crypto'
import { newKey } from '@catalog/access/keys.ts'
import { DAY_MS, instant } from '@catalog/core/time.ts'
import {
  createTestWorkspace,
  getPage,
  ORIGIN,
  type Person,
  postForm,
  signedInPerson,
  useTestConsole,
} from '@catalog/stack/testing/console.ts'
import { addUsage, countActiveKeys, findKey, insertKey, listKeys } from '@catalog/store/accounts/accounts.ts'
import { type Role, readAudit } from '@catalog/store/accounts/members.ts'
import { beforeEach, describe, expect, test } from 'vitest'

/** Organization keys in a browser: who may issue and end them, and which of them work. */
const { app, store, clock } = await useTestConsole({ startsAt: '2026-11-20T12:00:00Z' })
let owner: Person
const now = () => instant(clock.at)

beforeEach(async () => {
  owner = await person()
})

let people = 0
const person = () => signedInPerson(store, { email: `person${++people}@example.org`, at: now() })
const given = async (plan: 'free' | 'paid' = 'paid', others: readonly (readonly [Person, Role])[] = []) => {
  const members = [[owner, 'owner'], ...others] as const
  const workspaceId = await createTestWorkspace(store, { name: `Obras ${++people}`, plan, members, at: now() })
  return {
    workspaceId,
    keys: `/console/workspaces/${workspaceId}/keys`,
    audit: `/console/workspaces/${workspaceId}/audit`,
  }
}
const keyIn = (body: string) => /svc_org_[0-9A-Za-z]{36}/.exec(body)?.[0] as string
const found = (key: string) => findKey(store, hash('sha256', key, 'buffer'))
const issue = async (keys: string, name = 'site') => {
  const response = await postForm(app, keys, owner, { name })
  return { ...response, key: keyIn(response.body), keyId: (await found(keyIn(response.body)))?.key_id }
}

describe('a key', () => {
  test('is shown once when issued, works, and appears nowhere afterwards', async () => {
    const { workspaceId, keys, audit } = await given()
    const issued = await issue(keys, ' office "A" ')
    expect([issued.statusCode, issued.headers['cache-control']]).toEqual([201, 'no-store'])
    expect(issued.body).toContain('Copy the key now')
    expect(issued.body).toContain(`${ORIGIN}/v1/items`)
    expect(await found(issued.key)).toMatchObject({ kind: 'org', workspace_id: workspaceId, revoked_at: null })

    const list = await getPage(app, keys, owner)
    expect(list.body).toContain(issued.key.slice(0, 12))
    expect(list.body).toContain('office &#34;A&#34;')
    const log = await getPage(app, audit, owner)
    expect(log.body).toContain(`issued the key ${issued.key.slice(0, 12)}…`)
    const [row] = await readAudit(store, { workspaceId, limit: 9 })
    expect(row).toMatchObject({ actor: owner.email, action: 'key.issued', details: { name: 'office "A"' } })
    const dump = await store.query<{ row: string }>(
      `select t::text as row from audit_log t union all select t::text from api_keys t union all select t::text from sessions t`,
    )
    for (const text of [list.body, log.body, dump.map(({ row }) => row).join()]) {
      expect(text).not.toContain(issued.key.slice(12, 30))
    }
  })

  test('needs a name of one line, and the form keeps the typed text', async () => {
    const { workspaceId, keys } = await given()
    for (const name of ['', '   ', 'a\nb', 'x'.repeat(201), '<b>\u202e']) {
      const refused = await postForm(app, keys, owner, { name })
      expect([name, refused.statusCode]).toEqual([name, 400])
      expect(refused.body).toMatch(/<input id="name"[^>]*aria-describedby="name-hint name-error" aria-invalid="true"/)
      expect(keyIn(refused.body)).toBeUndefined()
    }
    expect((await postForm(app, keys, owner)).statusCode).toBe(400)
    expect(await countActiveKeys(store, workspaceId)).toBe(0)
  })

  test('stays valid for a day beside its successor when rotated', async () => {
    const { workspaceId, keys } = await given()
    const former = await issue(keys)
    const rotated = await postForm(app, `${keys}/${former.keyId}/rotate`, owner)
    expect([rotated.statusCode, rotated.headers['cache-control']]).toEqual([201, 'no-store'])
    expect(rotated.body).toContain(former.key.slice(0, 12))
    expect(rotated.body).not.toContain(former.key)
    expect(await found(former.key)).toMatchObject({ expires_at: '2026-11-21T12:00:00Z', revoked_at: null })
    expect(await found(keyIn(rotated.body))).toMatchObject({ expires_at: null, workspace_id: workspaceId })
    expect((await postForm(app, `${keys}/${former.keyId}/rotate`, owner)).statusCode).toBe(409)
    const names = (await listKeys(store, { workspaceId, limit: 9 })).map(({ name }) => name)
    expect(names).toEqual(['site', 'site'])
    const state = async () => /rotated, (valid until|ended)/.exec((await getPage(app, keys, owner)).body)?.[1]
    expect(await state()).toBe('valid until')
    clock.advance(DAY_MS)
    expect(await state()).toBe('ended')
    const [audited] = await readAudit(store, { workspaceId, limit: 1 })
    const prefixes = [former.key, keyIn(rotated.body)].map((key) => key.slice(0, 12))
    expect(audited).toMatchObject({ action: 'key.rotated', target: prefixes[0], details: { successor: prefixes[1] } })
  })

  test('is revoked once and permanently, a rotated key too', async () => {
    const { workspaceId, keys } = await given()
    const first = await issue(keys)
    await postForm(app, `${keys}/${first.keyId}/rotate`, owner)
    const revoked = await postForm(app, `${keys}/${first.keyId}/revoke`, owner)
    expect([revoked.statusCode, revoked.headers.location]).toEqual([303, `${keys}?done=revoked`])
    expect(await found(first.key)).toMatchObject({ revoked_at: now() })
    expect((await postForm(app, `${keys}/${first.keyId}/revoke`, owner)).statusCode).toBe(409)
    const list = (await getPage(app, `${keys}?done=revoked`, owner)).body
    expect(list).toContain('refused within 30 seconds')
    expect(list).toContain('revoked <time')
    const actions = (await readAudit(store, { workspaceId, limit: 9 })).map(({ action }) => action)
    expect(actions).toEqual(['key.revoked', 'key.rotated', 'key.issued'])
  })

  test('shows its last use and its requests of three months', async () => {
    const { keys } = await given()
    const { keyId } = await issue(keys)
    const use = (month: string, requests: number) => ({
      subject: keyId as string,
      lastUsedAt: '2026-11-20T11:00:00Z',
      month,
      requests,
    })
    await addUsage(store, [use('2026-08-01', 7_777), use('2026-09-01', 9), use('2026-11-01', 1_234)])
    const { body } = await getPage(app, keys, owner)
    const cell = (label: string) => new RegExp(`data-label="${label}"><div>([^<]*)<`).exec(body)?.[1]
    expect(['Nov 2026', 'Oct 2026', 'Sept 2026'].map(cell)).toEqual(['1,234', '0', '9'])
    expect(body).not.toContain('7,777')
    expect(body).toContain('20 Nov 2026, 11:00 UTC')
  })

  test('is shown while valid, however many later keys ended', async () => {
    const { workspaceId, keys } = await given()
    const old = await issue(keys, 'the old one')
    await store.query(
      `insert into api_keys (key_id, kind, key_sha, display_prefix, workspace_id, name, created_at, revoked_at)
       select $1 || i, 'org', decode(md5($1 || i), 'hex'), 'svc_org_' || i, $1, 'ended', $2::timestamptz + interval '1 day', $2
         from generate_series(1, 400) i`,
      [workspaceId, now()],
    )
    const { body } = await getPage(app, keys, owner)
    expect(body).toContain(old.key.slice(0, 12))
    expect(body.length).toBeLessThan(400_000)
  })
})

describe('members without the admin role', () => {
  test('see names, prefixes and usage without forms', async () => {
    const member = await person()
    const { keys } = await given('paid', [[member, 'member']])
    const { key } = await issue(keys)
    const { body } = await getPage(app, keys, member)
    expect(body).toContain(key.slice(0, 12))
    expect(body).not.toMatch(/<form(?![^>]*sign-out)/)
    expect((await getPage(app, keys, owner)).body).toMatch(/<form(?![^>]*sign-out)/)
  })
})

describe('a free plan', () => {
  test('issues no keys and says why; existing keys can be revoked', async () => {
    const { workspaceId, keys } = await given('free')
    const { mark } = newKey('org')
    await insertKey(store, { kind: 'org', ...mark, workspaceId, name: 'of before', at: now() })
    const { body } = await getPage(app, keys, owner)
    expect(body).toContain('the operator of this catalog sets')
    expect(body).not.toContain(`action="${keys}"`)
    for (const url of [keys, `${keys}/${mark.keyId}/rotate`]) {
      const refused = await postForm(app, url, owner, { name: 'site' })
      expect([refused.statusCode, keyIn(refused.body)]).toEqual([403, undefined])
      expect(refused.body).toContain('the operator of this catalog sets')
    }
    expect(await countActiveKeys(store, workspaceId)).toBe(1)
    expect((await postForm(app, `${keys}/${mark.keyId}/revoke`, owner)).statusCode).toBe(303)
  })
})
