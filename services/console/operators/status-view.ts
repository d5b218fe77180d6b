import { formatCount } from '@catalog/console/sessions/membership.ts'
import { topicPositions } from '@catalog/operations/log-positions.ts'
import { html, type Markup } from '@catalog/pages/markup.ts'
import { timeElement } from '@catalog/pages/parts.ts'
import { table } from '@catalog/pages/table.ts'
import { readCounts, readSeq } from '@catalog/store/builds/status.ts'
import { readVerified } from '@catalog/store/builds/verify.ts'
import { countWaitingPrices } from '@catalog/store/catalog/quarantine.ts'
import { readCrawlSummary } from '@catalog/store/vendor/crawls.ts'
import { OPERATOR_PATH, type RegisterView, requireOperator, sendView } from './operator-views.ts'

/** Sources with problems that the page names. */
const SOURCES_SHOWN = 20

/** What needs a person, how far the tables are behind the log, and the state of the catalog. */
export const statusView: RegisterView = (pages, context) => {
  const { catalog } = context
  pages.get('/operator', async (request, reply) => {
    await requireOperator(context, request)
    const { store, index } = catalog
    const [counts, seq, positions, crawls, waiting, verified, indexed] = await Promise.all([
      readCounts(store),
      readSeq(store),
      topicPositions(catalog),
      readCrawlSummary(store, { limit: SOURCES_SHOWN }),
      countWaitingPrices(store),
      readVerified(store),
      index.state(),
    ])
    const todo: [path: string, text: string, count: number][] = [
      ['/crawls', 'held crawls', crawls.held],
      ['/parked', 'dead letters', counts.parked],
      ['/quarantine', 'first prices in quarantine', waiting],
    ]
    const links = todo.map(
      ([path, text, count]) => html`<li><a href="${OPERATOR_PATH}${path}">${formatCount(count)} ${text}</a></li>`,
    )
    return sendView(reply, context, {
      title: 'Status of the catalog',
      path: '',
      command: 'catalog status',
      body: html`<h2>What waits for a person</h2><ul>!${links}<li><a href="${OPERATOR_PATH}/review">pairs to review</a>, <a href="${OPERATOR_PATH}/units">unknown units</a></li></ul>
!${lagTable(positions, Number(seq) - Number(indexed.seq))}
!${figures({ ...counts, sequence: Number(seq), documents_in_the_index: indexed.documents })}
<p>The tables were compared with the log: !${verified === null ? 'never' : timeElement(verified.at)}!${verified === null ? '' : verified.ok ? ', and are its fold.' : html`: <strong>not equal</strong>: ${verified.first_difference}`}</p>
!${crawls.trouble.length === 0 ? '' : troubled(crawls.trouble)}`,
    })
  })
}

function lagTable(positions: Awaited<ReturnType<typeof topicPositions>>, searchLag: number): Markup {
  const rows = positions.map(({ name, topic, partition, next, lag }) => [
    html`${name}`,
    html`${topic} ${partition}`,
    html`${formatCount(next)}`,
    html`${formatCount(lag)}`,
  ])
  return table({
    caption: 'Behind the log',
    columns: ['Projection', 'Topic', 'Next record', 'Lag'],
    rows: [...rows, [html`search`, html`changes`, html`—`, html`${formatCount(Math.max(0, searchLag))}`]],
  })
}

function figures(counts: Readonly<Record<string, number>>): Markup {
  const rows = Object.entries(counts).map(([name, count]) => [
    html`${name.replaceAll('_', ' ')}`,
    html`${formatCount(count)}`,
  ])
  return table({ caption: 'Counts', columns: ['What', 'Count'], rows })
}

function troubled(sources: Awaited<ReturnType<typeof readCrawlSummary>>['trouble']): Markup {
  const rows = sources.map(({ name, crawls: { last } }) => [
    html`${name}`,
    html`${last?.outcome ?? 'none'}`,
    timeElement(last?.recorded_at ?? null),
    html`${last?.problems.map(({ code, detail }) => `${code}: ${detail}`).join('; ') ?? ''}`,
  ])
  return table({ caption: 'Sources with problems', columns: ['Source', 'Last crawl', 'When', 'Problems'], rows })
}
