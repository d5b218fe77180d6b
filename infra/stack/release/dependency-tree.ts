import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

type Locked = { version?: string; link?: boolean; resolved?: string }
type Lock = Readonly<{ packages: Readonly<Record<string, Locked>> }>
type Manifest = Readonly<{ name: string; version: string; dependencies: Readonly<Record<string, string>> }>
type Bom = {
  metadata: { component: { name: string; purl: string } }
  components: { purl: string }[]
  dependencies: { ref: string; dependsOn: string[] }[]
}

/**
 * Writes npm-shrinkwrap.json for a package: its dependencies, and theirs, at the versions and with the hashes of the
 * repository's lockfile, which the tests ran with. Where the lockfile has several versions of one, npm asks the registry.
 */
export function shrinkwrap(folder: string, lockfile: string): void {
  const { packages } = JSON.parse(readFileSync(lockfile, 'utf8')) as Lock
  const { name, version, dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest
  const kept: Record<string, Locked | object> = { '': { name, version, dependencies } }
  const versions = Map.groupBy(
    Object.entries(packages).filter(([path, { link }]) => path.includes('node_modules/') && !link),
    ([path]) => path.slice(path.lastIndexOf('node_modules/')),
  )
  // npm finds the place of a package with several versions: workspaces had their own copies, and the package is one workspace.
  for (const [own, found] of versions) {
    const [[path, locked] = []] = found
    if (found.length === 1 && path === own && locked !== undefined) kept[own] = locked
  }
  const place = join(folder, 'package-lock.json')
  writeFileSync(place, JSON.stringify({ name, version, lockfileVersion: 3, requires: true, packages: kept }))
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  execFileSync('npm', ['install', '--package-lock-only', '--prefer-offline', ...quiet], { cwd: folder, stdio: 'pipe' })
  const lock = JSON.parse(readFileSync(place, 'utf8')) as Lock
  // An installation asks its own registry.
  for (const locked of Object.values(lock.packages)) delete locked.resolved
  writeFileSync(join(folder, 'npm-shrinkwrap.json'), JSON.stringify(lock, null, 2))
  rmSync(place)
}

/** The software bill of materials of a package with npm-shrinkwrap.json, in CycloneDX 1.5 as npm writes it. */
export function billOfMaterials(folder: string, name: string): Bom {
  const flags = ['--omit=dev', '--sbom-format=cyclonedx', '--package-lock-only']
  const bom = JSON.parse(execFileSync('npm', ['sbom', ...flags], { cwd: folder, encoding: 'utf8' })) as Bom
  // npm names it by the folder.
  bom.metadata.component.name = name
  return bom
}
