import { organizationKey } from '@catalog/judge/harness/keys.ts'
import { startSystemUnderTest } from '@catalog/judge/harness/system-under-test.ts'
import { runJudges, type Verdict } from '@catalog/judge/harness/verdict.ts'
import { type Deployment, readTables, rowsOf, TABLES } from './audit.ts'
import { judgeRandomRequests } from './random.ts'

type Report = (verdict: Verdict) => void

/** Contract-only requests of one audit, and the seed that draws the same ones each time. */
const [REQUESTS, SEED] = [1_000, 55]

/** Audits a deployment by its base address, with the tables and with random requests. Waits at its limits. */
export async function auditDeployment({ url, key }: { url: string; key: string | undefined }, report: Report) {
  const base = url.replace(/\/+$/, '')
  return await audit(
    { base: /\/v1$/.test(base) ? base : `${base}/v1`, known: key === undefined ? {} : { org: key } },
    report,
  )
}

/** Audits the sample market with its usual limits. Each row is another address, so that none waits for the next minute. */
export async function auditSample(report: Report): Promise<readonly Verdict[]> {
  await using system = await startSystemUnderTest({ sample: true, env: { TRUSTED_PROXIES: 'loopback' } })
  const known = { org: await organizationKey(system) }
  let row = 0
  const nextSender = () => ({ 'X-Forwarded-For': `198.18.${++row >> 8}.${row & 255}` })
  return await audit({ base: system.address, known, nextSender }, report)
}

async function audit(deployment: Deployment, report: Report): Promise<readonly Verdict[]> {
  const tables = readTables()
  const verdicts: Verdict[] = []
  for (const name of TABLES) {
    const judged = await runJudges(rowsOf(name, tables, deployment), report)
    const count = (verdict: Verdict['verdict']) => judged.filter((one) => one.verdict === verdict).length
    const [holding, failing, left] = [count('passed'), count('failed'), count('skipped')]
    const total: Verdict = {
      judge: name,
      verdict: failing === 0 ? 'passed' : 'failed',
      says: `${judged.length} rows: ${holding} hold, ${failing} fail, ${left} skipped`,
      details: '',
      seconds: Math.round(judged.reduce((sum, { seconds }) => sum + seconds, 0)),
      counts: { rows: judged.length, holding, failing, skipped: left },
    }
    report(total)
    verdicts.push(...judged, total)
  }
  const random = judgeRandomRequests(tables, deployment, {
    count: REQUESTS,
    seed: SEED,
    // Many addresses have more searches a minute than one key.
    key: deployment.nextSender === undefined ? deployment.known.org : undefined,
  })
  return [...verdicts, ...(await runJudges([random], report))]
}
