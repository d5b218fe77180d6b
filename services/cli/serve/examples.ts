import { expandedRegions } from '@catalog/core/median/regions.ts'

/** The regions of the catalog's sources; null: one without a market. */
type Regions = readonly (string | null)[]

/** The message of an API that answers: its pages, and requests of a market that has sources. */
export function readyText(publicBaseUrl: string, regions: Regions): string {
  const region = exampleRegion(regions)
  return [
    `Open ${publicBaseUrl}/ in a browser.`,
    `Construction Cost Catalog is ready at ${publicBaseUrl}/v1`,
    `  a page    curl '${publicBaseUrl}/v1/items?region=${region}&price_region=${region}&limit=5'`,
    `  a search  curl '${publicBaseUrl}/v1/search?q=drywall&region=${region}&price_region=${region}'`,
    `  a feed    curl '${publicBaseUrl}/v1/feeds/region/${region}?limit=20'`,
  ].join('\n')
}

/** ES, as in the documentation, where it has sources or nothing has; else the market of the first region by its name. */
function exampleRegion(regions: Regions): string {
  const [first, ...others] = regions.filter((region) => region !== null).sort()
  if (first === undefined || others.includes('ES')) return 'ES'
  const markets = expandedRegions(first)
  return markets.includes(first) ? first : (markets[0] ?? 'ES')
}
