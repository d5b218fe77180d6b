import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { failed, type Judge, passed, skipped } from '@catalog/judge/contract/judges.ts'
import { ended, python, pythonAvailable } from '@catalog/judge/harness/tools.ts'
import { isAuthorizationRequest, judgeAuthorization } from './authorization.ts'
import { type Answer, answersOf, CLIENT_TIMEOUT_MS, clientJudges, compared, type Got } from './clients.ts'
import { type Entrance, PUBLISHED } from './catalog-endpoint.ts'

/**
 * The authorization server as the conformance suite sees it, and as clients do that come without a key: the Python client all
 * the way by itself, of the others those that take a token.
 */

/** How a client came in by OAuth, as client.py says. */
export type Way = Readonly<{
  clientId: string
  /** Times that a person was sent to the authorization server. */
  asked: number
  /** What each of its tokens was good for, the first first. */
  scopes: readonly string[]
  /** Different ones among them. */
  accessTokens: number
  refreshTokens: number
  /** What it found with the last. */
  again: Answer
}>

const READ = 'catalog:read'
const BOTH = 'catalog:read catalog:search'
const ERAS = [
  { mode: 'auto', revision: '2026-07-28' },
  { mode: 'legacy', revision: '2025-11-25' },
]
/** Both take a token as they take a key; one call of each tells that tokens are taken. */
const WITH_TOKEN = ['Go client', 'inspector, modern']

export function oauthJudges(entrance: Entrance): readonly Judge[] {
  const { errand, issuer, letIn } = entrance
  return [
    {
      name: 'conformance, authorization',
      async judge() {
        const clientId = await entrance.registered()
        return await judgeAuthorization({ issuer, resource: errand.url, clientId, letIn, folder: errand.folder })
      },
    },
    ...ERAS.flatMap((era) =>
      [false, true].map((isPublished) => ({
        name: `Python, ${era.mode}, ${isPublished ? 'published' : 'registering'}`,
        judge: () => comeIn(entrance, { ...era, isPublished }),
      })),
    ),
    ...WITH_TOKEN.map((wanted) => ({
      name: `${wanted}, token`,
      async judge() {
        const judges = clientJudges({ ...errand, token: await entrance.connect() })
        const found = judges.find(({ name }) => name === wanted)
        if (found === undefined) throw new Error(`no client is called ${wanted}`)
        return await found.judge()
      },
    })),
  ]
}

type Coming = Readonly<{ mode: string; revision: string; isPublished: boolean }>

/** The whole way of the Python client: let in to read, stepped up to search, refreshed. */
async function comeIn({ errand, letIn }: Entrance, { mode, revision, isPublished }: Coming) {
  const reason = await pythonAvailable()
  if (reason !== null) return skipped(reason)
  const { url, itemId, words } = errand
  const cwd = import.meta.dirname
  const { code, stdout, stderr } = await ended(await python(), [join(cwd, 'client.py'), url, itemId, words, mode], {
    cwd,
    timeoutMs: CLIENT_TIMEOUT_MS,
    env: { PYTHONDONTWRITEBYTECODE: '1', ...(isPublished && { MCP_CLIENT_ID: PUBLISHED.client_id }) },
    hear: async (line) => (isAuthorizationRequest(line) ? await letIn(line) : undefined),
  })
  if (code !== 0) return failed('it did not get through', stdout + stderr)
  const got = JSON.parse(stdout.trimEnd().split('\n').at(-1) as string) as Got & { way: Way }
  const said = compared(got, { revision, answers: await answersOf(errand) })
  const faults = faultsOf(got.way, { found: got.found, isPublished })
  if (said.verdict === 'passed' && faults.length === 0) {
    return passed(`${said.says}; let in to read, stepped up to search, refreshed`)
  }
  return failed(`${said.says}; ${faults.length} faults of its way in`, [said.details, ...faults].join('\n'))
}

/** What is wrong with the way by which a client came in, in words; empty: nothing. */
export function faultsOf(
  { clientId, asked, scopes, accessTokens, refreshTokens, again }: Way,
  { found, isPublished }: { found: Answer; isPublished: boolean },
): readonly string[] {
  const expected = [READ, BOTH, BOTH]
  const told = (what: string, found: unknown, expected: unknown) =>
    isDeepStrictEqual(found, expected) ? [] : [`${what}: expected ${expected}, found ${found}`]
  return [
    ...told('what its tokens are good for', scopes.join('; '), expected.join('; ')),
    ...told('times that a person was asked', asked, 2),
    ...told('different access tokens', accessTokens, expected.length),
    ...told('different refresh tokens', refreshTokens, expected.length),
    ...told('is known by what it publishes', clientId === PUBLISHED.client_id, isPublished),
    ...(isDeepStrictEqual(again, found) ? [] : ['found something else with the last token']),
  ]
}
