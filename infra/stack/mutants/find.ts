import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { Found, Range } from '@catalog/stack/simulation/search.ts'
import { parse } from 'yaml'

/** A fault planted in the code as exact texts, which the simulation must find. */
type Mutant = Readonly<{
  name: string
  /** What it breaks, in a sentence. */
  breaks: string
  /** `before` stands exactly once in the file, which lies below the root of the repository. */
  edits: readonly Readonly<{ file: string; before: string; after: string }>[]
  /** The seed that found it last, which the simulation tries first. */
  seed?: number
}>

export const MUTANTS: readonly Mutant[] = parse(readFileSync(new URL('./mutants.yaml', import.meta.url), 'utf8'))

export type MutantResult = Readonly<{
  name: string
  breaks: string
  /** The seed that found it; null: it survived. */
  finder: string | null
  /** What the simulation missed. */
  miss: string | null
  seconds: number
}>

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
/** Histories that a mutant has to survive; also those that the code as it is must pass. */
const HISTORIES: Range = { seed: 1, histories: 120 }

/** Plants every fault in a copy of the tree, in turn, and lets the simulation look for it. */
export async function findMutants(
  only: string,
  say: (line: string) => void,
): Promise<{ results: readonly MutantResult[]; isWhole: boolean }> {
  const chosen = MUTANTS.filter(({ name }) => name.includes(only))
  requireTexts(chosen)
  const waiting = chosen.entries()
  const results: MutantResult[] = []
  let clean: Found | null = null
  let done = 0
  const worker = async (isFirst: boolean) => {
    using tree = copiedTree()
    if (isFirst && only === '') clean = await simulatedIn(tree.root)
    for (const [at, mutant] of waiting) {
      const result = await found(tree.root, mutant)
      results[at] = result
      say(`${++done} of ${chosen.length}  ${told(result)}`)
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, (_, i) => worker(i === 0)))
  const survivors = results.filter(({ finder }) => finder === null)
  say(`${results.length} mutants: ${results.length - survivors.length} found, ${survivors.length} survived`)
  const cleanFailed = (clean as Found | null)?.failed ?? []
  if (clean !== null) say(`${HISTORIES.histories} histories of the code as it is: ${cleanFailed.length} failed`)
  return { results, isWhole: survivors.length === 0 && cleanFailed.length === 0 }
}

const told = ({ name, breaks, finder, miss, seconds }: MutantResult) =>
  `${finder === null ? 'SURVIVED' : 'found'}  ${name} (${breaks}): ${finder ?? 'nobody found it'} in ${seconds} s${miss === null ? '' : `\n          ${miss.slice(0, 200)}`}`

/** Throws where a text is not exactly once in its file: the code moved on, and the mutant would say nothing. */
export function requireTexts(
  mutants: readonly Mutant[],
  read = (file: string) => readFileSync(join(ROOT, file), 'utf8'),
) {
  for (const { name, edits } of mutants) {
    for (const { file, before } of edits) {
      const times = read(file).split(before).length - 1
      if (times !== 1) throw new Error(`mutant '${name}': '${before}' stands ${times} times in ${file}, expected once`)
    }
  }
}

async function found(root: string, { name, breaks, edits, seed: hint }: Mutant): Promise<MutantResult> {
  const originals = new Map(edits.map(({ file }) => [file, readFileSync(join(root, file), 'utf8')]))
  const beganMs = performance.now()
  const seconds = () => Math.round((performance.now() - beganMs) / 1000)
  try {
    for (const { file, before, after } of edits) {
      const path = join(root, file)
      writeFileSync(
        path,
        readFileSync(path, 'utf8').replace(before, () => after),
      )
    }
    const known = hint === undefined ? null : await simulatedIn(root, { seed: hint, histories: 1 })
    const { failed, misses } = known !== null && known.failed.length > 0 ? known : await simulatedIn(root)
    const [seed] = failed
    return {
      name,
      breaks,
      finder: seed === undefined ? null : `seed ${seed}`,
      miss: misses[0] ?? null,
      seconds: seconds(),
    }
  } finally {
    for (const [file, text] of originals) writeFileSync(join(root, file), text)
  }
}

/** A mutant may never come to an end. */
const TIMEOUT_MS = 600_000

async function simulatedIn(root: string, { seed, histories }: Range = HISTORIES): Promise<Found> {
  const given = ['--worker', '--first', '--seed', String(seed), '--histories', String(histories)]
  const { code, said } = await run(root, process.execPath, ['infra/stack/simulate.ts', ...given])
  if (code === 0) return JSON.parse(said) as Found
  // A fault may also break the process, or keep it busy for ever.
  return {
    histories: 0,
    failed: [seed],
    misses: [`the process ended with ${code}: ${said.slice(-300)}`],
    totals: {} as never,
  }
}

async function run(cwd: string, command: string, given: readonly string[]) {
  const child = spawn(command, given, { cwd, stdio: ['ignore', 'pipe', 'pipe'], timeout: TIMEOUT_MS })
  const [said, complaint, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { code: code as number | null, said: code === 0 ? said : said + complaint }
}

const LEFT_OUT = /(^|\/)(node_modules|\.git|docs|dist|coverage)(\/|$)/

/** A copy of the tree whose packages are its own, in a temporary folder that disposal removes. */
function copiedTree(): Disposable & { readonly root: string } {
  const root = mkdtempSync(join(tmpdir(), 'catalog-mutants-'))
  cpSync(ROOT, root, { recursive: true, filter: (source) => !LEFT_OUT.test(source.slice(ROOT.length)) })
  const [from, modules] = [join(ROOT, 'node_modules'), join(root, 'node_modules')]
  mkdirSync(join(modules, '.cache', 'catalog'), { recursive: true })
  for (const name of readdirSync(from)) {
    if (name === '@catalog' || name === '.cache') continue
    symlinkSync(join(from, name), join(modules, name))
  }
  cpSync(join(from, '@catalog'), join(modules, '@catalog'), { recursive: true, verbatimSymlinks: true })
  const stores = join('.cache', 'catalog')
  for (const name of readdirSync(join(from, stores))) symlinkSync(join(from, stores, name), join(modules, stores, name))
  return { root, [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }) }
}
