import { answerOf } from '@catalog/stack/servers/command.ts'
import type { SystemUnderTest } from './system-under-test.ts'

/** A new key of an organization. */
export async function organizationKey({ options }: Pick<SystemUnderTest, 'options'>): Promise<string> {
  await answerOf(['workspace', 'create', 'Judges'], options)
  const issued = await answerOf(['keys', 'issue', '--workspace', 'Judges', '--name', 'judge'], options)
  return (issued as { key: string }).key
}

/** A new key of a developer. */
export async function developerKey({ address }: Pick<SystemUnderTest, 'address'>): Promise<string> {
  const answer = await fetch(`${address}/keys/signup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"email":"judge@example.org"}',
  })
  const { key, details } = (await answer.json()) as { key?: string; details?: string }
  if (key === undefined) throw new Error(`signup: ${answer.status}: ${details}`)
  return key
}
