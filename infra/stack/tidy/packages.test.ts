import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { CHECKED, IMPORTS, MANIFESTS, nameOf, ROOT } from './tree.ts'

/** What a package may import: its manifest, imports.json and its sources agree. */

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

/** What a list of imports.json permits; `["*", "!a"]` permits every other package but `a`. */
function permitted(
  name: string,
  listed: readonly string[],
): { readonly imports: readonly string[]; readonly isOpen: boolean } {
  const isOpen = listed.includes('*')
  const open = names.filter((other) => other !== name && !listed.includes(`!${other}`))
  return { imports: isOpen ? open : listed, isOpen }
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

test('a manifest lists exactly the packages that imports.json lets it import', () => {
  expect(Object.keys(IMPORTS.packages).sort()).toEqual([...names].sort())
  for (const { name, declared } of packages) {
    const { imports, isOpen } = permitted(name, IMPORTS.packages[name] as readonly string[])
    if (isOpen) expect(imports, name).toEqual(expect.arrayContaining(declared))
    else expect(declared, name).toEqual(imports)
  }
})

test('a manifest lists every package that its sources import', () => {
  const undeclared = CHECKED.flatMap(({ path, text }) => {
    const { folder, declared } = packages.find((held) => path.startsWith(`${held.folder}/`)) ?? { declared: [] }
    // Tests may also import the servers and helpers of infra/stack, and the projector that folds what they append.
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
