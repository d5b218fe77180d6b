import { type Crawled, type CrawlOptions, crawlShop, type Plant, summaryOf } from './crawl-shop.ts'

/** A behaviour of a shop, and what the crawler has to make of it. */
export type Behaviour = Readonly<{
  group: string
  name: string
  /** The found text that is right. */
  expected: string
  /** Why the crawler may do otherwise; such a behaviour must be found otherwise. */
  exempt?: string
  /** One line: what the crawler made of it. */
  find: (plant: Plant | undefined) => Promise<string>
}>

export type JudgedBehaviour = Readonly<{
  group: string
  behaviour: string
  expected: string
  found: string
  outcome: 'ok' | 'not ok' | 'exempt'
  /** Of an exemption, or why a behaviour is not ok; null where it is ok. */
  reason: string | null
}>

/** Longest found text that is shown: a hostile shop writes a part of it. */
const FOUND_CHARS_MAX = 500

/** Crawls at once, each of a shop of its own. */
const AT_ONCE = 4

/** Judges the behaviours, several at once, and reports them in order. `plant` breaks the crawler, which tests of the judge do. */
export async function judgeBehaviours(
  behaviours: readonly Behaviour[],
  report: (judged: JudgedBehaviour) => void,
  plant?: Plant,
): Promise<readonly JudgedBehaviour[]> {
  const judged: JudgedBehaviour[] = []
  const underWay: Promise<JudgedBehaviour>[] = []
  for (const behaviour of behaviours) {
    underWay.push(judge(behaviour, plant))
    if (underWay.length === AT_ONCE) await settleFirst()
  }
  while (underWay.length > 0) await settleFirst()
  return judged

  async function settleFirst(): Promise<void> {
    const one = (await underWay.shift()) as JudgedBehaviour
    report(one)
    judged.push(one)
  }
}

async function judge(
  { group, name, expected, exempt, find }: Behaviour,
  plant: Plant | undefined,
): Promise<JudgedBehaviour> {
  // A crawler that throws has not done as expected.
  const found = (await find(plant).catch((error: unknown) => `threw ${error}`)).slice(0, FOUND_CHARS_MAX)
  const isAsExpected = found === expected
  const judged = { group, behaviour: name, expected, found }
  if (exempt === undefined) {
    return { ...judged, outcome: isAsExpected ? 'ok' : 'not ok', reason: isAsExpected ? null : 'found otherwise' }
  }
  if (isAsExpected) return { ...judged, outcome: 'not ok', reason: 'found as expected: expected no exemption any more' }
  return { ...judged, outcome: 'exempt', reason: exempt }
}

/** A behaviour that one crawl of a source shows. */
export type CrawlBehaviour = Omit<CrawlOptions, 'plant'> &
  Pick<Behaviour, 'name' | 'expected' | 'exempt'> &
  Readonly<{
    /** By default {@link summaryOf}. */
    found?: (crawled: Crawled) => string
  }>

export const crawlBehaviours = (group: string, behaviours: readonly CrawlBehaviour[]): Behaviour[] =>
  behaviours.map(({ name, expected, exempt, found = summaryOf, ...options }) => ({
    group,
    name,
    expected,
    ...(exempt !== undefined && { exempt }),
    find: async (plant) => found(await crawlShop({ ...options, plant })),
  }))

/** Path of the document that most behaviours crawl. */
export const FEED_PATH = '/feed.csv'
/** A price list of one brick. */
export const FEED = 'sku;name;price;currency\nA;Brick;1.50;EUR\n'
/** The record of {@link FEED} in a summary. */
export const FEED_FOUND = 'A 1.50 EUR'

export const document = (path: string = FEED_PATH): CrawlOptions['entry'] => ({
  kind: 'document',
  url: `{shop}${path}`,
})
export const sitemap = (path: string = '/sitemap.xml'): CrawlOptions['entry'] => ({
  kind: 'sitemap',
  url: `{shop}${path}`,
  include: [],
  exclude: [],
})
export const site = (path: string = '/'): CrawlOptions['entry'] => ({
  kind: 'site',
  url: `{shop}${path}`,
  follow: [],
  include: ['/p/*'],
  exclude: [],
})

/** A page with these things in JSON-LD. */
export function pageOf(things: unknown, { head = '', body = '', lang = 'en' } = {}): string {
  const script = things === null ? '' : `<script type="application/ld+json">${JSON.stringify(things)}</script>`
  return `<!doctype html><html lang="${lang}"><head><meta charset="utf-8">${head}${script}</head><body>${body}</body></html>`
}

export const offerOf = (more: object = {}) => ({ '@type': 'Offer', price: '1.50', priceCurrency: 'EUR', ...more })
/** A brick of the reference A at 1.50 EUR. */
export const productOf = (more: object = {}) => ({
  '@context': 'https://schema.org',
  '@type': 'Product',
  name: 'Brick',
  sku: 'A',
  offers: offerOf(),
  ...more,
})

const PAGE_PATH = '/p/1'
/** A crawl of one page. */
export const onPage = (html: string): Pick<CrawlBehaviour, 'routes' | 'entry'> => ({
  routes: { [PAGE_PATH]: html },
  entry: document(PAGE_PATH),
})
/** A page with this text in a script of JSON-LD. */
export const scripted = (text: string) =>
  onPage(pageOf(null, { head: `<script type="application/ld+json">${text}</script>` }))
