import { instant } from '@catalog/core/time.ts'
import { storeOfFile } from '@catalog/stack/testing/fixtures.ts'
import { readJobRuns } from '@catalog/store/jobs.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import { type NightlyJob, runNightly } from './nightly.ts'

const EVERY_SECOND = '* * * * * *'
const NEVER = '0 0 29 2 *'
const QUICK = { min: 1, max: 4 }

const store = await storeOfFile()
beforeEach(() => store.query('truncate jobs'))

/** Runs a job until it says that it is done. */
async function runJob(job: (stop: () => void) => Pick<NightlyJob, 'work'> & Partial<NightlyJob>): Promise<void> {
  const stopping = new AbortController()
  const given = job(() => stopping.abort())
  const options = { signal: stopping.signal, logLevel: 'silent', retryMs: QUICK }
  await runNightly({ store, now: () => new Date() }, { name: 'aggregate', cron: EVERY_SECOND, ...given }, options)
}

describe('a nightly job', () => {
  test('that fails is tried again for the same instant until it is done, and the table says so', async () => {
    const due: string[] = []
    const kept: unknown[] = []
    await runJob((stop) => ({
      async missed() {
        return new Date('2026-11-20T02:00:00Z')
      },
      cron: NEVER,
      async work(at) {
        due.push(instant(at))
        kept.push(...(await readJobRuns(store)))
        if (due.length < 4) throw new Error(`away ${due.length}`)
        stop()
        return { published: 7 }
      },
    }))
    expect(due).toEqual(Array(4).fill('2026-11-20T02:00:00Z'))
    expect(kept).toMatchObject([1, 2, 3].map((attempt) => ({ outcome: 'failed', attempt, failure: `away ${attempt}` })))
    expect(await readJobRuns(store)).toMatchObject([
      { job: 'aggregate', outcome: 'done', attempt: 4, failure: null, due_at: '2026-11-20T02:00:00Z' },
    ])
  })

  test('that another process did is no run of this one', async () => {
    await runJob((stop) => ({
      async work() {
        stop()
        return undefined
      },
    }))
    expect(await readJobRuns(store)).toEqual([])
  })

  test('that fails for longer than its schedule goes on with the last instant alone', async () => {
    const due: number[] = []
    await runJob((stop) => ({
      async work(at) {
        due.push(at.getTime())
        // The first instant fails until a later one passed.
        if (at.getTime() === due[0]) throw new Error('away')
        stop()
        return {}
      },
    }))
    expect(due.at(-1)).toBeGreaterThan(due[0] as number)
    expect(new Set(due).size).toBe(2)
  })

  test('does its work though the table of jobs cannot be read or written', async () => {
    const away = { ...store, query: () => Promise.reject(new Error('away')) }
    const stopping = new AbortController()
    let attempts = 0
    const job: NightlyJob = {
      name: 'aggregate',
      cron: EVERY_SECOND,
      async work() {
        if (++attempts === 3) stopping.abort()
        throw new Error('away')
      },
    }
    const options = { signal: stopping.signal, logLevel: 'silent', retryMs: QUICK }
    await runNightly({ store: away, now: () => new Date() }, job, options)
    expect(attempts).toBe(3)
  })

  test('without a schedule never runs', async () => {
    await runJob((stop) => {
      stop()
      return { cron: null, work: () => Promise.reject(new Error('ran')) }
    })
  })
})
