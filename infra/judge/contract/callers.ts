import type { SystemUnderTest } from '@catalog/judge/harness/system-under-test.ts'
import { answerOf } from '@catalog/stack/servers/command.ts'
import createClient from 'openapi-fetch'
import type { paths } from '../../../clients/typescript/api.ts'

/** An API caller with its operations: all, all `except` some, or `only` some. */
export type Caller = Readonly<{
  name: string
  /** Null for an anonymous caller. */
  key: string | null
  except?: readonly string[]
  only?: readonly string[]
}>

/** The operation ends its own key, so it runs last with a separate key. */
const REVOKING = ['revokeKey']

/** One caller of every kind, with new keys. */
export async function callersOf({ address, options }: SystemUnderTest): Promise<readonly Caller[]> {
  const client = createClient<paths>({ baseUrl: address })
  const developerKey = async () => {
    const { data, error } = await client.POST('/keys/signup', { body: { email: 'judge@example.org' } })
    if (data === undefined) throw new Error(`signup: ${error.error}: ${error.details}`)
    return data.key
  }
  await answerOf(['workspace', 'create', 'Judges'], options)
  const issued = await answerOf(['keys', 'issue', '--workspace', 'Judges', '--name', 'judge'], options)
  return [
    { name: 'anonymous', key: null },
    { name: 'public developer key', key: await developerKey(), except: REVOKING },
    { name: 'organization key', key: (issued as { key: string }).key },
    { name: 'revoking its key', key: await developerKey(), only: REVOKING },
  ]
}
