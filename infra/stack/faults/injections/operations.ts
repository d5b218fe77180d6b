import { setTimeout as delay } from 'node:timers/promises'
import { observationKey, TOPICS } from '@catalog/core/events/topics.ts'
import { streamed } from '@catalog/stack/faults/system/market.ts'
import type { System } from '@catalog/stack/faults/system/system.ts'
import { startCatalog } from '@catalog/stack/servers/command.ts'
import { between, type Injects, retried } from './injection.ts'

/** Records that no program should append, and operators' work that goes on meanwhile. */

const HUGE_CHARS = 600_000
const DEEP = 5_000
/** Longer than a fault beside an operation lasts, such as a full disk. */
const OPERATION_MAX_MS = 60_000
const PAUSE_MS = 1_000

export const OPERATION_FAULTS: Injects = {
  async 'hostile-records'({ log, history }, { injected }) {
    const records = hostileRecords()
    injected()
    await retried(() => log.append(TOPICS.observations, records))
    history.add({ kind: 'hostile', values: records.map(({ value }) => value) })
    return `${records.length} records`
  },
  async replay(system, { random, injected }) {
    injected()
    const running = startCatalog(['replay'], system.options)
    await delay(between(1, 8, random))
    running.kill('SIGKILL')
    await running.finished
    const attempts = await untilDone(system, ['replay'])
    await untilDone(system, ['replay', '--retire'])
    return `in ${attempts} attempts`
  },
  async snapshot(system, { injected }) {
    injected()
    return `in ${await untilDone(system, ['snapshot'])} attempts`
  },
}

/** Runs a command until it succeeds; returns how often that took. Throws when it still fails after {@link OPERATION_MAX_MS}. */
async function untilDone({ options, say }: System, args: readonly string[]): Promise<number> {
  const giveUpMs = performance.now() + OPERATION_MAX_MS
  for (let attempt = 1; ; attempt++) {
    const { code, stdout, stderr } = await startCatalog([...args, '--json'], options).finished
    if (code === 0) return attempt
    const said = `catalog ${args.join(' ')} ended with ${code}: ${`${stdout}${stderr}`.trim().slice(0, 300)}`
    if (performance.now() > giveUpMs) throw new Error(said)
    say(said)
    await delay(PAUSE_MS)
  }
}

let made = 0

function hostileRecords() {
  made += 1
  const [event] = streamed(0, 1, new Date()).events
  if (event === undefined) throw new Error('expected an event')
  const key = observationKey(event.source.id, event.vendor_ref)
  const values = [
    `no JSON ${made}`,
    JSON.stringify({ type: 'ObservationRecorded', v: 1, made }),
    JSON.stringify({ ...event, name: `a text with what no database holds \0 ${made}` }),
    JSON.stringify({ ...event, name: `${made}${'x'.repeat(HUGE_CHARS)}` }),
    `${'['.repeat(DEEP)}${made}${']'.repeat(DEEP)}`,
  ]
  return values.map((value) => ({ key, value }))
}
