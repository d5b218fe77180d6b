import { formatCount } from '@catalog/console/sessions/membership.ts'
import { topicPositions } from '@catalog/operations/log-positions.ts'
import { html, type Markup } from '@catalog/pages/markup.ts'
import { timeElement } from '@catalog/pages/parts.ts'
import { table } from '@catalog/pages/table.ts'
import { type Build, readBuildingPositions, readBuilds } from '@catalog/store/builds/builds.ts'
import { latestRuns } from '@catalog/store/vendor/runs.ts'
import { addView, type OperatorContext, type RegisterView, ROWS_OF_PAGE } from './operator-views.ts'

/** Runs of the medians, and builds of the tables: a replay under way with its progress. */
export const runsView: RegisterView = (pages, context) => {
  const { store } = context.catalog
  addView(pages, context, {
    path: '/runs',
    async read() {
      const builds = await readBuilds(store)
      const rows = (await latestRuns(store, ROWS_OF_PAGE)).map(({ runId, asOf, method, finished }) => [
        html`${runId}`,
        timeElement(asOf),
        html`${method}`,
        html`${finished ? 'finished' : 'not finished'}`,
      ])
      return {
        title: 'Runs and replays',
        command: 'catalog aggregate, catalog replay',
        body: html`!${await replayOf(context, builds)}
!${buildsTable(builds)}
!${table({ caption: 'Runs, the newest first', columns: ['Run', 'As of', 'Method', 'State'], rows })}`,
      }
    },
  })
}

/** How much of the log the build has that a replay fills now. */
async function replayOf({ catalog }: OperatorContext, builds: readonly Build[]): Promise<Markup> {
  const building = builds.find(({ state }) => state === 'building')
  if (building === undefined) return html`<p>No replay is under way.</p>`
  const { schema } = catalog.store
  const places = await readBuildingPositions(catalog.store, { schema, build: building.build })
  const ends = await topicPositions(catalog)
  const endOf = (projection: string, topic: string, partition: number) =>
    ends.find((end) => end.name === projection && end.topic === topic && end.partition === partition)?.end ?? 0
  const done = places.reduce((sum, { next }) => sum + Number(next), 0)
  const all = places.reduce((sum, { projection, topic, partition }) => sum + endOf(projection, topic, partition), 0)
  return html`<h2>Replay under way</h2>
<p><meter min="0" max="${Math.max(all, 1)}" value="${Math.min(done, all)}" aria-label="replayed records"></meter>
${formatCount(done)} of ${formatCount(all)} records, begun !${timeElement(building.createdAt)}${building.paused ? '; it is paused' : ''}${building.rateMax === null ? '' : `; at most ${formatCount(building.rateMax)} records a second`}</p>`
}

function buildsTable(builds: readonly Build[]): Markup {
  const rows = builds.map(({ build, state, createdAt, flippedAt }) => [
    html`${build}`,
    html`${state}`,
    timeElement(createdAt),
    timeElement(flippedAt, '—'),
  ])
  return table({ caption: 'Builds of the tables', columns: ['Build', 'State', 'Begun', 'Served since'], rows })
}
