import { cpSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { OpenApi } from '@catalog/judge/harness/document.ts'
import type { SystemUnderTest } from '@catalog/judge/harness/system-under-test.ts'
import { failed, passed, runJudges, skipped, type Verdict } from '@catalog/judge/harness/verdict.ts'
import { GENERATORS, type Generator } from './clients.ts'

/**
 * Each generator makes a client from the served document. The client must have every operation, compile, and read by five
 * calls what plain requests read. A warning fails too, unless it names no loss.
 */
export async function judgeGenerators(
  system: SystemUnderTest,
  report: (verdict: Verdict) => void,
): Promise<readonly Verdict[]> {
  const expected = await plainCalls(system.address)
  const judges = GENERATORS.map((one) => ({ name: one.name, run: () => judgeGenerator(one, system, expected) }))
  return await runJudges(judges, report)
}

async function judgeGenerator(generator: Generator, system: SystemUnderTest, expected: readonly string[]) {
  const reason = generator.missing()
  if (reason !== null) return skipped(reason)
  const { documentFile, document, address } = system
  const place = { folder: join(system.folder, generator.name.replaceAll(/\W+/g, '-')), documentFile }
  cpSync(import.meta.dirname, place.folder, { recursive: true })

  const generated = await attempt(() => generator.generate(place))
  if (generated.fault !== '') return failed('generates no client', generated.fault)
  const compiled = await attempt(() => generator.compile(place))
  const called = compiled.fault === '' ? await attempt(() => generator.call(place, address)) : compiled

  const operations = operationIds(document)
  const names = namesIn(place.folder, generator.operations)
  const lost = operations.filter((id) => !names.has(plain(id)))
  const warnings = generated.output.split('\n').filter((line) => WARNING.test(line))
  const harmful = warnings.filter((line) => generator.harmless?.test(line) !== true)
  const lines = called.output.split('\n')
  const wrong = expected.filter((line) => !lines.includes(line))

  const says = [
    `${operations.length - lost.length}/${operations.length} operations`,
    `${generator.compiler} ${compiled.fault === '' ? 'passes' : 'fails'}`.padEnd(19),
    `${expected.length - wrong.length}/${expected.length} calls`,
    `warnings: ${warnings.length}, of a loss: ${harmful.length}`,
  ].join('  ')
  const faults = [
    ...new Set([compiled.fault, called.fault]),
    ...lost.map((id) => `no operation ${id}`),
    ...harmful,
    ...wrong.map((line) => `expected ${line}`),
    wrong.length === 0 ? '' : `found ${called.output}`,
  ].filter((fault) => fault !== '')
  return faults.length === 0 ? passed(says) : failed(says, faults.join('\n'))
}

/** Generators name so what they cannot read and leave out. */
const WARNING = /\bWARN|\bERROR|[Ww]arning|[Uu]nsupported|[Cc]annot|omitted/

async function attempt(step: () => Promise<string>): Promise<{ output: string; fault: string }> {
  return await step().then(
    (output) => ({ output, fault: '' }),
    (error: Error) => ({ output: '', fault: error.message }),
  )
}

function operationIds({ paths }: OpenApi): readonly string[] {
  const operations = Object.values(paths).flatMap((path) => Object.values(path))
  return operations.map((operation) => (operation as { operationId: string }).operationId)
}

/** The names of operations in the paths and texts of a client, as {@link plain}. */
function namesIn(folder: string, names: RegExp): ReadonlySet<string> {
  const files = globSync('client/**/*.{ts,py,java,go}', { cwd: folder })
  const texts = files.map((path) => `${path}\n${readFileSync(join(folder, path), 'utf8')}`)
  return new Set(texts.flatMap((text) => [...text.matchAll(names)].map(([, name = '']) => plain(name))))
}

/** Languages write one name in their own ways: listItems, ListItems, list_items. */
const plain = (name: string) => name.replaceAll('_', '').toLowerCase()

/** The lines that each program of this folder must print. */
async function plainCalls(address: string): Promise<readonly string[]> {
  const text = async (path: string) => await (await fetch(`${address}${path}`)).text()
  const json = async (path: string) => JSON.parse(await text(path))
  const { items, total } = await json('/items?region=ES&kind=material&sort=-updated&include=total&limit=3')
  const { item, vendors } = await json(`/items/${items[0].id}`)
  const { mode, results } = await json('/search?q=cement%2025%20kg&limit=3')
  const { categories } = await json('/categories?limit=3')
  const feed = await text('/feeds/region/ES?limit=3')
  return [
    `listItems ${total.count} ${items.length} ${items[0].id}`,
    `getItem ${item.id} ${item.median_price.cents} ${vendors.length}`,
    `search ${mode} ${results.length} ${results[0].id}`,
    `listCategories ${categories.length} ${categories[0].id}`,
    `getRegionAtom ${feed.split('<entry>').length}`,
  ]
}
