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
  limitOf,
  type ToolAnswer,
} from './clients.ts'

/**
 * The authorization server from the view of the conformance suite and of clients without a key: the Python client runs
 * the whole flow, others start with a token.
 */

/** The OAuth flow of a client, as client.py reports it. */
export type OAuthFlow = Readonly<{
  clientId: string
  /** Number of visits of a person to the authorization server. */
  asked: number
  /** Scopes of each token, oldest first. */
  scopes: readonly string[]
  /** Number of different access tokens. */
  accessTokens: number
  refreshTokens: number
  /** The search result with the last token. */
  again: ToolAnswer
}>

const BOTH = 'catalog:read catalog:search'
const ERAS = [
  { mode: 'auto', revision: '2026-07-28' },
  { mode: 'legacy', revision: '2025-11-25' },
]
/** Both send tokens as they send keys; one call of each shows that tokens work. */
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

/** The whole flow of the Python client: one consent to read and search, as the first challenge names both, and a refresh. */
async function connectAndJudge({ task, authorize }: CatalogEndpoint, { mode, revision, isPublished }: ConnectMode) {
  const reason = await pythonAvailable()
  if (reason !== null) return skipped(reason)
  const { url, itemId, words } = task
  const cwd = import.meta.dirname
  const answers = await fetchRestAnswers(task)
  const args = [join(cwd, 'client.py'), url, itemId, words, `${limitOf(answers)}`, mode]
  const { code, stdout, stderr } = await runTool(await python(), args, {
    cwd,
    timeoutMs: CLIENT_TIMEOUT_MS,
    env: { PYTHONDONTWRITEBYTECODE: '1', ...(isPublished && { MCP_CLIENT_ID: CLIENT_METADATA.client_id }) },
    hear: async (line) => (isAuthorizationRequest(line) ? await authorize(line) : undefined),
  })
  if (code !== 0) return failed('the client failed', stdout + stderr)
  const got = JSON.parse(stdout.trimEnd().split('\n').at(-1) as string) as ClientResult & { way: OAuthFlow }
  const outcome = compareWithRest(got, { revision, answers })
  const faults = faultsOf(got.way, { found: got.found, isPublished })
  if (outcome.verdict === 'passed' && faults.length === 0) {
    return passed(`${outcome.says}; one consent to read and search, refresh`)
  }
  return failed(`${outcome.says}; ${faults.length} faults of its OAuth flow`, [outcome.details, ...faults].join('\n'))
}

/** Faults of a client's OAuth flow, in words; empty when there are none. */
export function faultsOf(
  { clientId, asked, scopes, accessTokens, refreshTokens, again }: OAuthFlow,
  { found, isPublished }: { found: ToolAnswer; isPublished: boolean },
): readonly string[] {
  const expected = [BOTH, BOTH]
  const expectEqual = (what: string, found: unknown, expected: unknown) =>
    isDeepStrictEqual(found, expected) ? [] : [`${what}: expected ${expected}, found ${found}`]
  return [
    ...expectEqual('scopes of its tokens', scopes.join('; '), expected.join('; ')),
    ...expectEqual('visits of a person', asked, 1),
    ...expectEqual('different access tokens', accessTokens, expected.length),
    ...expectEqual('different refresh tokens', refreshTokens, expected.length),
    ...expectEqual('identified by its published metadata', clientId === CLIENT_METADATA.client_id, isPublished),
    ...(isDeepStrictEqual(again, found) ? [] : ['found something else with the last token']),
  ]
}
