import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import type { RunReport } from './run.ts'

/** What each of the runs was asked for. */
export type Asked = Readonly<{ events: number; minutes: number | null; faults: readonly string[] }>

/** The reports of ended seeds, one a line of a file, so that many seeds may take many nights. */
export type KeptReports = Readonly<{ reports: readonly RunReport[]; add: (report: RunReport) => void }>

/**
 * Reads the reports in a file; a missing file has none. Throws an error that names the line which is no report, or whose run had other
 * options: such runs do not add up.
 */
export function openReports(file: string, asked: Asked): KeptReports {
  const expected = JSON.stringify(asked)
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []
  const reports = lines.flatMap((line, i) => {
    if (line.trim() === '') return []
    const kept = parsed(line)
    if (kept?.report?.plans === undefined)
      throw new Error(`${file}, line ${i + 1}: no report; expected lines of --reports`)
    if (JSON.stringify(kept.asked) !== expected) {
      throw new Error(`${file}, line ${i + 1}: of a run asked for ${JSON.stringify(kept.asked)}, expected ${expected}`)
    }
    return [kept.report]
  })
  return {
    reports,
    add: (report) => appendFileSync(file, `${JSON.stringify({ asked, report })}\n`),
  }
}

function parsed(line: string): { asked?: Asked; report?: RunReport } | undefined {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
