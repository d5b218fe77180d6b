import { spawnSync } from 'node:child_process'
import { cpSync, globSync, mkdtempDisposableSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'

/** What style a machine can hold, and what the linter cannot: the message of each failure says what to write instead. */
const ROOT = resolve(import.meta.dirname, '../../..')

const isOurs = (path: string) => !path.includes('node_modules/')
const MANIFESTS = globSync(
  ['libs/*/package.json', 'research/package.json', 'services/*/package.json', 'infra/*/package.json'],
  { cwd: ROOT },
)
  .filter(isOurs)
  .sort()
const SOURCES = globSync(['libs/**/*.ts', 'services/**/*.ts', 'infra/**/*.ts'], { cwd: ROOT })
  .filter(isOurs)
  .sort()
  .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }))
/** This file spells what it forbids. */
const OTHERS = SOURCES.filter(({ path }) => path !== 'infra/stack/tidy/tidy.test.ts')

describe('the linter', () => {
  /** Folder, or file, what is planted there, and the rule that must refuse it. */
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
    ['libs/store/conformance.ts', `import '../core/events.ts'`, 'noRestrictedImports'],
    ['libs/store/planted.test.ts', `import '../core/events.ts'`, 'noRestrictedImports'],
    ['libs/store/planted.test.ts', `console.log('here')`, 'noConsole'],
    ...[
      '@catalog/store/embedded.ts',
      '@catalog/log/table.ts',
      '@catalog/log/kafka.ts',
      '@catalog/search/exact.ts',
      '@catalog/search/elasticsearch.ts',
      '@catalog/embed/builtin.ts',
      '@catalog/embed/http.ts',
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
    ['infra/stack', `import '@catalog/bench/run.ts'`, 'noRestrictedImports'],
    ['infra/stack', `console.log('here')`, 'noConsole'],
    ['infra/bench', `import 'nobody-declares-this'`, 'noUndeclaredDependencies'],
    ['infra/bench', `export default 1`, 'noDefaultExport'],
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
  ] as const

  /** What the linter says of a planted file: rules of its errors, and how it ended. */
  let lint: ReadonlyMap<string, { readonly rules: readonly string[]; readonly status: number | null }>
  beforeAll(() => {
    using copy = mkdtempDisposableSync(join(tmpdir(), 'planted-'))
    const plants = [...refused, ...allowed].map(([place, source], i) => ({
      name: `${place} ${source}`,
      source,
      file: place.endsWith('.ts') ? place : `${place}/planted_${i}.ts`,
    }))
    // Files of one name go to different trees; everything else stands side by side, for one start of the linter.
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

/** Lines of the sources that match, as `path:line: text`. */
function linesWith(pattern: RegExp, sources = OTHERS): string[] {
  return sources.flatMap(({ path, text }) =>
    text.split('\n').flatMap((line, i) => (pattern.test(line) ? `${path}:${i + 1}: ${line.trim()}` : [])),
  )
}

describe('manifests', () => {
  type Manifest = { name: string } & Partial<Record<(typeof DECLARING)[number], Record<string, string>>>
  // Peers: the judges are installed apart, and take from ours what is there.
  const DECLARING = ['dependencies', 'devDependencies', 'peerDependencies'] as const
  const shortName = (name: string) => name.replace('@catalog/', '')
  const packages = MANIFESTS.map((path) => {
    const manifest = JSON.parse(readFileSync(join(ROOT, path), 'utf8')) as Manifest
    const all = DECLARING.flatMap((kind) => Object.keys(manifest[kind] ?? {}))
    const ours = all.filter((name) => name.startsWith('@catalog/'))
    return { folder: dirname(path), name: shortName(manifest.name), declared: ours.map(shortName).sort() }
  })
  const names = packages.map(({ name }) => name)

  /**
   * The import table: under the heading `| package | imports |` a row for each package with the names that it imports,
   * `-` for none, or `everything`, or `everything but a and b`, which permit all others.
   */
  function importTable(
    markdown: string,
  ): Map<string, { readonly imports: readonly string[]; readonly isOpen: boolean }> {
    const [, table = ''] = markdown.split(/^\| package \| imports \|\n\|[-|: ]+\|\n/m)
    const rows = [...(/^(\|.*\|\n)*/.exec(table)?.[0] ?? '').matchAll(/^\| *(.*?) *\| *(.*?) *\|$/gm)]
    return new Map(
      rows.map(([, name = '', cell = '']) => {
        const listed = cell.split(/, | and /).filter((text) => text !== '-')
        const isOpen = cell.startsWith('everything')
        const closed = [name, ...cell.replace(/^everything( but )?/, '').split(' and ')]
        return [name, { imports: isOpen ? names.filter((other) => !closed.includes(other)) : listed.sort(), isOpen }]
      }),
    )
  }

  test('list exactly the imports that ARCHITECTURE.md gives each package', () => {
    const table = importTable(readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8'))
    expect([...table.keys()].sort()).toEqual([...names].sort())
    for (const { name, declared } of packages) {
      const { imports, isOpen } = table.get(name) as { imports: readonly string[]; isOpen: boolean }
      if (isOpen) expect(imports, name).toEqual(expect.arrayContaining(declared))
      else expect(declared, name).toEqual(imports)
    }
  })

  test('list every package of ours that their sources name, and none names itself', () => {
    const undeclared = OTHERS.flatMap(({ path, text }) => {
      // A package may stand within another: the innermost one counts.
      const holding = packages.filter(({ folder }) => path.startsWith(`${folder}/`))
      const { declared } = holding.sort((a, b) => b.folder.length - a.folder.length)[0] ?? { declared: [] }
      // The linter lets tests import what they like; the layers hold for them too, but for the servers that they need.
      const mayName = path.endsWith('.test.ts') ? [...declared, 'stack'] : declared
      const named = new Set([...text.matchAll(/'@catalog\/([a-z]+)\//g)].map(([, name]) => name as string))
      return [...named].flatMap((name) => (mayName.includes(name) ? [] : `${path}: ${name}`))
    })
    expect(undeclared).toEqual([])
  })
})

describe('sources', () => {
  test('have no type query by import(...), which the linter does not see: use import type', () => {
    expect(linesWith(/(?<!await )\bimport\(/)).toEqual([])
  })

  test('spell SQL in the store, the log table, the exact index and infra alone', () => {
    const sql = /['"`]\s*(select|insert into|update|delete from|with)\s[^'"`;]*?\b(from|values|set|select)\b/g
    const mayHold =
      /^(libs\/store\/|libs\/log\/table\.ts$|libs\/search\/exact\.ts$|services\/snapshot\/parquet\.ts$|services\/mirror\/copy\.ts$|services\/projector\/verify-\w+\.ts$|infra\/)/
    // Tests look into the tables, and what they share does.
    const isTest = /\.test\.ts$|\/testing\.ts$|\/conformance\.ts$/
    const found = OTHERS.filter(({ path }) => !mayHold.test(path) && !isTest.test(path)).flatMap(({ path, text }) =>
      [...text.matchAll(sql)].map((hit) => `${path}: ${hit[0].slice(0, 80)}`),
    )
    expect(found).toEqual([])
    const inStore = SOURCES.filter(({ path, text }) => path.startsWith('libs/store/') && text.match(sql))
    expect(inStore.length).toBeGreaterThan(5)
  })

  test('hold no words of unfinished work', () => {
    // XXX is also the currency code of "no currency".
    expect(linesWith(/\b(TODO|FIXME|HACK)\b|(\/\/|\*).*\bXXX\b/)).toEqual([])
  })
})

describe('tests', () => {
  const tests = OTHERS.filter(({ path }) => path.endsWith('.test.ts'))

  test('are all run: none is skipped, singled out or left for later', () => {
    expect(linesWith(/\b(test|it|describe|suite|bench)(\.\w+)*\.(only|skip|todo|fails)\b/, tests)).toEqual([])
    // Real inputs and real servers may be absent; then their tests say so and are skipped.
    const others = tests.filter(({ text }) => !/REAL_INPUTS_DIR|realInputs|[a-z]Available\(\)|unavailable\(/.test(text))
    expect(linesWith(/\.(skipIf|runIf|skip)\(/, others)).toEqual([])
  })

  test('wait for what they need and never sleep', () => {
    // A database that answers late is the fault that one of its tests injects.
    const mayWait = ['libs/log/kafka.int.test.ts']
    // A clock that the test moves is no sleep.
    const sleeping = linesWith(
      /^(?!.*(useFakeTimers|{ setImmediate })).*(\bsetTimeout\b|node:timers\/promises|\bAtomics\.wait\b)/,
      tests,
    )
    expect(sleeping.filter((line) => !mayWait.some((path) => line.startsWith(`${path}:`)))).toEqual([])
  })

  test('have names of their own within their group', () => {
    // A name that is there twice in a file makes "which one failed?" a question; groups of one file may share a name.
    const name = /^( *)(test|it|describe)(?:\.each\([\s\S]*?\))?\(\s*(['"`])(.*?)\3/gm
    const twice = tests.flatMap(({ path, text }) => {
      let group = ''
      const seen = new Set<string>()
      return [...text.matchAll(name)].flatMap(([, indent, kind, , title]) => {
        if (kind === 'describe') group = `${indent}${title}`
        const full = `${kind === 'describe' || indent === '' ? '' : group} > ${title}`
        const isTwice = seen.has(full)
        seen.add(full)
        return isTwice ? `${path}: ${title}` : []
      })
    })
    expect(twice).toEqual([])
  })
})

describe('README.md', () => {
  test('names every environment variable that the product reads', () => {
    const read = readFileSync(join(ROOT, 'libs/runtime/env.ts'), 'utf8')
    const names = [...read.matchAll(/^ {2}([A-Z][A-Z0-9_]+):/gm)].map(([, variable]) => variable as string)
    expect(names).toContain('DATABASE_URL')
    const readme = readFileSync(join(ROOT, 'README.md'), 'utf8')
    expect(names.filter((variable) => !new RegExp(`\\b${variable}\\b`).test(readme))).toEqual([])
  })
})
