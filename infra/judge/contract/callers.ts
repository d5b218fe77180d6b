import type { SystemUnderTest } from '@catalog/judge/harness/system-under-test.ts'
import { answerOf } from '@catalog/stack/servers/command.ts'
import createClient from 'openapi-fetch'
import type { paths } from '../../../docs/client/api.d.ts'

/** Somebody whom the API answers, and the operations that are tried as this caller: all, but `except`, or `only` these. */
export type Caller = Readonly<{
  name: string
  /** Null: anonymous. */
  key: string | null
  except?: readonly string[]
  only?: readonly string[]
}>

/** It ends the key that asks for it, so it is tried last, with a key of its own. */
const REVOKING = ['revokeKey']

/** One of every kind, with new keys. */
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
