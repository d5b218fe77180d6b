import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempDisposableSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { freePort } from '@catalog/stack/servers/machine.ts'
import { expect, onTestFinished, test } from 'vitest'
import { billOfMaterials } from './dependency-tree.ts'
import { type PackageTree, packTree, writePackageTree } from './package-tree.ts'
import { loadEmbedded, readFixture, releases } from './releases.ts'

const ROOT = resolve(import.meta.dirname, '../../..')
const READY_MS = 60_000

/**
 * Unpacks what `npm pack` makes as npm would, with the declared dependencies and no others beside it. They are links to those
 * of the repository, so that nothing is downloaded.
 */
function install(folder: string): PackageTree & { readonly at: string } {
  const tree = writePackageTree(join(folder, 'tree'))
  const { path } = packTree(join(folder, 'tree'), folder)
  const modules = join(folder, 'node_modules')
  const at = join(modules, 'construction-cost-catalog')
  mkdirSync(at, { recursive: true })
  execFileSync('tar', ['xzf', path, '--strip-components=1', '-C', at])
  for (const name of Object.keys(tree.dependencies)) {
    mkdirSync(dirname(join(modules, name)), { recursive: true })
    symlinkSync(join(ROOT, 'node_modules', name), join(modules, name))
  }
  return { ...tree, at }
}

test('the package runs by itself in an empty home: it records, publishes, serves, saves and finds nothing wrong', async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'catalog-package-'))
  const { at, version, dependencies } = install(folder.path)

  const undeclared = readdirSync(at, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.js'))
    .flatMap((path) => importsOf(readFileSync(join(at, path), 'utf8')).map((name) => ({ path, name })))
    .filter(({ name }) => !isBuiltin(name) && !Object.hasOwn(dependencies, name))
  expect(undeclared).toEqual([])

  const home = join(folder.path, 'home')
  mkdirSync(home)
  const { bin } = JSON.parse(readFileSync(join(at, 'package.json'), 'utf8')) as { bin: Record<string, string> }
  const program = join(at, bin['construction-cost-catalog'] as string)
  const port = await freePort()
  const env = { HOME: home, PATH: dirname(process.execPath), LOG_LEVEL: 'warn', PORT: String(port) }
  const catalog = (...words: readonly string[]) =>
    execFileSync(process.execPath, [program, ...words], { cwd: home, env, encoding: 'utf8', stdio: 'pipe' })
  expect(catalog('--version').trim()).toBe(version)
  writeFileSync(join(home, 'list.csv'), 'ref,name,unit,price\nC25,Portland cement CEM II 42.5 R 25 kg,u,4.85\n')
  const asked = '--source Norte --region ES --currency EUR --observed-at 2026-11-20'.split(' ')
  catalog('crawl', 'list.csv', ...asked)
  catalog('aggregate')

  const up = spawn(process.execPath, [program, 'up'], { cwd: home, env, stdio: 'ignore' })
  onTestFinished(() => void up.kill('SIGKILL'))
  const prices = async () => {
    const answer = await fetch(`http://127.0.0.1:${port}/v1/items?price_region=ES`).catch(() => undefined)
    const body = (await answer?.json()) as { items?: { median_price: { cents: number } }[] } | undefined
    return body?.items?.map(({ median_price: { cents } }) => cents)
  }
  await expect.poll(prices, { timeout: READY_MS }).toEqual([485])
  const page = await fetch(`http://127.0.0.1:${port}/`, { headers: { accept: 'text/html' } })
  expect([page.status, page.headers.get('content-type')]).toEqual([200, expect.stringContaining('text/html')])
  expect(await (await fetch(`http://127.0.0.1:${port}/docs/openapi.json`)).text()).toContain('## Quick start')
  catalog('backup', '--to', 'backups')
  const { ok, findings } = JSON.parse(catalog('doctor', '--json')) as { ok: boolean; findings: { state: string }[] }
  expect([ok, findings.filter(({ state }) => state === 'error')]).toEqual([true, []])
  up.kill('SIGTERM')
  expect(await once(up, 'exit')).toEqual([0, null])
  expect(JSON.parse(catalog('restore', 'backups', '--data', 'restored', '--json'))).toMatchObject({ kind: 'embedded' })

  // A store of the release before is upgraded as it opens.
  const [former] = releases() as [string]
  const { sql, holds } = readFixture(former)
  await loadEmbedded(sql, join(home, 'former'))
  expect(JSON.parse(catalog('status', '--data', 'former', '--json'))).toMatchObject({
    seq: holds.seq,
    roots: holds.roots,
  })
})

test('what is published beside the package agrees with it', () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'catalog-package-'))
  const { version, dependencies, registration } = writePackageTree(folder.path)
  const { components, metadata, dependencies: graph } = billOfMaterials(folder.path, 'construction-cost-catalog')
  const named = new Set(components.map(({ purl }) => decodeURIComponent(purl)))
  const absent = Object.entries(dependencies).filter(([name, version]) => !named.has(`pkg:npm/${name}@${version}`))
  expect([absent, metadata.component.purl]).toEqual([[], `pkg:npm/construction-cost-catalog@${version}`])
  const root = graph.find(({ ref }) => ref === `construction-cost-catalog@${version}`)
  expect(root?.dependsOn).toHaveLength(Object.keys(dependencies).length)
  expect(registration).toMatchObject({ version, packages: [{ identifier: 'construction-cost-catalog', version }] })
  expect(registration.description.length).toBeLessThanOrEqual(100)
  const changelog = readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8')
  expect(changelog.match(/^## (?!Unreleased)(\S+)/m)?.[1]).toBe(version)
  const notes = execFileSync(join(import.meta.dirname, 'notes.sh'), [version], { encoding: 'utf8' })
  expect(notes).toContain('npx construction-cost-catalog')
})

/** Packages that a file imports, by the names that they have in a list of dependencies. */
function importsOf(javascript: string): string[] {
  const specifiers = [
    ...javascript.matchAll(
      /^(?:import|export)\s(?:[\w\s*{},$]+\sfrom\s)?['"]([^'"\n]+)['"]|\bimport\(['"]([^'"\n]+)['"]\)/gm,
    ),
  ]
  return specifiers
    .map(([, fixed, loaded]) => fixed ?? (loaded as string))
    .filter((name) => !/^[.#]/.test(name))
    .map((name) =>
      name.startsWith('node:')
        ? name
        : name
            .split('/')
            .slice(0, name.startsWith('@') ? 2 : 1)
            .join('/'),
    )
}
