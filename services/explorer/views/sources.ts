import type { Source } from '@catalog/api/contract/contract.ts'
import { columnsIn, sayCode } from '@catalog/explorer/languages/language.ts'
import type { Page } from '@catalog/explorer/pages/frame.ts'
import { onward, timeOf, vendorLink } from '@catalog/explorer/pages/parts.ts'
import type { PageRecord } from '@catalog/explorer/pages/records.ts'
import { linkTo, type View } from '@catalog/explorer/pages/view.ts'
import { html, type Markup, text } from '@catalog/pages/markup.ts'
import { table } from '@catalog/pages/table.ts'
import type { z } from 'zod'

type Shown = z.infer<typeof Source>

/** Whose prices these are: how trusted, how fresh, and whether their last crawl went well. */
export function sourcesPage(
  view: View,
  { sources, next }: { sources: readonly Shown[]; next: string | undefined },
): Page {
  const { say, formats, origin } = view
  const rows = sources.map((source) => [
    html`<a href="${linkTo(view, `/sources/${source.id}`)}">${source.name}</a>!${source.enabled ? '' : html` <span class="dim">${say('switchedOff')}</span>`}`,
    text(source.region === null ? '—' : sayCode(say, 'region', source.region)),
    text(formats.number(source.trust_score)),
    text(formats.number(source.vendor_sku_count)),
    source.last_observed_at === null ? text('—') : timeOf(source.last_observed_at, view),
    text(crawlText(view, source)),
  ])
  const columns = columnsIn(say, 'source', 'market', '#trust', '#products', 'newestPrice', 'lastCrawl')
  return {
    title: say('sources'),
    current: '/sources',
    body: [
      html`<p>${say('sourcesIntro')}</p>`,
      table({ caption: say('sources'), columns, rows }),
      onward(next, say('nextPage')),
    ].join('\n'),
    data: { json: `${origin}/v1/sources` },
    records: sources.map(recordOf),
  }
}

const recordOf = (source: Shown): PageRecord => ({
  id: source.id,
  name: source.name,
  region: source.region,
  url: source.url,
  trust_score: source.trust_score,
  products: source.vendor_sku_count,
  observations: source.observation_count,
  last_observed_at: source.last_observed_at,
  last_crawl: source.last_crawl?.outcome ?? null,
  last_crawl_at: source.last_crawl?.finished_at ?? null,
})

/** The state of the newest crawl in words; a held crawl comes first, because it keeps newer prices back. */
function crawlText({ say, formats }: View, { held_crawl, last_crawl: crawl }: Shown): string {
  if (held_crawl !== null) return say('crawlHeld')
  if (crawl === null) return say('crawlNone')
  const rate = crawl.parse_rate === null ? '' : `, ${say('readRate', { rate: formats.percent(crawl.parse_rate) })}`
  const key = ({ recorded: 'crawlRecorded', unchanged: 'crawlUnchanged', failed: 'crawlFailed' } as const)[
    crawl.outcome as 'recorded' | 'unchanged' | 'failed'
  ]
  return `${key === undefined ? crawl.outcome : say(key, { when: formats.ago(crawl.finished_at) })}${rate}`
}

export function sourcePage(view: View, source: Shown): Page {
  const { say, formats, origin } = view
  const { quality } = source
  const share = (value: number | null | undefined) => (value == null ? '—' : formats.percent(value))
  const facts: [string, Markup][] = [
    [say('market'), text(source.region === null ? '—' : sayCode(say, 'region', source.region))],
    [say('website'), vendorLink(source.url, source.url ?? '—')],
    [say('trust'), text(formats.number(source.trust_score))],
    ...(source.licence === null ? [] : licenceFacts(view, source.licence)),
    [
      say('validity'),
      text(source.validity === undefined ? say('daysCount', { count: source.validity_days }) : say('untilSuperseded')),
    ],
    [say('products'), text(formats.number(source.vendor_sku_count))],
    [say('observationsColumn'), text(formats.number(source.observation_count))],
    [say('newestPrice'), source.last_observed_at === null ? text('—') : timeOf(source.last_observed_at, view)],
    [say('lastCrawl'), text(crawlText(view, source))],
    ...(quality === undefined
      ? []
      : ([
          [say('unknownUnits'), text(share(quality.unknown_units.share))],
          [say('taxNotStatedShare'), text(share(quality.tax.not_stated_share))],
          [say('expiredShare'), text(share(quality.staleness.expired_share))],
          [say('farFromOthers'), text(share(quality.dispersion.beyond_2_share))],
        ] as [string, Markup][])),
  ]
  const list = facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>!${value}</dd></div>`)
  return {
    title: source.name,
    current: '/sources',
    body: html`<dl class="properties">!${list.join('')}</dl>`,
    data: { json: `${origin}/v1/sources/${source.id}` },
    records: [recordOf(source)],
  }
}

/** On which terms the prices are given away, and whom to name beside them. */
function licenceFacts({ say }: View, licence: NonNullable<Shown['licence']>): [string, Markup][] {
  const { name, terms, url, attribution } = licence
  const named = name ?? say('licenceUnnamed')
  const rights = `${say('redistribution')}: ${say(`right_${licence.redistribution}`)}; ${say('commercialUse')}: ${say(`right_${licence.commercial_use}`)}`
  const read = say('termsRead', { day: licence.checked_on })
  return [
    [
      say('sourceLicence'),
      html`!${vendorLink(url, named)}<br><span class="dim">${[terms, rights, read].filter((part) => part !== null).join('; ')}</span>`,
    ],
    ...(attribution === null ? [] : ([[say('attribution'), text(attribution)]] as [string, Markup][])),
  ]
}
