import type { Context } from '@catalog/cli/shared/context.ts'
import { openStageBar, type Terminal, table } from '@catalog/cli/shared/terminal.ts'
import type { Catalog } from '@catalog/operations/catalog.ts'
import { ReplayPaused } from '@catalog/projector/replay/pacing.ts'
import { abortReplay, type ReplayReport, replay, retireBuilds } from '@catalog/projector/replay/replay.ts'
import type { Stage } from '@catalog/projector/replay/replay-deps.ts'
import {
  type Build,
  buildSchemaOf,
  readBuilding,
  readBuilds,
  readPositions,
  updateBuildSettings,
} from '@catalog/store/builds/builds.ts'

/**
 * `catalog replay`: rebuilds all read models from the log beside those that serve, compares them and switches over. The
 * next call resumes an unfinished build.
 */
export type ReplayFlags = Readonly<{
  accept?: boolean
  throttle?: string
  status?: boolean
  pause?: boolean
  abort?: boolean
  retire?: boolean
}>

/** Returns false if it was paused or refused to switch over. */
export async function replayCatalog({ catalog, terminal, signal }: Context, flags: ReplayFlags): Promise<boolean> {
  const { status, pause, abort, retire } = flags
  if ([status, pause, abort, retire].filter(Boolean).length > 1)
    throw new Error('replay: expected at most one of --status, --pause, --abort and --retire')
  const rateMax = flags.throttle === undefined ? undefined : rateOf(flags.throttle)
  if (status) await showBuilds(catalog, terminal)
  else if (pause) await pauseReplay(catalog, terminal)
  else if (abort) {
    const build = await abortReplay({ ...catalog.replay, signal })
    terminal.answer({ aborted: build }, () => `build ${build} is removed; the served build is unchanged`)
  } else if (retire) {
    const retired = await retireBuilds({ ...catalog.replay, signal })
    terminal.answer({ retired }, () =>
      retired.length === 0
        ? 'there is no former build'
        : `gone: ${retired.map((build) => `build ${build}`).join(', ')}`,
    )
  } else return await run(catalog, terminal, { accept: flags.accept ?? false, rateMax, signal })
  return true
}

/** More than any store folds in a second. */
const RATE_MAX = 10_000_000
function rateOf(text: string): number | null {
  if (text === 'none') return null
  const rate = Number(text)
  if (!Number.isInteger(rate) || rate < 1 || rate > RATE_MAX)
    throw new Error(`--throttle '${text}': expected records a second, from 1 to ${RATE_MAX}, or none`)
  return rate
}

const STAGES: Readonly<Record<Stage, string>> = {
  fold: 'records folded',
  settle: 'observations get their keys',
  compare: 'kinds of rows compared',
  search: 'the search index is fed',
  flip: 'the build takes its place',
}

async function run(
  catalog: Catalog,
  terminal: Terminal,
  { accept, rateMax, signal }: { accept: boolean; rateMax: number | null | undefined; signal: AbortSignal },
): Promise<boolean> {
  const { store } = catalog
  const left = await readBuilding(store)
  if (left !== undefined) {
    terminal.note(`resuming build ${left.build}, begun at ${left.createdAt}`)
    await updateBuildSettings(store, left.build, { paused: false, ...(rateMax !== undefined && { rateMax }) })
  }
  const bar = openStageBar(terminal)
  try {
    const report = await replay(
      {
        ...catalog.replay,
        signal,
        onProgress: ({ stage, ...at }) => bar.to({ stage: STAGES[stage], ...at }),
      },
      { accept, ...(rateMax !== undefined && { rateMax }) },
    )
    bar.done()
    answerReport(terminal, report)
    return true
  } catch (error) {
    bar.done()
    const building = await readBuilding(store)
    if (!(error instanceof ReplayPaused || signal.aborted) || building === undefined) throw error
    terminal.answer({ paused: building.build }, () => `build ${building.build} is paused`)
    terminal.next('catalog replay, which resumes, or catalog replay --abort')
    return false
  }
}

function answerReport(terminal: Terminal, report: ReplayReport): void {
  const seconds = report.foldMs / 1000
  const value = {
    build: report.build,
    resumed: report.resumed,
    records: report.records,
    seconds: Math.round(seconds * 10) / 10,
    records_per_second: Math.round(report.records / seconds),
    rows_compared: report.rowsCompared,
    differences_accepted: report.accepted,
    roots: report.roots,
    flip_ms: Math.round(report.flipMs * 10) / 10,
  }
  terminal.answer(value, () =>
    [
      `build ${value.build} is served${value.resumed ? ', after it was resumed' : ''}`,
      `  ${value.records} records folded in ${value.seconds} s, ${value.records_per_second}/s`,
      value.differences_accepted.length === 0
        ? `  ${value.rows_compared} rows are equal to those that were served before`
        : `  accepted differences in ${value.differences_accepted.map(({ facts }) => facts).join(', ')}`,
      `  readers waited ${value.flip_ms} ms at most`,
      `catalog  ${value.roots.catalog}`,
      `vendor   ${value.roots.vendor}`,
    ].join('\n'),
  )
  terminal.next('catalog verify, then catalog replay --retire, which takes the former build away')
}

async function pauseReplay({ store }: Catalog, terminal: Terminal): Promise<void> {
  const building = await readBuilding(store)
  if (building === undefined) throw new Error('no replay is in progress: expected one to pause')
  await updateBuildSettings(store, building.build, { paused: true })
  terminal.answer({ paused: building.build }, () => `build ${building.build} stops at its next batch`)
  terminal.next('catalog replay, which resumes')
}

async function showBuilds({ store }: Catalog, terminal: Terminal): Promise<void> {
  const builds = await readBuilds(store)
  const served = await readPositions(store)
  const building = builds.find(({ state }) => state === 'building')
  const behind = building === undefined ? [] : await positionsOf(building)
  async function positionsOf({ build }: Build) {
    await using beside = await store.withReadModels(buildSchemaOf(store.schema, build))
    const stands = await readPositions(beside)
    return served.map(({ projection, topic, partition, next }) => {
      const same = (at: (typeof stands)[number]) =>
        at.projection === projection && at.topic === topic && at.partition === partition
      return { projection, topic, partition, done: Number(stands.find(same)?.next ?? 0), total: Number(next) }
    })
  }
  const rows = builds.map((build) => ({
    build: build.build,
    state: build.paused && build.state === 'building' ? 'paused' : build.state,
    created_at: build.createdAt,
    served_since: build.state === 'building' ? null : build.flippedAt,
    records_per_second_max: build.rateMax,
  }))
  terminal.answer({ builds: rows, building: behind }, () =>
    [table(rows), ...(behind.length === 0 ? [] : ['', table(behind)])].join('\n'),
  )
  terminal.next(building === undefined ? 'catalog replay' : 'catalog replay, which resumes it')
}
