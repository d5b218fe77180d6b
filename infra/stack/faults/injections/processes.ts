import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { whileAway } from '@catalog/stack/faults/system/readers.ts'
import type { Supervised } from '@catalog/stack/faults/system/supervisor.ts'
import type { System } from '@catalog/stack/faults/system/system.ts'
import { untilHolds } from '@catalog/stack/servers/machine.ts'
import { AGGREGATOR_LEASE, readLeases } from '@catalog/store/lease.ts'
import { between, type Injection, type InjectionContext, type Injects, oneOf, PATIENCE } from './injection.ts'

/** Faults of the catalog's own processes. */

/** Longer than a member of a group may be silent, and than a leader's lease lasts. */
const FROZEN_MS = AGGREGATOR_LEASE.ttlMs + 15_000
const HOUR_SECONDS = 3_600
/** The start of a process, and at least one instant of the schedule after it. */
const CLOCKS_MS = 100_000
/** What a process may allocate after it came into its group: less than a batch takes. */
const MEMORY_BYTES = 8_000_000
const MEMORY_GROUPS = '/sys/fs/cgroup/memory'
const MEMORY_WAIT_MS = 20_000

/** Null where the memory of one process can be limited here, else the reason. */
export const memoryLimitUnavailable = (): string | null =>
  existsSync(`${MEMORY_GROUPS}/cgroup.procs`) && process.getuid?.() === 0
    ? null
    : 'no memory cgroups of version 1, or not root'

export const PROCESS_FAULTS: Injects = {
  'kill-projector': (system, context) => kill(oneOf(system.projectors, context.random), context),
  async 'kill-at-commit'(system, context) {
    const victim = oneOf(system.projectors, context.random)
    for (let skipped = Math.floor(context.random() * 5); skipped >= 0; skipped--)
      await system.servers.proxies.postgres.nextCommit()
    return kill(victim, context)
  },
  'kill-aggregator': async (system, context) => kill(await leader(system), context),
  'kill-server': (system, context) => whileAway(system, () => kill(system.serve, context)),
  async 'kill-crawl'({ crawls, nowMs }, { random, injected }) {
    const afterMs = between(0.5, 3, random)
    await untilHolds('a crawl runs', () => nowMs() - (crawls.running()?.sinceMs ?? nowMs()) > afterMs, PATIENCE)
    injected()
    return crawls.running()?.process.kill('SIGKILL') ? `after ${afterMs} ms` : 'it had just ended'
  },
  'kill-mirror': (system, context) => kill(system.mirror, context),
  'freeze-projector': (system, context) => freeze(oneOf(system.projectors, context.random), context),
  'freeze-leader': async (system, context) => freeze(await leader(system), context),
  'memory-limit': limitMemory,
  ...Object.fromEntries(
    [1, -1].flatMap((sign) =>
      [1, 24].map((hours): [string, Injection['inject']] => [
        `clock-${sign > 0 ? 'ahead' : 'behind'}-${hours}h`,
        (system, context) => setClocks(system, context, sign * hours * HOUR_SECONDS),
      ]),
    ),
  ),
}

async function kill(victim: Supervised, { injected }: InjectionContext): Promise<string> {
  const before = victim.restarts()
  injected()
  victim.kill()
  await untilHolds('the supervisor has started it again', () => victim.restarts() > before, PATIENCE)
  return victim.name
}

async function freeze(victim: Supervised, { injected }: InjectionContext): Promise<string> {
  injected()
  victim.freeze()
  try {
    await delay(FROZEN_MS)
  } finally {
    victim.thaw()
  }
  return victim.name
}

/** The aggregator that holds the lease, as soon as one does: it is in a run. */
async function leader({ store, aggregators }: System): Promise<Supervised> {
  let holder: Supervised | undefined
  const isLed = async () => {
    const leases = await readLeases(store()).catch(() => [])
    const pid = leases.find(({ name }) => name === AGGREGATOR_LEASE.name)?.holder.split(':')[1]
    holder = aggregators.find((aggregator) => String(aggregator.pid()) === pid)
    return holder !== undefined
  }
  await untilHolds('a run is led', isLed, PATIENCE)
  return holder as Supervised
}

async function limitMemory({ projectors }: System, { random, injected }: InjectionContext): Promise<string> {
  const victim = oneOf(projectors, random)
  const before = victim.restarts()
  const group = `${MEMORY_GROUPS}/catalog-faults-${process.pid}`
  mkdirSync(group, { recursive: true })
  writeFileSync(`${group}/memory.limit_in_bytes`, String(MEMORY_BYTES))
  injected()
  writeFileSync(`${group}/cgroup.procs`, String(victim.pid()))
  const patience = { timeoutMs: MEMORY_WAIT_MS, pollMs: 50 }
  const note = await untilHolds('ended', () => victim.restarts() > before, patience).then(
    () => `${victim.name} was ended and started again`,
    () => `${victim.name} needed no more memory in ${MEMORY_WAIT_MS / 1000} s`,
  )
  // A survivor leaves the group with its limit.
  if (victim.restarts() === before) writeFileSync(`${MEMORY_GROUPS}/cgroup.procs`, String(victim.pid()))
  await untilHolds('the group is empty', () => isRemoved(group), PATIENCE)
  return note
}

function isRemoved(group: string): boolean {
  try {
    rmdirSync(group)
    return true
  } catch {
    return false
  }
}

async function setClocks(system: System, context: InjectionContext, seconds: number): Promise<string> {
  const { random, injected } = context
  const victims = [oneOf(system.aggregators, random), oneOf(system.projectors, random), system.serve]
  injected()
  for (const victim of victims) victim.setClock?.(seconds)
  // It starts with that clock, as on a machine that boots with a wrong one, and looks for a run that it missed.
  victims[0]?.kill()
  await delay(CLOCKS_MS)
  for (const victim of victims) victim.setClock?.(0)
  return victims.map(({ name }) => name).join(', ')
}
