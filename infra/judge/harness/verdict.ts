export type Verdict = Readonly<{
  judge: string
  /** Skipped: this machine cannot have the judge. */
  verdict: 'passed' | 'failed' | 'skipped'
  /** One line. */
  says: string
  /** What a person needs to mend it; empty when it passed. */
  details: string
  seconds: number
}>
export type Judge = Readonly<{ name: string; run: () => Promise<Omit<Verdict, 'judge' | 'seconds'>> }>

/** Lines of a tool that show what is wrong; a document that breaks a rule everywhere breaks it a hundred times. */
const DETAIL_CHARS_MAX = 6_000
/** Asks one judge after the other, and tells each verdict as it falls. */
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
