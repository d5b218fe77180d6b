export type Verdict = Readonly<{
  judge: string
  /** Skipped when this machine cannot run the judge. */
  verdict: 'passed' | 'failed' | 'skipped'
  /** A summary of one line. */
  says: string
  /** Information for fixing a failure; empty when the judge passed. */
  details: string
  seconds: number
  /** Figures of a judge that counts, for machines. */
  counts?: Readonly<Record<string, number>>
}>
export type Judge = Readonly<{ name: string; run: () => Promise<Omit<Verdict, 'judge' | 'seconds'>> }>

/** Enough of a tool's output: a document that breaks a rule everywhere breaks it a hundred times. */
const DETAIL_CHARS_MAX = 6_000
/** Runs the judges one after the other and reports each verdict at once. */
export async function runJudges(
  judges: readonly Judge[],
  report: (verdict: Verdict) => void,
): Promise<readonly Verdict[]> {
  const verdicts: Verdict[] = []
  for (const { name, run: judge } of judges) {
    const begun = performance.now()
    // A judge that cannot finish has not passed.
    const outcome = await judge().catch((error: unknown) => failed('could not judge', String(error)))
    const seconds = Math.round((performance.now() - begun) / 100) / 10
    const verdict = { judge: name, ...outcome, details: outcome.details.trim().slice(0, DETAIL_CHARS_MAX), seconds }
    report(verdict)
    verdicts.push(verdict)
  }
  return verdicts
}

export const passed = (says: string) => ({ verdict: 'passed', says, details: '' }) as const
export const failed = (says: string, details: string) => ({ verdict: 'failed', says, details }) as const
export const skipped = (says: string) => ({ verdict: 'skipped', says, details: '' }) as const
