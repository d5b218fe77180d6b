import { organizationKey } from '@catalog/judge/harness/keys.ts'
import type { SystemUnderTest } from '@catalog/judge/harness/system-under-test.ts'
import { type Judge, runJudges, type Verdict } from '@catalog/judge/harness/verdict.ts'
import { openCatalogEndpoint } from './catalog-endpoint.ts'
import { type ClientTask, clientJudges } from './clients.ts'
import { judgeConformance, REVISIONS } from './conformance-suite.ts'
import { startKeyProxy } from './key-proxy.ts'
import { oauthJudges } from './oauth.ts'

/** Runs every judge of the MCP endpoint and of its authorization server. */
export async function judgeMcp(
  system: SystemUnderTest,
  report: (verdict: Verdict) => void,
): Promise<readonly Verdict[]> {
  const task = await chooseTask(system)
  await using openCatalog = await startKeyProxy(task)
  const { folder } = system
  await using endpoint = await openCatalogEndpoint({ folder })
  const judges: Judge[] = [
    ...REVISIONS.map((revision) => ({
      name: `conformance, ${revision}`,
      run: () => judgeConformance({ url: openCatalog.url, revision, folder }),
    })),
    ...clientJudges(task),
    ...oauthJudges(endpoint),
  ]
  return await runJudges(judges, report)
}

/** A product of every building materials market. */
const WORDS = 'cement'

/** Chooses the item of the sample market with the most vendors. */
async function chooseTask(system: SystemUnderTest): Promise<ClientTask> {
  const { address: rest, folder } = system
  const key = await organizationKey(system)
  const answer = await fetch(`${rest}/search?q=${WORDS}`, { headers: { authorization: `Bearer ${key}` } })
  const { results } = (await answer.json()) as { results: { id: string; vendor_count: number }[] }
  const itemId = results.sort((a, b) => b.vendor_count - a.vendor_count)[0]?.id
  if (itemId === undefined) throw new Error(`nothing is found for ${WORDS}: expected an item to read`)
  return { url: `${new URL(rest).origin}/api/mcp`, rest, key, itemId, words: WORDS, folder }
}
