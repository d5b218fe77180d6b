import { execFileSync } from 'node:child_process'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

type Locked = Readonly<{ version?: string; link?: boolean }>
type Lock = Readonly<{ packages: Readonly<Record<string, Locked>> }>
type Manifest = Readonly<{ name: string; version: string; dependencies: Readonly<Record<string, string>> }>
type Bom = {
  metadata: { component: { name: string; purl: string } }
  components: { purl: string }[]
  dependencies: { ref: string; dependsOn: string[] }[]
}

/**
 * Writes npm-shrinkwrap.json for a package: its dependencies, and theirs, at the versions and with the hashes of the
 * repository's lockfile, which the tests ran with. Downloads nothing. Throws where the lockfile lacks one.
 */
export function shrinkwrap(folder: string, lockfile: string): void {
  const { packages } = JSON.parse(readFileSync(lockfile, 'utf8')) as Lock
  const { name, version, dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest
  const kept: Record<string, Locked | object> = { '': { name, version, dependencies } }
  for (const [path, locked] of Object.entries(packages)) {
    const at = path.indexOf('node_modules/')
    if (at === -1 || locked.link) continue
    // A workspace has its own copy where another version stands above it. The package is one workspace.
    const own = path.slice(at)
    const isDeclared = dependencies[own.slice('node_modules/'.length)] === locked.version
    if (at === 0 ? kept[own] === undefined : isDeclared) kept[own] = locked
  }
  const place = join(folder, 'package-lock.json')
  writeFileSync(place, JSON.stringify({ name, version, lockfileVersion: 3, requires: true, packages: kept }))
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  execFileSync('npm', ['install', '--package-lock-only', '--offline', ...quiet], { cwd: folder, stdio: 'pipe' })
  renameSync(place, join(folder, 'npm-shrinkwrap.json'))
}

/** The software bill of materials of a package with npm-shrinkwrap.json, in CycloneDX 1.5 as npm writes it. */
export function billOfMaterials(folder: string, name: string): Bom {
  const flags = ['--omit=dev', '--sbom-format=cyclonedx', '--package-lock-only']
  const bom = JSON.parse(execFileSync('npm', ['sbom', ...flags], { cwd: folder, encoding: 'utf8' })) as Bom
  // npm names it by the folder.
  bom.metadata.component.name = name
  return bom
}
