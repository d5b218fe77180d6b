import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempDisposableSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { MANIFESTS, ROOT } from './tree.ts'

/** Lines of a function, and of a file, that are one too many. */
const LONG_FUNCTION = `export function long() {\n${'  long()\n'.repeat(71)}}`
const LONG_FILE = Array.from({ length: 401 }, (_, i) => `export const line${i} = ${i}`).join('\n')

describe('the linter', () => {
  /** Folder or file, the planted text, and the rule that must refuse it. */
  const refused = [
    ['libs/core', `import 'pg'`, 'noUndeclaredDependencies'],
    ['libs/core', `import 'node:fs'`, 'noNodejsModules'],
    ['libs/core', `import '@catalog/store/db.ts'`, 'noUndeclaredDependencies'],
    ['libs/core', `import '../store/db.ts'`, 'noRestrictedImports'],
    ['libs/store', `import '@catalog/log/log.ts'`, 'noUndeclaredDependencies'],
    ['libs/store', `import '../core/events.ts'`, 'noRestrictedImports'],
    ['libs/store', `export const home = process.env.HOME`, 'noProcessEnv'],
    ['libs/store', `export const any = (value: any) => value`, 'noExplicitAny'],
    ['libs/store', `console.log('here')`, 'noConsole'],
    ['libs/store', `export default 1`, 'noDefaultExport'],
    ['libs/store', `import { Store } from './db.ts'\nexport type Held = Store`, 'useImportType'],
    ['libs/store', `export async function f() {}\nf()`, 'noFloatingPromises'],
    [
      'libs/store',
      `export function f() {\n  try {\n    f()\n  } catch (error) {\n    throw new Error('no')\n  }\n}`,
      'useErrorCause',
    ],
    ['libs/store/cycle_a.ts', `import './cycle_b.ts'`, 'noImportCycles'],
    ['libs/store/cycle_b.ts', `import './cycle_a.ts'`, 'noImportCycles'],
    ['libs/store/planted.test.ts', `import '../core/events.ts'`, 'noRestrictedImports'],
    ['libs/store/planted.test.ts', `console.log('here')`, 'noConsole'],
    ...[
      '@catalog/store/embedded/embedded.ts',
      '@catalog/log/table.ts',
      '@catalog/log/kafka/kafka.ts',
      '@catalog/search/exact/exact.ts',
      '@catalog/search/elasticsearch/elasticsearch.ts',
      '@catalog/embed/builtin/builtin.ts',
      '@catalog/embed/http/http.ts',
      '../../libs/core/events/events.ts',
    ].map((specifier) => ['services/projector', `import '${specifier}'`, 'noRestrictedImports'] as const),
    ['services/projector', `import '@catalog/api/server.ts'`, 'noUndeclaredDependencies'],
    ['services/projector', `export const home = process.env.HOME`, 'noProcessEnv'],
    ['services/projector', `console.log('here')`, 'noConsole'],
    ['services/projector/planted.test.ts', `import '../api/server.ts'`, 'noRestrictedImports'],
    ['services/cli', `import '../api/server.ts'`, 'noRestrictedImports'],
    ['services/cli', `import 'nobody-declares-this'`, 'noUndeclaredDependencies'],
    ['services/cli', `console.log('here')`, 'noConsole'],
    ['services/cli', `export default 1`, 'noDefaultExport'],
    ['infra/stack', `import '../bench/run.ts'`, 'noRestrictedImports'],
    ['infra/stack', `console.log('here')`, 'noConsole'],
    ['infra/bench', `import 'nobody-declares-this'`, 'noUndeclaredDependencies'],
    ['infra/bench', `export default 1`, 'noDefaultExport'],
    ['libs/core', LONG_FUNCTION, 'noExcessiveLinesPerFunction'],
    ['infra/stack', LONG_FUNCTION, 'noExcessiveLinesPerFunction'],
    ['libs/core', LONG_FILE, 'noExcessiveLinesPerFile'],
    ['services/cli', LONG_FILE, 'noExcessiveLinesPerFile'],
  ] as const
  const allowed = [
    ['libs/core/digest.ts', `import 'node:crypto'`],
    ['libs/core/planted.test.ts', `import 'node:fs'`],
    ['libs/core/planted.test.ts', `export const home = process.env.HOME`],
    ['services/cli', `import '@catalog/store/embedded/embedded.ts'`],
    ['services/cli', `export const home = process.env.HOME`],
    ['services/projector/planted.test.ts', `import '@catalog/store/embedded/embedded.ts'`],
    ['infra/stack', `export const home = process.env.HOME`],
    ['infra/bench', `console.log('here')`],
    ['libs/core/long.test.ts', LONG_FUNCTION],
    ['libs/core/long.test.ts', LONG_FILE],
  ] as const

  /** The linter's answer on a planted file: the rules of its errors, and its exit status. */
  let lint: ReadonlyMap<string, { readonly rules: readonly string[]; readonly status: number | null }>
  beforeAll(() => {
    using copy = mkdtempDisposableSync(join(tmpdir(), 'planted-'))
    const plants = [...refused, ...allowed].map(([place, source], i) => ({
      name: `${place} ${source}`,
      source,
      file: place.endsWith('.ts') ? place : `${place}/planted_${i}.ts`,
    }))
    // Files of one name go to different trees; all others share one start of the linter.
    const trees = plants.map(({ file }, i) => plants.slice(0, i).filter((other) => other.file === file).length)
    const outputs = [...new Set(trees)].map((number) => {
      const tree = join(copy.path, String(number))
      for (const path of ['biome.json', ...MANIFESTS]) cpSync(join(ROOT, path), join(tree, path))
      for (const [i, { file, source }] of plants.entries()) {
        if (trees[i] === number) writeFileSync(join(tree, file), `${source}\n`)
      }
      const biome = join(ROOT, 'node_modules/.bin/biome')
      return spawnSync(biome, ['lint', '--reporter=github', '--max-diagnostics=none'], { cwd: tree, encoding: 'utf8' })
    })
    lint = new Map(
      plants.map(({ name, file }, i) => {
        const { stdout, status } = outputs[trees[i] as number] as { stdout: string; status: number | null }
        const lines = stdout.split('\n').filter((line) => line.includes(`/${file},`))
        const rules = lines.flatMap((line) => /^::error title=lint\/\w+\/(\w+)/.exec(line)?.[1] ?? [])
        return [name, { rules, status }]
      }),
    )
  })

  test.each(refused)('in %s refuses %j by %s', (place, source, rule) => {
    expect(lint.get(`${place} ${source}`)?.rules).toContain(rule)
    expect(lint.get(`${place} ${source}`)?.status).toBe(1)
  })
  test.each(allowed)('in %s allows %j', (place, source) => {
    expect(lint.get(`${place} ${source}`)?.rules).toEqual([])
  })
})
