import { execFileSync, spawnSync } from 'node:child_process'

/** Why the programs of Prometheus cannot run here, in one line; null where they can. */
export const prometheusAvailable = (): string | null =>
  ['prometheus', 'promtool'].every((program) => spawnSync(program, ['--version']).status === 0)
    ? null
    : 'expected prometheus and promtool in PATH (on Debian the package prometheus)'

/** What promtool says of rules in a folder; throws with it where it finds a fault. */
export const promtool = (args: readonly string[], folder: string): string =>
  execFileSync('promtool', args, { cwd: folder, encoding: 'utf8' })
