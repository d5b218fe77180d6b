import { mkdtempDisposableSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Asked, openReports } from './report-file.ts'
import type { RunReport } from './run.ts'

const ASKED: Asked = { events: 300_000, minutes: 5, faults: ['kill-projector', 'failover'] }
const reportOf = (seed: number): RunReport => ({
  plans: [{ seed, acknowledged: 10, lost: 0, doubled: 0 }],
  seconds: 1,
  brokers: 1,
  faults: [],
  restarts: {},
  verdict: { counts: {}, lost: 0, doubled: 0, misses: [] } as unknown as RunReport['verdict'],
  misses: [],
})

test('reports of an earlier command are there for the next one', () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'report-file-'))
  const file = join(folder.path, 'reports.jsonl')
  expect(openReports(file, ASKED).reports).toEqual([])
  for (const seed of [1, 2]) openReports(file, ASKED).add(reportOf(seed))
  expect(openReports(file, ASKED).reports).toEqual([reportOf(1), reportOf(2)])
})

test('a file of other runs, or a line cut short, is refused with its place', () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'report-file-'))
  const file = join(folder.path, 'reports.jsonl')
  openReports(file, ASKED).add(reportOf(1))
  expect(() => openReports(file, { ...ASKED, events: 10 })).toThrow(
    /line 1: of a run asked for .*300000.*, expected .*10/,
  )
  writeFileSync(file, `${readFileSync(file, 'utf8')}{"asked":{"ev`)
  expect(() => openReports(file, ASKED)).toThrow('line 2: no report')
})
