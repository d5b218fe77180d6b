import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { python, pythonAvailable, runTool } from '@catalog/judge/harness/tools.ts'
import { failed, type Judge, passed, skipped } from '@catalog/judge/harness/verdict.ts'
import { isAuthorizationRequest, judgeAuthorization } from './authorization.ts'
import { type CatalogEndpoint, CLIENT_METADATA } from './catalog-endpoint.ts'
import {
  CLIENT_TIMEOUT_MS,
  type ClientResult,
  clientJudges,
  compareWithRest,
  fetchRestAnswers,
  type ToolAnswer,
} from './clients.ts'

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
  again: ToolAnswer
}>

const READ = 'catalog:read'
const BOTH = 'catalog:read catalog:search'
const ERAS = [
  { mode: 'auto', revision: '2026-07-28' },
  { mode: 'legacy', revision: '2025-11-25' },
]
/** Both take a token as they take a key; one call of each tells that tokens are taken. */
const WITH_TOKEN = ['Go client', 'inspector, modern']

export function oauthJudges(endpoint: CatalogEndpoint): readonly Judge[] {
  const { task, issuer, authorize } = endpoint
  return [
    {
      name: 'conformance, authorization',
      async run() {
        const clientId = await endpoint.registerClient()
        return await judgeAuthorization({ issuer, resource: task.url, clientId, authorize, folder: task.folder })
      },
    },
    ...ERAS.flatMap((era) =>
      [false, true].map((isPublished) => ({
        name: `Python, ${era.mode}, ${isPublished ? 'published' : 'registering'}`,
        run: () => connectAndJudge(endpoint, { ...era, isPublished }),
      })),
    ),
    ...WITH_TOKEN.map((wanted) => ({
      name: `${wanted}, token`,
      async run() {
        const judges = clientJudges({ ...task, token: await endpoint.connectClient() })
        const found = judges.find(({ name }) => name === wanted)
        if (found === undefined) throw new Error(`no client is called ${wanted}`)
        return await found.run()
      },
    })),
  ]
}

type ConnectMode = Readonly<{ mode: string; revision: string; isPublished: boolean }>

/** The whole way of the Python client: let in to read, stepped up to search, refreshed. */
async function connectAndJudge({ task, authorize }: CatalogEndpoint, { mode, revision, isPublished }: ConnectMode) {
  const reason = await pythonAvailable()
  if (reason !== null) return skipped(reason)
  const { url, itemId, words } = task
  const cwd = import.meta.dirname
  const { code, stdout, stderr } = await runTool(await python(), [join(cwd, 'client.py'), url, itemId, words, mode], {
    cwd,
    timeoutMs: CLIENT_TIMEOUT_MS,
    env: { PYTHONDONTWRITEBYTECODE: '1', ...(isPublished && { MCP_CLIENT_ID: CLIENT_METADATA.client_id }) },
    hear: async (line) => (isAuthorizationRequest(line) ? await authorize(line) : undefined),
  })
  if (code !== 0) return failed('it did not get through', stdout + stderr)
  const got = JSON.parse(stdout.trimEnd().split('\n').at(-1) as string) as ClientResult & { way: Way }
  const outcome = compareWithRest(got, { revision, answers: await fetchRestAnswers(task) })
  const faults = faultsOf(got.way, { found: got.found, isPublished })
  if (outcome.verdict === 'passed' && faults.length === 0) {
    return passed(`${outcome.says}; let in to read, stepped up to search, refreshed`)
  }
  return failed(`${outcome.says}; ${faults.length} faults of its way in`, [outcome.details, ...faults].join('\n'))
}

/** What is wrong with the way by which a client came in, in words; empty: nothing. */
export function faultsOf(
  { clientId, asked, scopes, accessTokens, refreshTokens, again }: Way,
  { found, isPublished }: { found: ToolAnswer; isPublished: boolean },
): readonly string[] {
  const expected = [READ, BOTH, BOTH]
  const expectEqual = (what: string, found: unknown, expected: unknown) =>
    isDeepStrictEqual(found, expected) ? [] : [`${what}: expected ${expected}, found ${found}`]
  return [
    ...expectEqual('what its tokens are good for', scopes.join('; '), expected.join('; ')),
    ...expectEqual('times that a person was asked', asked, 2),
    ...expectEqual('different access tokens', accessTokens, expected.length),
    ...expectEqual('different refresh tokens', refreshTokens, expected.length),
    ...expectEqual('is known by what it publishes', clientId === CLIENT_METADATA.client_id, isPublished),
    ...(isDeepStrictEqual(again, found) ? [] : ['found something else with the last token']),
  ]
}
