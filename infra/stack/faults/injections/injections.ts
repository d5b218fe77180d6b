import { readFileSync } from 'node:fs'
import { clockUnavailable } from '@catalog/stack/faults/system/clock.ts'
import { parse } from 'yaml'
import { INDEX_FAULTS } from './elasticsearch.ts'
import type { Injection, Injects } from './injection.ts'
import { NETWORK_FAULTS } from './network.ts'
import { OPERATION_FAULTS } from './operations.ts'
import { memoryLimitUnavailable, PROCESS_FAULTS } from './processes.ts'
import { DATABASE_FAULTS, LOG_FAULTS } from './servers.ts'
import { STORAGE_FAULTS } from './storage.ts'

const INJECTS: Injects = {
  ...PROCESS_FAULTS,
  ...DATABASE_FAULTS,
  ...LOG_FAULTS,
  ...NETWORK_FAULTS,
  ...INDEX_FAULTS,
  ...STORAGE_FAULTS,
  ...OPERATION_FAULTS,
}
const TABLE: readonly (Omit<Injection, 'inject' | 'needs'> & Partial<Pick<Injection, 'needs'>>)[] = parse(
  readFileSync(new URL('./faults.yaml', import.meta.url), 'utf8'),
)

/** Every fault that a run can inject. */
export const INJECTIONS: readonly Injection[] = TABLE.map((row) => {
  const inject = INJECTS[row.name]
  if (inject === undefined) throw new Error(`faults.yaml: '${row.name}': expected the name of a fault`)
  return { needs: [], ...row, inject }
})

/** Faults that no run injects, each with the reason. */
export const NOT_INJECTED: readonly Readonly<{ name: string; reason: string }>[] = [
  {
    name: 'netem',
    reason: 'no queueing discipline may be set on machines like this one; the proxies delay, narrow and reset',
  },
  {
    name: 'power-loss',
    reason: 'needs a file system that forgets what was not synced; kill -9 and immediate shutdowns stand for it here',
  },
  {
    name: 'unclean-election',
    reason:
      'the catalog makes its topics without; infra/stack/scenarios/lost-log.int.test.ts holds that a shorter log halts it',
  },
  {
    name: 'topic-recreated',
    reason: 'nothing goes on after it, by design: infra/stack/scenarios/lost-log.int.test.ts',
  },
  { name: 'key-rotation', reason: 'accounts alone have secrets: libs/store/sealing.test.ts' },
]

/** Why this machine cannot inject a fault; null where it can. */
export function unavailable({ name, needs }: Injection): string | null {
  if (needs.includes('clocks')) return clockUnavailable()
  if (name === 'memory-limit') return memoryLimitUnavailable()
  if (needs.includes('disks') && process.getuid?.() !== 0) return 'only root may mount a small file system'
  return null
}
