import { formatCount } from '@catalog/console/sessions/membership.ts'
import { readStatus, type Status } from '@catalog/operations/status.ts'
import { html, type Markup } from '@catalog/pages/markup.ts'
import { timeElement } from '@catalog/pages/parts.ts'
import { table } from '@catalog/pages/table.ts'
import { countWaitingPrices } from '@catalog/store/catalog/quarantine.ts'
import { addView, OPERATOR_PATH, type RegisterView } from './operator-views.ts'

/** What needs a person, how far the tables are behind the log, and the state of the catalog. */
export const statusView: RegisterView = (pages, context) => {
  addView(pages, context, {
    path: '',
    async read() {
      const { counts, seq, projections, crawls, index, verified, away } = await readStatus(context.catalog)
      const todo: [path: string, text: string, count: number][] = [
        ['/crawls', 'held crawls', crawls.held],
        ['/parked', 'dead letters', counts.parked],
        ['/quarantine', 'first prices in quarantine', await countWaitingPrices(context.catalog.store)],
      ]
      const links = todo.map(
        ([path, text, count]) => html`<li><a href="${OPERATOR_PATH}${path}">${formatCount(count)} ${text}</a></li>`,
      )
      return {
        title: 'Status of the catalog',
        command: 'catalog status',
        body: html`!${away.map(({ part, reason }) => html`<p role="alert">The ${part} does not answer: ${reason}</p>`)}
<h2>What waits for a person</h2><ul>!${links}<li><a href="${OPERATOR_PATH}/review">pairs to review</a>, <a href="${OPERATOR_PATH}/units">unknown units</a></li></ul>
!${lagTable(projections)}
!${figures({ ...counts, sequence: seq, documents_in_the_index: index.docs ?? 0 })}
<p>The tables were compared with the log: !${verified === null ? 'never' : timeElement(verified.at)}!${verified === null ? '' : verified.ok ? ', and are its fold.' : html`: <strong>not equal</strong>: ${verified.first_difference}`}</p>
!${crawls.problems.length === 0 ? '' : troubled(crawls.problems)}`,
      }
    },
  })
}

function lagTable(projections: Status['projections']): Markup {
  const rows = projections.map(({ name, topic, partition, next, lag }) => [
    html`${name}`,
    html`${topic} ${partition}`,
    html`${formatCount(next)}`,
    html`${formatCount(lag)}`,
  ])
  return table({ caption: 'Behind the log', columns: ['Projection', 'Topic', 'Next record', 'Lag'], rows })
}

function figures(counts: Readonly<Record<string, number>>): Markup {
  const rows = Object.entries(counts).map(([name, count]) => [
    html`${name.replaceAll('_', ' ')}`,
    html`${formatCount(count)}`,
  ])
  return table({ caption: 'Counts', columns: ['What', 'Count'], rows })
}

function troubled(sources: Status['crawls']['problems']): Markup {
  const rows = sources.map(({ name, outcome, finished_at, problems }) => [
    html`${name}`,
    html`${outcome ?? 'none'}`,
    timeElement(finished_at),
    html`${problems.map(({ code, detail }) => `${code}: ${detail}`).join('; ')}`,
  ])
  return table({ caption: 'Sources with problems', columns: ['Source', 'Last crawl', 'When', 'Problems'], rows })
}
