import type { Index, IndexDetail } from '@catalog/api/contract/contract.ts'
import { startOfNext, startOfPeriod } from '@catalog/core/events/indices.ts'
import { priceChart, type Step } from '@catalog/explorer/charts/price-chart.ts'
import { columnsIn, sayCode } from '@catalog/explorer/languages/language.ts'
import type { Page } from '@catalog/explorer/pages/frame.ts'
import { onward, timeOf, vendorLink } from '@catalog/explorer/pages/parts.ts'
import type { PageRecord } from '@catalog/explorer/pages/records.ts'
import { linkTo, type View } from '@catalog/explorer/pages/view.ts'
import { html, type Markup, text } from '@catalog/pages/markup.ts'
import { table } from '@catalog/pages/table.ts'
import type { z } from 'zod'
import { licenceFacts } from './sources.ts'

type Shown = z.infer<typeof Index>

/** Official price indices: how prices moved, by the offices that measure it. */
export function indicesPage(
  view: View,
  { indices, next }: { indices: readonly Shown[]; next: string | undefined },
): Page {
  const { say, formats, origin } = view
  const rows = indices.map((index) => [
    html`<a href="${linkTo(view, `/indices/${index.id}`)}">${index.title}</a>`,
    text(regionText(view, index)),
    text(index.publisher.name),
    text(index.base ?? '—'),
    text(index.last.period),
    text(formats.decimal(index.last.value)),
  ])
  const columns = columnsIn(say, 'index', 'market', 'publisher', 'indexBase', 'period', '#indexValue')
  return {
    title: say('indices'),
    current: '/sources',
    body: [
      html`<p>${say('indicesIntro')}</p>`,
      indices.length === 0 ? '' : table({ caption: say('indices'), columns, rows }),
      onward(next, say('nextPage')),
    ].join('\n'),
    data: { json: `${origin}/v1/indices` },
    records: indices.map(recordOf),
  }
}

export function indexPage(view: View, { index, points }: z.infer<typeof IndexDetail>): Page {
  const { say, formats, origin } = view
  const facts: [string, Markup][] = [
    [say('market'), text(regionText(view, index))],
    [say('publisher'), vendorLink(index.publisher.url, index.publisher.name)],
    [say('indexSeries'), text(index.series)],
    [say('indexBase'), text(index.base ?? '—')],
    [say('frequency'), text(say(`frequency_${index.frequency}`))],
    [say('indexValue'), text(`${formats.decimal(index.last.value)} (${index.last.period})`)],
    [say('statedAt'), timeOf(index.last.observed_at, view)],
    ...(index.licence === null ? [] : licenceFacts(view, index.licence)),
  ]
  const list = facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>!${value}</dd></div>`)
  return {
    title: index.title,
    current: '/sources',
    body: [
      html`<p>${say('indicesIntro')}</p>`,
      html`<dl class="properties">!${list.join('')}</dl>`,
      chartOf(view, { index, points }),
    ].join('\n'),
    data: { json: `${origin}/v1/indices/${index.id}` },
    records: points.map(({ period, value, observed_at, revisions }) => ({ period, value, observed_at, revisions })),
  }
}

/** A value holds for its period; the line stops where the next period has none. */
function chartOf(view: View, { index, points }: z.infer<typeof IndexDetail>): Markup {
  const { say, formats } = view
  const steps = points.flatMap(({ period, value }, i): Step[] => {
    const step = { at: startOfPeriod(period), cents: Math.round(Number(value) * 100), text: formats.decimal(value) }
    const end = startOfNext(period)
    const follows = points[i + 1]
    return follows !== undefined && startOfPeriod(follows.period) !== end ? [step, { at: end, cents: null }] : [step]
  })
  const [first, last] = [points.at(0), points.at(-1)]
  if (first === undefined || last === undefined) return ''
  return priceChart(
    {
      lines: [{ name: index.title, steps }],
      currency: null,
      valueName: say('indexValue'),
      from: startOfPeriod(first.period),
      to: startOfNext(last.period),
      title: `${index.title}, ${first.period} – ${last.period}`,
    },
    { say, formats },
  )
}

const regionText = ({ say }: View, { region }: Shown) => (region === null ? '—' : sayCode(say, 'region', region))

const recordOf = (index: Shown): PageRecord => ({
  id: index.id,
  title: index.title,
  region: index.region,
  publisher: index.publisher.name,
  series: index.series,
  base: index.base,
  frequency: index.frequency,
  points: index.point_count,
  last_period: index.last.period,
  last_value: index.last.value,
})
