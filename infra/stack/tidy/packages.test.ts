import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { CHECKED, documentText, MANIFESTS, nameOf, ROOT } from './tree.ts'

/** What a package may import: its manifest, the table in ARCHITECTURE.md and its sources say the same. */

type Manifest = { name: string } & Partial<Record<(typeof DECLARING)[number], Record<string, string>>>
// The judges are installed apart and take our packages from the root: they declare them as peers.
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
 * The import table: under the heading `| package | imports |` a row for each package with the names that it imports, `-`
 * for none, or `everything`, or `everything but a and b`, which permit all others.
 */
function importTable(markdown: string): Map<string, { readonly imports: readonly string[]; readonly isOpen: boolean }> {
  const [, table = ''] = markdown.split(/^\| package \| imports \|\n\|[-|: ]+\|\n/m)
  const rows = [...(/^(\|.*\|\n)*/.exec(table)?.[0] ?? '').matchAll(/^\| *(.*?) *\| *(.*?) *\|$/gm)]
  return new Map(
    rows.map(([, name = '', cell = '']) => {
      const listed = cell.split(/, | and /).filter((text) => text !== '-')
      const isOpen = cell.startsWith('everything')
      const closed = [name, ...cell.replace(/^everything( but )?/, '').split(/, | and /)]
      return [name, { imports: isOpen ? names.filter((other) => !closed.includes(other)) : listed.sort(), isOpen }]
    }),
  )
}

test.each(['package-lock.json', 'infra/judge/package-lock.json', 'infra/bench/peers/package-lock.json'])(
  'each package of %s is fixed by its hash',
  (path) => {
    type Locked = Readonly<{ link?: boolean; inBundle?: boolean; integrity?: string }>
    const { packages } = JSON.parse(readFileSync(join(ROOT, path), 'utf8')) as { packages: Record<string, Locked> }
    const fetched = Object.entries(packages).filter(([at, { link }]) => at.includes('node_modules/') && !link)
    expect(fetched.length).toBeGreaterThan(0)
    const open = fetched.filter(([, { integrity, inBundle }]) => !inBundle && !integrity?.startsWith('sha512-'))
    expect(open.map(([at]) => at)).toEqual([])
  },
)

test('a manifest lists exactly the packages that ARCHITECTURE.md lets it import', () => {
  const table = importTable(documentText('ARCHITECTURE.md'))
  expect([...table.keys()].sort()).toEqual([...names].sort())
  for (const { name, declared } of packages) {
    const { imports, isOpen } = table.get(name) as { imports: readonly string[]; isOpen: boolean }
    if (isOpen) expect(imports, name).toEqual(expect.arrayContaining(declared))
    else expect(declared, name).toEqual(imports)
  }
})

test('a manifest lists every package that its sources import', () => {
  const undeclared = CHECKED.flatMap(({ path, text }) => {
    const { folder, declared } = packages.find((held) => path.startsWith(`${held.folder}/`)) ?? { declared: [] }
    // Tests may also import the servers of infra/stack, and the projector that folds what they append.
    const mayName = [...declared, nameOf(folder ?? ''), ...(path.endsWith('.test.ts') ? ['stack', 'projector'] : [])]
    const named = new Set([...text.matchAll(/'@catalog\/([a-z-]+)\//g)].map(([, name]) => name as string))
    return [...named].flatMap((name) => (mayName.includes(name) ? [] : `${path}: ${name}`))
  })
  expect(undeclared).toEqual([])
})

test('nothing imports research', () => {
  const importing = CHECKED.filter(
    ({ path, text }) => !path.startsWith('research/') && text.includes("'@catalog/research/"),
  )
  expect(importing.map(({ path }) => path)).toEqual([])
})
