import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { shrinkwrap } from './dependency-tree.ts'

/**
 * The published package `construction-cost-catalog`: the production files of the command and of all workspaces that it needs,
 * as JavaScript. Node strips no types below node_modules, and a user has no workspaces. So types go here, and imports of
 * `@catalog/NAME` become imports of the package's own `#catalog/NAME`.
 */

const ROOT = resolve(import.meta.dirname, '../../..')
const COMMAND = 'services/cli'
/** JavaScript that imports TypeScript; the scripts of pages stay as they are. */
const PROGRAM = `${COMMAND}/catalog.js`
/** Files that a package carries beside its workspaces; /docs shows the guide. */
const PAPERS = ['README.md', 'LICENSE', 'NOTICE', 'CHANGELOG.md', 'SECURITY.md', 'docs/api.md']
/** Production alone: no tests. */
const LEFT_OUT = /\.test\.ts$|\/golden\/|\/package\.json$/

type Manifest = Readonly<{
  name: string
  version: string
  description: string
  license: string
  mcpName: string
  workspaces: readonly string[]
  dependencies?: Readonly<Record<string, string>>
}>

const manifestOf = (folder: string) => JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8')) as Manifest

export type PackageTree = Readonly<{
  version: string
  files: readonly string[]
  dependencies: Record<string, string>
  /** server.json for the registry of MCP servers. */
  registration: ReturnType<typeof registrationOf>
}>

/** Writes the package's files into a folder, which it makes anew. */
export function writePackageTree(into: string): PackageTree {
  const root = manifestOf('.')
  const workspaces = neededWorkspaces(root)
  const dependencies = dependenciesOf(workspaces.map(manifestOf))
  rmSync(into, { recursive: true, force: true })
  const files = trackedFiles(workspaces)
  for (const path of files) writeFile(into, path)
  for (const path of PAPERS) cpSync(join(ROOT, path), join(into, path))
  const bin = `./${PROGRAM}`
  chmodSync(join(into, bin), 0o755)
  const { name, version, description, license, mcpName } = root
  const manifest = {
    name,
    version,
    description,
    license,
    mcpName,
    keywords: ['construction', 'prices', 'cost', 'catalog', 'bc3', 'mcp'],
    type: 'module',
    engines: { node: '>=24' },
    bin: { [name]: bin, catalog: bin },
    imports: Object.fromEntries(
      workspaces.map((folder) => [`#${manifestOf(folder).name.slice(1)}/*`, `./${folder}/*`]),
    ),
    dependencies,
  }
  writeFileSync(join(into, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  shrinkwrap(into, join(ROOT, 'package-lock.json'))
  return { version, files, dependencies, registration: registrationOf(root) }
}

/** Packs a folder that {@link writePackageTree} wrote; returns the tarball, in the other folder. */
export function packTree(tree: string, into: string): { path: string; bytes: number } {
  const [packed] = JSON.parse(
    execFileSync('npm', ['pack', '--json', '--pack-destination', into], { cwd: tree, encoding: 'utf8' }),
  ) as [{ filename: string; size: number }]
  return { path: join(into, packed.filename), bytes: packed.size }
}

/** By the schema of the registry of MCP servers, version 2025-12-11: `catalog up` answers agents on this machine. */
function registrationOf({ name, mcpName, version }: Manifest) {
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    name: mcpName,
    title: 'Construction Cost Catalog',
    description: 'Observed construction prices by country: search, explain and compare trust-weighted medians',
    version,
    packages: [
      {
        registryType: 'npm',
        identifier: name,
        version,
        runtimeHint: 'npx',
        packageArguments: [
          { type: 'positional', value: 'up' },
          { type: 'named', name: '--sample' },
        ],
        transport: { type: 'streamable-http', url: 'http://127.0.0.1:8080/api/mcp' },
      },
    ],
  }
}

/** The folders of the command's workspace and of those that it needs, in order of their paths. */
function neededWorkspaces({ workspaces }: Manifest): readonly string[] {
  const folders = new Map(workspaces.map((folder) => [manifestOf(folder).name, folder]))
  const needed = new Set([COMMAND])
  for (const folder of needed) {
    for (const name of Object.keys(manifestOf(folder).dependencies ?? {})) {
      const found = folders.get(name)
      if (found !== undefined) needed.add(found)
    }
  }
  return [...needed].sort()
}

/** What all of them take from the registry. Throws where two name different versions: one package has one. */
function dependenciesOf(manifests: readonly Manifest[]): Record<string, string> {
  const found = new Map<string, string>()
  for (const { name: workspace, dependencies = {} } of manifests) {
    for (const [name, version] of Object.entries(dependencies)) {
      if (name.startsWith('@catalog/')) continue
      const other = found.get(name)
      if (other !== undefined && other !== version)
        throw new Error(`${workspace} names ${name} ${version}, another workspace ${other}: expected one version`)
      found.set(name, version)
    }
  }
  return Object.fromEntries([...found].sort(([a], [b]) => (a < b ? -1 : 1)))
}

const trackedFiles = (folders: readonly string[]): readonly string[] =>
  execFileSync('git', ['ls-files', ...folders], { cwd: ROOT, encoding: 'utf8' })
    .split('\n')
    .filter((path) => path !== '' && !LEFT_OUT.test(path))

function writeFile(into: string, path: string): void {
  const place = join(into, path.replace(/\.ts$/, '.js'))
  mkdirSync(dirname(place), { recursive: true })
  if (path.endsWith('.ts') || path === PROGRAM)
    writeFileSync(place, javascriptOf(readFileSync(join(ROOT, path), 'utf8')))
  else cpSync(join(ROOT, path), place)
}

/** Without types, line by line where it was, and with the names that files have in the package. */
function javascriptOf(typescript: string): string {
  return stripTypeScriptTypes(typescript)
    .replaceAll(/(['"])@catalog\/([a-z-]+\/[^'"\n]+)\1/g, '$1#catalog/$2$1')
    .replaceAll(/(['"`])((?:\.{1,2}|#catalog)\/[^'"`\n]*)\.ts\1/g, '$1$2.js$1')
}
