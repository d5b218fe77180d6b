import type { Stage } from '@catalog/cli/shared/context.ts'
import type { Catalog } from '@catalog/operations/catalog.ts'
import { listening } from '@catalog/stack/testing/cli.ts'
import { openTestStore } from '@catalog/stack/testing/store.ts'
import { expect, test } from 'vitest'
import { listSigningKeys, rotateSigning } from './oauth.ts'

test('a rotated signing key signs ten minutes later, and no answer shows private keys', async () => {
  await using store = await openTestStore()
  let now = '2026-11-20T12:00:00Z'
  const catalog = { store, now: () => new Date(now) } as Catalog
  const answer = async (work: (stage: Stage) => Promise<void>) => {
    const { heard, terminal } = listening()
    await work({ catalog, terminal })
    return { value: heard.answers[0] as { kid: string; signs_from: string; keys: object[] }, text: heard.text }
  }
  expect((await answer(listSigningKeys)).value).toEqual({ keys: [] })
  const first = (await answer(rotateSigning)).value
  expect(first.signs_from).toBe('2026-11-20T12:10:00Z')
  now = '2026-11-20T13:00:00Z'
  const second = (await answer(rotateSigning)).value
  const states = async () => {
    const { value, text } = await answer(listSigningKeys)
    expect(JSON.stringify(value) + text).not.toContain('"d"')
    expect(Object.keys(value.keys[0] as object).sort()).toEqual(['created_at', 'kid', 'signs_from', 'state'])
    return value.keys
  }
  expect(await states()).toMatchObject([
    { kid: second.kid, state: 'will sign' },
    { kid: first.kid, state: 'signs' },
  ])
  now = '2026-11-20T13:10:00Z'
  expect(await states()).toMatchObject([
    { kid: second.kid, state: 'signs' },
    { kid: first.kid, state: 'signed' },
  ])
  const alone = (await answer((stage) => rotateSigning(stage, { now: true }))).value
  expect(await states()).toMatchObject([{ kid: alone.kid, state: 'signs', signs_from: now }])
})
