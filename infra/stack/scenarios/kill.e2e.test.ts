import { mkdirSync, mkdtempDisposableSync, watch } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeLists } from '@catalog/stack/path/lists.ts'
import { addressOf, answerOf, type Running, startCatalog } from '@catalog/stack/servers/command.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

/** A user's commands in order, on the embedded store; each may be repeated. */
type Steps = readonly (readonly string[])[]

const folder = mkdtempDisposableSync(join(tmpdir(), 'catalog-kill-'))
afterAll(() => folder.remove())

let steps: Steps
/** What an undisturbed history ends with, and how often each step changed a file. */
let undisturbed: { state: string; changes: readonly number[] }
beforeAll(async () => {
  const { first, second, third, mapping } = writeLists(join(folder.path, 'lists'))
  steps = [
    ['crawl', first, second, '--observed-at', '2025-01-05', '--mapping', mapping, '--new-sources'],
    ['aggregate', '--as-of', '2025-01-06'],
    ['crawl', third, '--observed-at', '2025-01-12', '--mapping', mapping, '--new-sources'],
    ['aggregate', '--as-of', '2025-01-13'],
    ['replay'],
  ]
  const data = join(folder.path, 'undisturbed')
  const changes = await runAll(data)
  undisturbed = { state: await stateOf(data), changes }
})

/** Counts changes of files in the data folder; `reached` resolves at this number of them. */
function watchChanges(data: string, count: number) {
  mkdirSync(data, { recursive: true })
  const reached = Promise.withResolvers<void>()
  let changes = 0
  const watcher = watch(data, { recursive: true }, () => {
    changes += 1
    if (changes === count) reached.resolve()
  })
  return { reached: reached.promise, changes: () => changes, [Symbol.dispose]: () => watcher.close() }
}

/** Runs every step to its end and returns how often each changed a file. `kill` may strike each before. */
async function runAll(data: string, kill: (step: readonly string[], n: number) => Promise<void> = async () => {}) {
  const changes: number[] = []
  for (const [n, args] of steps.entries()) {
    await kill(args, n)
    using watched = watchChanges(data, Number.POSITIVE_INFINITY)
    await answerOf(args, { data })
    changes.push(watched.changes())
  }
  return changes
}

/** Everything that kills must not change. */
async function stateOf(data: string): Promise<string> {
  expect(await answerOf(['verify'], { data })).toMatchObject({ ok: true })
  const { seq, counts, index, roots } = (await answerOf(['status'], { data })) as Record<string, unknown>
  return JSON.stringify({ seq, counts, index, roots })
}

/**
 * Runs all steps, and kills a victim of each after this share of its changes, until it hit `max` before their end. Returns
 * how many it hit.
 */
async function runKilled(
  data: string,
  { share, victimOf, max }: { share: number; victimOf: (step: Running) => Running; max: number },
) {
  let killed = 0
  await runAll(data, async (args, n) => {
    if (killed === max) return
    using watched = watchChanges(data, Math.ceil(share * (undisturbed.changes[n] as number)))
    await using step = startCatalog([...args, '--json'], { data })
    await Promise.race([step.finished, watched.reached])
    if (victimOf(step).kill('SIGKILL')) killed += 1
    await step.finished
  })
  return killed
}

test.concurrent('commands killed after most of their changes and run again end as if undisturbed', async () => {
  const data = join(folder.path, 'killed')
  // The counts vary, so one may be killed too late; if all were, this would test nothing.
  expect(await runKilled(data, { share: 0.7, victimOf: (step) => step, max: steps.length })).toBeGreaterThan(0)
  expect(await stateOf(data)).toBe(undisturbed.state)
})

test.concurrent('commands whose server, which owns the store, is killed under them end as if undisturbed', async () => {
  const data = join(folder.path, 'server')
  await using server = startCatalog(['serve', '--port', '0', '--json'], { data })
  await addressOf(server)
  expect(await runKilled(data, { share: 0.5, victimOf: () => server, max: 1 })).toBe(1)
  expect(await stateOf(data)).toBe(undisturbed.state)
})
