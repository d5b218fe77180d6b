import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempDisposableSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './machine.ts'

/** Why the programs of Prometheus cannot run here, in one line; null where they can. */
export const prometheusAvailable = (): string | null =>
  ['prometheus', 'promtool'].every((program) => spawnSync(program, ['--version']).status === 0)
    ? null
    : 'expected prometheus and promtool in PATH (on Debian the package prometheus)'

/** What promtool says of rules in a folder; throws with it where it finds a fault. */
export const promtool = (args: readonly string[], folder: string): string =>
  execFileSync('promtool', args, { cwd: folder, encoding: 'utf8' })

/** A Prometheus of its own; disposal ends it and removes its data. */
export interface Prometheus extends AsyncDisposable {
  /** The `data` of an answer of its API (`query`, `rules` ...); throws with its reason where it refuses. */
  get(path: string, parameters?: Readonly<Record<string, string>>): Promise<unknown>
}

/** Starts a server that reads a process of the catalog, and evaluates its rules, every second. */
export async function startPrometheus({ target, rules }: { target: string; rules: string }): Promise<Prometheus> {
  await using starting = new AsyncDisposableStack()
  const folder = starting.use(mkdtempDisposableSync(join(tmpdir(), 'catalog-prometheus-')))
  const config = join(folder.path, 'prometheus.json')
  writeFileSync(
    config,
    JSON.stringify({
      global: { scrape_interval: '1s', scrape_timeout: '1s', evaluation_interval: '1s' },
      rule_files: [rules],
      scrape_configs: [{ job_name: 'catalog', static_configs: [{ targets: [target] }] }],
    }),
  )
  const address = `127.0.0.1:${await freePort()}`
  const args = [`--config.file=${config}`, `--storage.tsdb.path=${folder.path}`, `--web.listen-address=${address}`]
  const child = spawn('prometheus', [...args, '--log.level=error'], { stdio: ['ignore', 'ignore', 'inherit'] })
  const exited = once(child, 'exit')
  starting.defer(async () => {
    child.kill('SIGKILL')
    await exited
  })
  const running = starting.move()
  return {
    async get(path, parameters = {}) {
      const answer = await fetch(`http://${address}/api/v1/${path}?${new URLSearchParams(parameters)}`)
      const { status, data, error } = (await answer.json()) as { status: string; data: unknown; error?: string }
      if (status !== 'success') throw new Error(`${path} ${JSON.stringify(parameters)}: ${error}`)
      return data
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}
