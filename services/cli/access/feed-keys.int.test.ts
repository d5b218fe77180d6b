import type { Catalog } from '@catalog/operations/catalog.ts'
import { listening } from '@catalog/stack/testing/cli.ts'
import { openTestStore } from '@catalog/stack/testing/store.ts'
import { expect, test } from 'vitest'
import { listFeedKeys, rotateFeedKeys } from './feed-keys.ts'

test('feed keys are listed and rotated, and no answer shows a secret', async () => {
  await using store = await openTestStore()
  let now = '2026-11-20T12:00:00Z'
  const catalog = { store, now: () => new Date(now) } as Catalog
  const answer = async (work: typeof listFeedKeys) => {
    const { heard, terminal } = listening()
    await work({ catalog, terminal })
    const rows = await store.query<{ secret: string | null }>('select secret from feed_keys')
    for (const { secret } of rows) expect(JSON.stringify(heard)).not.toContain(secret ?? 'none')
    return { ...(heard.answers[0] as { catalog: string; keys: { id: string }[] }), text: heard.text }
  }
  const { catalog: id, keys: made } = await answer(listFeedKeys)
  expect(id).toMatch(/^[0-9a-f]{32}$/)
  expect(made).toMatchObject([{ state: 'signs', signs_until: null, created_at: now, endorsed_by: [] }])
  const [first] = made
  now = '2026-12-01T12:00:00Z'
  const { keys: rotated, text } = await answer(rotateFeedKeys)
  expect(rotated).toMatchObject([
    { id: first?.id, state: 'signs', signs_until: '2027-03-01T12:00:00Z' },
    { state: 'signs', signs_until: null, endorsed_by: [first?.id] },
  ])
  expect(text).toContain('signs until 2027-03-01T12:00:00Z')
  now = '2027-03-01T12:00:00Z'
  expect((await answer(listFeedKeys)).keys).toMatchObject([{ state: 'signed' }, { state: 'signs' }])
})
