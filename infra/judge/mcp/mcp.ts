import { callersOf } from '@catalog/judge/contract/callers.ts'
import { askAll, type Judge, type Verdict } from '@catalog/judge/contract/judges.ts'
import type { Judged } from '@catalog/judge/harness/system-under-test.ts'
import { clientJudges, type Errand } from './clients.ts'
import { judgeConformance, type Place, REVISIONS } from './conformance-suite.ts'
import { openEntrance } from './catalog-endpoint.ts'
import { oauthJudges } from './oauth.ts'
import { openToAll, startFixture } from './fixture-endpoint.ts'

/** Every judge of the endpoint of agents, and of the authorization server by whose tokens they come. */
export async function judgeMcp(judged: Judged, tell: (verdict: Verdict) => void): Promise<readonly Verdict[]> {
  const errand = await errandOf(judged)
  await using fixture = await startFixture()
  await using openFixture = await openToAll(fixture)
  await using openCatalog = await openToAll(errand)
  const places: readonly [Place, string][] = [
    ['catalog', openCatalog.url],
    ['fixture', openFixture.url],
  ]
  const { folder } = judged
  await using entrance = await openEntrance({ folder })
  const judges: Judge[] = [
    ...places.flatMap(([place, url]) =>
      REVISIONS.map((revision) => ({
        name: `conformance, ${place}, ${revision}`,
        judge: () => judgeConformance({ url, place, revision, folder }),
      })),
    ),
    ...clientJudges(errand),
    ...oauthJudges(entrance),
  ]
  return await askAll(judges, tell)
}

/** What there is to buy on a market of building materials. */
const WORDS = 'cement'

/** An item of the sample market with as many prices as can be. */
async function errandOf(judged: Judged): Promise<Errand> {
  const { address: rest, folder } = judged
  const key = (await callersOf(judged)).find(({ name }) => name === 'organization key')?.key
  if (key == null) throw new Error('expected an organization key')
  const answer = await fetch(`${rest}/search?q=${WORDS}`, { headers: { authorization: `Bearer ${key}` } })
  const { results } = (await answer.json()) as { results: { id: string; vendor_count: number }[] }
  const itemId = results.sort((a, b) => b.vendor_count - a.vendor_count)[0]?.id
  if (itemId === undefined) throw new Error(`nothing is found for ${WORDS}: expected an item to read`)
  return { url: `${new URL(rest).origin}/api/mcp`, rest, key, itemId, words: WORDS, folder }
}
