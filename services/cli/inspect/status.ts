import { openEvaluator } from '@catalog/aggregator/evaluate.ts'
import { mediansAt } from '@catalog/aggregator/medians.ts'
import { aggregate, dryRun, type RunReport } from '@catalog/aggregator/run.ts'
import { explanationOf } from '@catalog/api/items/explain.ts'
import { type Terminal, table } from '@catalog/cli/shared/terminal.ts'
import { type Catalog, PROJECTIONS } from '@catalog/cli/shared/wire.ts'
import { formatMoney } from '@catalog/core/money/money.ts'
import { VERIFY_RATE, verifiedOf, verifyCatalog } from '@catalog/projector/verify/verify.ts'
import { readBuilds, readPositions } from '@catalog/store/builds/builds.ts'
import { catalogRoot, readCounts, readSeq, vendorRoot } from '@catalog/store/builds/status.ts'
import { readVerified, saveVerified, type Verified } from '@catalog/store/builds/verify.ts'
import { readSearchCheckpoint } from '@catalog/store/search/search-docs.ts'
import { type Cut, lastFinishedRun, latestRuns, runById } from '@catalog/store/vendor/as-of-queries.ts'
import { type CrawlFigures, parseRateOf, readCrawlFigures } from '@catalog/store/vendor/crawls.ts'

/** Sources with problems that status tells one by one, at most: more have one cause. */
const TROUBLED_MAX = 50
/** Problems of one source that people are shown. */
const PROBLEMS_SHOWN = 3

/** `catalog status`: where everything stands. */
export async function status(catalog: Catalog, terminal: Terminal): Promise<void> {
  const { store, log, index, embedder } = catalog
  const checkpoints = await readPositions(store)
  const nextOf = (projection: string, topic: string, partition: number) =>
    checkpoints.find((row) => row.projection === projection && row.topic === topic && row.partition === partition)
      ?.next ?? 0n
  const seq = await readSeq(store)
  const projections: Record<'name' | 'topic' | 'partition' | 'next' | 'end' | 'lag', string | number>[] = []
  for (const { name, topics } of PROJECTIONS) {
    for (const topic of topics) {
      for (const { partition, next: end } of await log.partitions(topic)) {
        const next = nextOf(name, topic, partition)
        projections.push({ name, topic, partition, next: Number(next), end: Number(end), lag: Number(end - next) })
      }
    }
  }
  const { next: fed } = await readSearchCheckpoint(store, index.identity)
  projections.push({
    name: 'search',
    topic: 'changes',
    partition: 0,
    next: Number(fed),
    end: Number(seq) + 1,
    // Changes are numbered from 1: before the first one there is nothing to feed.
    lag: Number(seq + 1n - (fed > 1n ? fed : 1n)),
  })
  const indexed = await index.state()
  const spent = await catalog.spending?.()
  const value = {
    mode: catalog.mode,
    seq: Number(seq),
    counts: await readCounts(store),
    projections,
    crawls: crawlsOf(await readCrawlFigures(store, { limit: TROUBLED_MAX })),
    index: {
      adapter: index.adapter,
      seq: Number(indexed.seq),
      docs: indexed.documents,
      vectors: indexed.vectors,
    },
    embedder: {
      model: embedder.model,
      dims: embedder.dims,
      fingerprint: embedder.fingerprint,
      ...(spent && { budget: { month: spent.month, tokens: Number(spent.tokens), tokens_max: spent.tokensMax } }),
    },
    builds: (await readBuilds(store)).map(({ build, state }) => ({ build, state })),
    roots: { catalog: await catalogRoot(store), vendor: await vendorRoot(store) },
    verified: await readVerified(store),
  }
  terminal.answer(value, () =>
    [
      `mode ${value.mode}, seq ${value.seq}`,
      '',
      table([value.counts]),
      '',
      table(projections),
      '',
      ...crawlsText(value.crawls),
      '',
      `index    ${value.index.adapter}: ${value.index.docs} documents, ${value.index.vectors} with vectors, at seq ${value.index.seq}`,
      `embedder ${embedder.model}, ${embedder.dims} dimensions, ${embedder.fingerprint}`,
      ...(spent
        ? [`budget   ${spent.tokens} of ${spent.tokensMax ?? 'unlimited'} tokens spent in ${spent.month}`]
        : []),
      `builds   ${value.builds.map(({ build, state }) => `${build} ${state}`).join(', ')}`,
      `catalog  ${value.roots.catalog}`,
      `vendor   ${value.roots.vendor}`,
      `verified ${verifiedText(value.verified)}`,
    ].join('\n'),
  )
  terminal.next(projections.some(({ lag }) => Number(lag) > 0) ? 'catalog project' : 'catalog verify')
}

/** How the last crawls went. What problems say may name private addresses: it is for operators, not for the API. */
function crawlsOf({ sources, failing, held, troubled, trouble }: CrawlFigures) {
  return {
    sources,
    failing,
    held,
    with_problems: troubled,
    problems: trouble.map(({ source_id, name, crawls: { last, whole, held } }) => ({
      source_id,
      name,
      crawl_id: last?.crawl_id ?? null,
      outcome: last?.outcome ?? null,
      started_at: last?.started_at ?? null,
      finished_at: last?.recorded_at ?? null,
      complete: last?.complete ?? null,
      missed: last?.missed ?? null,
      parse_rate: last && parseRateOf(last),
      known: last?.health?.known ?? null,
      vanished: last?.health?.vanished ?? null,
      changed: last?.health?.changed ?? null,
      drift: last?.health?.drift ?? null,
      last_complete_crawl: whole && { id: whole.crawl_id, finished_at: whole.recorded_at },
      held_crawl: held?.crawl_id ?? null,
      problems: [held, last?.crawl_id === held?.crawl_id ? null : last].flatMap(
        (crawl) => crawl?.problems.map(({ code, detail }) => ({ crawl_id: crawl.crawl_id, code, detail })) ?? [],
      ),
    })),
  }
}

function crawlsText({ problems, ...figures }: ReturnType<typeof crawlsOf>): readonly string[] {
  const { sources, failing, held, with_problems } = figures
  const crawled = `crawls   ${sources} sources, ${failing} failing, ${held} held, ${with_problems} with problems`
  if (problems.length === 0) return [crawled]
  const rows = problems.map((row) => ({
    source: row.name,
    id: row.source_id,
    outcome: row.outcome,
    at: row.started_at ?? row.finished_at,
    parsed: row.parse_rate === null ? '' : `${(100 * row.parse_rate).toFixed(1)} %`,
    missed: row.missed,
    vanished: row.vanished,
    changed: row.changed,
    drift: row.drift,
    last_complete: row.last_complete_crawl?.finished_at ?? 'never',
    held: row.held_crawl,
  }))
  const said = problems.flatMap(({ name, problems }) => [
    ...problems
      .slice(0, PROBLEMS_SHOWN)
      .map(({ code, detail }) => `  ${name}: ${code}: ${detail.replace(/\s+/g, ' ')}`),
    ...(problems.length > PROBLEMS_SHOWN ? [`  ${name}: and ${problems.length - PROBLEMS_SHOWN} more`] : []),
  ])
  const left = with_problems - problems.length
  return [crawled, table(rows), ...(left > 0 ? [`and ${left} more sources`] : []), ...said]
}

function verifiedText(verified: Verified | null): string {
  if (verified === null) return 'never'
  const { at, duration_s, ok, first_difference } = verified
  return `${at}, in ${duration_s} s: ${ok ? 'the tables are what the log gives' : `NOT EQUAL: ${first_difference}`}`
}

/** `catalog verify`: the tables are the fold of the log, or the first difference. Answers whether all held. */
export async function verifyTables(
  catalog: Catalog,
  terminal: Terminal,
  { rate = VERIFY_RATE, signal }: { rate?: number; signal?: AbortSignal } = {},
): Promise<boolean> {
  const progress = terminal.progress('records and rows')
  const at = catalog.now()
  const found = await verifyCatalog(catalog, { rate, ...(signal && { signal }), onProgress: progress.to }).finally(
    progress.done,
  )
  const { ok, positions, checks } = found
  const verified = verifiedOf(found, { at, endedAt: catalog.now() })
  await saveVerified(catalog.store, verified)
  terminal.answer({ ok, positions, duration_s: verified.duration_s, checks }, () =>
    [
      table(
        checks.map(({ name, ok, log, tables, meanwhile }) => {
          return { check: name, holds: ok ? 'yes' : 'NO', log, tables, meanwhile }
        }),
      ),
      ...checks.flatMap(({ name, first_difference }) => (first_difference ? [`\n${name}: ${first_difference}`] : [])),
    ].join('\n'),
  )
  return ok
}

export type AggregateOptions = Readonly<{ asOfs: readonly string[]; full: boolean }>

/** `catalog aggregate`: one run after the other over the given instants. */
export async function aggregateRuns(catalog: Catalog, terminal: Terminal, { asOfs, full }: AggregateOptions) {
  const reports: RunReport[] = []
  // A range that was cut short goes on where it stood when it is asked for again; a single instant is refused aloud.
  const last = asOfs.length > 1 ? await lastFinishedRun(catalog.store) : undefined
  for (const asOf of asOfs.filter((asOf) => last === undefined || Date.parse(asOf) >= Date.parse(last.asOf))) {
    const progress = terminal.progress(`run at ${asOf}`)
    reports.push(
      ...(await aggregate(
        { ...catalog.aggregator, onProgress: ({ done, total }) => progress.to(done, total) },
        { asOf, full },
      )),
    )
    progress.done()
  }
  await catalog.catchUp()
  const rows = reports.map((report) => ({
    run_id: report.runId,
    as_of: report.asOf,
    resumed: report.resumed,
    matched: report.matched,
    items_founded: report.itemsFounded,
    items_joined: report.itemsJoined,
    pairs_proposed: report.pairsProposed,
    items_looked_at: report.itemsEvaluated,
    changed: report.changed,
    basis_only: report.basisOnly,
  }))
  terminal.answer({ runs: rows }, () => table(rows))
  terminal.next('catalog status')
}

/** `catalog aggregate --dry-run`: what a run would publish, of any instant; nothing is appended. */
export async function aggregateDryRun(catalog: Catalog, terminal: Terminal, asOf: string): Promise<void> {
  const found = await dryRun(catalog.aggregator, { asOf })
  const rows = found.map(({ kind, event, prior }) => ({
    item_id: event.item_id,
    kind,
    before: prior === null ? null : priceOf(JSON.parse(prior.publicState).item.median_price),
    after: priceOf(event.state.item.median_price),
    name: event.state.item.name,
  }))
  terminal.answer({ as_of: asOf, differences: rows }, () =>
    [`at ${asOf} a run would publish ${rows.length} events`, '', table(rows)].join('\n'),
  )
}

const priceOf = (money: { cents: number; currency: string } | null) => money && formatMoney(money.cents, money.currency)

/** `catalog aggregate --run ID`: the medians of a past run, from the facts that it had read. */
export async function reproduceRun(catalog: Catalog, terminal: Terminal, runId: string): Promise<void> {
  const cut = await cutOf(catalog, { runId })
  const medians = await mediansAt(catalog.store, cut)
  const currencies = medians.currencies()
  const items = medians.itemIds().flatMap((item_id, row) => {
    const cents = medians.cents[row] as number
    return Number.isNaN(cents) ? [] : [{ item_id, cents, currency: currencies[row] as string }]
  })
  items.sort((a, b) => (a.item_id < b.item_id ? -1 : 1))
  terminal.answer({ run_id: runId, as_of: cut.asOf, items }, () =>
    [`run ${runId} at ${cut.asOf}: ${items.length} items with a price`, '', table(items)].join('\n'),
  )
  terminal.next(`catalog explain ITEM --run ${runId}`)
}

async function cutOf({ store, now }: Catalog, { runId, asOf }: { runId?: string; asOf?: string }): Promise<Cut> {
  if (runId !== undefined) {
    const run = await runById(store, runId)
    if (run === undefined) {
      const known = (await latestRuns(store, 5)).map((run) => `${run.runId} (${run.asOf})`)
      throw new Error(
        `run '${runId}': expected one of the runs there are, the latest being ${known.join(', ') || 'none'}`,
      )
    }
    return { asOf: run.asOf, positions: run.positions }
  }
  return { asOf: asOf ?? now().toISOString().replace('.000Z', 'Z'), positions: null }
}

/** `catalog explain ITEM`: the votes, weights and exclusions behind a median. */
export async function explain(
  catalog: Catalog,
  terminal: Terminal,
  { itemId, ...at }: { itemId: string; asOf?: string; runId?: string },
): Promise<void> {
  const [last] = await latestRuns(catalog.store, 1)
  // Without an instant, the one that readers see now is explained.
  const cut = await cutOf(catalog, at.asOf === undefined && at.runId === undefined && last ? { asOf: last.asOf } : at)
  const evaluator = await openEvaluator(catalog.store, cut)
  const [item] = await evaluator.evaluate([itemId])
  if (item === undefined) throw new Error(`item '${itemId}': expected the id of an item, as in GET /v1/items`)
  const { headline, markets } = item.repriced
  const value = await explanationOf(catalog.store, {
    itemId,
    name: item.name,
    unit: item.unit,
    mergedInto: item.members.mergedInto,
    runId: at.runId ?? null,
    asOf: cut.asOf,
    median: headline,
    markets,
    vendorSkuIds: item.members.skuIds,
    basis: item.repriced.basis,
  })
  const { basis } = value
  terminal.answer(value, () =>
    [
      `${item.name} (${item.unit ?? 'no unit'}), ${itemId}`,
      item.members.mergedInto === null ? '' : `merged into ${item.members.mergedInto}\n`,
      `at ${cut.asOf} by ${basis.method_version}: ${priceOf(headline) ?? 'no price'}` +
        (basis.p25 === null ? '' : `, quartiles ${basis.p25} to ${basis.p75}`),
      `${basis.voters === 1 ? '1 voter' : `${basis.voters} voters`} with a total trust of ${basis.trust_total}` +
        (basis.note === null ? '' : `: the price ${basis.note}`),
      '',
      table(
        basis.votes.map((vote) => ({
          source: vote.source_name ?? vote.source_id,
          trust: vote.trust,
          price: `${vote.price_cents} ${vote.currency}`,
          exact: vote.price,
          observed_at: vote.observed_at,
          markets: vote.markets.join(' '),
          observation: vote.observation_id.slice(0, 12),
        })),
      ),
      '',
      basis.excluded.length === 0 ? 'nothing excluded' : 'excluded:',
      ...basis.excluded.map(({ id, reason, source_name }) =>
        `  ${reason.padEnd(16)} ${id} ${source_name ?? ''}`.trimEnd(),
      ),
      '',
      table(
        markets.map(({ region, median, vendorCount }) => ({
          market: region,
          median: priceOf(median) ?? 'none',
          vendors: vendorCount,
        })),
      ),
    ].join('\n'),
  )
  terminal.next(`catalog review quarantine OBSERVATION_ID --reason "..." or catalog trust SOURCE SCORE --reason "..."`)
}
