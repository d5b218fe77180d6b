import { cpSync, mkdirSync, mkdtempDisposableSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import {
  deployTools,
  deployToolsAvailable,
  kubernetesSchemas,
  kubernetesSchemasAvailable,
  runTool,
  type ToolResult,
} from '@catalog/judge/harness/tools.ts'
import { failed, type Judge, passed, runJudges, skipped, type Verdict } from '@catalog/judge/harness/verdict.ts'
import { parse } from 'yaml'
import { CHART, CHART_VALUES } from './chart.ts'

/** The oldest version that Chart.yaml permits, and the newest. */
const KUBERNETES = ['1.30.0', '1.37.0'] as const
const TIMEOUT_MS = 60_000
const COMPOSE_FILE = join(import.meta.dirname, '../../../docker-compose.yml')
const FAULTS: Readonly<{
  templates: readonly (readonly [template: string, text: string, fault: string])[]
  compose: readonly (readonly [text: string, fault: string])[]
  rendered: readonly (readonly [text: string, fault: string])[]
}> = parse(readFileSync(join(import.meta.dirname, 'faults.yaml'), 'utf8'))

type Run = (tool: 'helm' | 'helm-unittest' | 'kubeconform' | 'compose', args: readonly string[]) => Promise<ToolResult>

/** Helm, helm-unittest and kubeconform judge the chart for Kubernetes, the parser of Docker Compose its file. */
export async function judgeDeploy(report: (verdict: Verdict) => void): Promise<readonly Verdict[]> {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'catalog-judge-'))
  const run: Run = async (tool, args) =>
    runTool(join(await deployTools(), tool), args, { cwd: folder.path, timeoutMs: TIMEOUT_MS })
  const unable = await deployToolsAvailable()
  const unread = unable ?? (await kubernetesSchemasAvailable())
  const judge = (name: string, reason: string | null, work: Judge['run']): Judge => ({
    name,
    run: async () => (reason === null ? await work() : skipped(reason)),
  })
  return await runJudges(
    [
      judge('helm lint', unable, () => lint(run)),
      judge('helm-unittest', unable, () => runSuites(run, folder.path)),
      judge('schema of values', unable, () => refuseWrongValues(run)),
      ...(['least', 'all'] as const).map((values) =>
        judge(`kubeconform, ${values}`, unread, () => conform(run, { values, folder: folder.path })),
      ),
      judge('compose', unable, () => loadCompose(run, folder.path)),
    ],
    report,
  )
}

const valuesFile = (name: keyof typeof CHART_VALUES) => join(CHART, CHART_VALUES[name])

async function lint(run: Run) {
  const all = [[], ['--values', valuesFile('least')], ['--values', valuesFile('all')]]
  for (const values of all) {
    const { code, stdout, stderr } = await run('helm', ['lint', '--strict', CHART, ...values])
    if (code !== 0) return failed(`helm lint --strict ${values.join(' ')}`, `${stdout}${stderr}`)
  }
  return passed(`nothing to say of ${all.length} sets of values`)
}

async function runSuites(run: Run, folder: string) {
  const { code, stdout, stderr } = await run('helm-unittest', [CHART])
  if (code !== 0) return failed('a suite fails', `${stdout}${stderr}`)
  for (const [i, [template, text, fault]] of FAULTS.templates.entries()) {
    const chart = join(folder, `chart-${i}`)
    cpSync(CHART, chart, { recursive: true })
    const file = join(chart, 'templates', template)
    writeFileSync(file, replaced(readFileSync(file, 'utf8'), text, fault))
    const planted = await run('helm-unittest', [chart])
    if (!/ failed, \d+ passed, \d+ total/.test(planted.stdout)) {
      return failed(`the suites are blind: ${fault} in ${template} is not noticed`, planted.stdout)
    }
  }
  const tests = /^Tests: .*?(\d+) total/m.exec(stdout)?.[1]
  return passed(`${tests} tests; ${FAULTS.templates.length} planted faults are found`)
}

async function refuseWrongValues(run: Run) {
  const { code, stderr } = await run('helm', ['template', 'judged', CHART, '--values', valuesFile('wrong')])
  const names = [...readFileSync(valuesFile('wrong'), 'utf8').matchAll(/^(\w+):/gm)].map(([, name]) => name as string)
  const accepted = names.filter((name) => !stderr.includes(`at '/${name}`))
  if (code === 0 || accepted.length > 0) return failed(`accepted: ${accepted.join(', ')}`, stderr)
  return passed(`${names.length} wrong values are refused`)
}

async function conform(run: Run, { values, folder }: { values: 'least' | 'all'; folder: string }) {
  let objects = 0
  for (const version of KUBERNETES) {
    const flags = ['--kube-version', version, '--values', valuesFile(values)]
    const rendered = await run('helm', ['template', 'judged', CHART, ...flags])
    if (rendered.code !== 0) return failed(`nothing is rendered for Kubernetes ${version}`, rendered.stderr)
    const check = await checkOf(run, { version, folder })
    const { code, stdout, stderr } = await check(rendered.stdout)
    objects = Number(/Valid: (\d+)/.exec(stdout)?.[1])
    if (code !== 0 || !(objects > 0)) return failed(`not as Kubernetes ${version} expects`, `${stdout}${stderr}`)
    // The fault of one version is that of the other.
    for (const [text, fault] of version === KUBERNETES[0] ? FAULTS.rendered : []) {
      const planted = await check(replaced(rendered.stdout, text, fault))
      if (!/Invalid: [1-9]/.test(planted.stdout)) {
        return failed(`the check is blind: ${fault} is not noticed`, planted.stdout)
      }
    }
  }
  const versions = KUBERNETES.join(' and ')
  return passed(`${objects} objects under Kubernetes ${versions}; ${FAULTS.rendered.length} planted faults are found`)
}

/** Loads the file as `docker compose` does. */
async function loadCompose(run: Run, folder: string) {
  const { code, stderr } = await run('compose', [COMPOSE_FILE])
  if (code !== 0) return failed('docker-compose.yml is refused', stderr)
  const text = readFileSync(COMPOSE_FILE, 'utf8')
  for (const [part, fault] of FAULTS.compose) {
    const file = join(folder, 'docker-compose.yml')
    writeFileSync(file, replaced(text, part, fault))
    if ((await run('compose', [file])).code === 0) return failed(`the parser is blind: ${fault} is not noticed`, '')
  }
  return passed(`docker-compose.yml loads; ${FAULTS.compose.length} planted faults are found`)
}

/** Checks manifests by the schemas of one version of Kubernetes. */
async function checkOf(run: Run, { version, folder }: { version: string; folder: string }) {
  const schemas = await schemasOf(version, folder)
  // The Prometheus operator defines its objects itself.
  const options = ['-strict', '-skip', 'PodMonitor', '-summary', '-schema-location', schemas]
  return async (manifests: string) => {
    const file = join(folder, 'manifests.yaml')
    writeFileSync(file, manifests)
    return await run('kubeconform', [...options, file])
  }
}

/** The template of a schema's path, for kubeconform. References expect a server of schemas: here they name a file. */
async function schemasOf(version: string, folder: string): Promise<string> {
  const place = join(folder, version)
  const from = join(await kubernetesSchemas(), `v${version}-local-strict`)
  mkdirSync(place, { recursive: true })
  const definitions = pathToFileURL(join(place, '_definitions.json')).href
  for (const name of readdirSync(from)) {
    const text = readFileSync(join(from, name), 'utf8')
    writeFileSync(join(place, name), text.replaceAll('"/api/_definitions.json#', `"${definitions}#`))
  }
  return join(place, '{{ .ResourceKind }}{{ .KindSuffix }}.json')
}

function replaced(text: string, what: string, by: string): string {
  if (!text.includes(what)) throw new Error(`'${what}' is not there to be replaced`)
  return text.replace(what, by)
}
