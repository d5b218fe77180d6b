import { createReadStream, existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { type Terminal, table } from '@catalog/cli/shared/terminal.ts'
import { DiagnosticLog, openBc3 } from '@catalog/formats/bc3/entry-stream.ts'
import type { PriceBook } from '@catalog/formats/bc3/price-book/price-book.ts'
import { buildPriceBook } from '@catalog/formats/bc3/price-book/price-book-builder.ts'
import { type Repriced, type RepricedConcept, reprice } from '@catalog/formats/bc3/price-book/reprice.ts'
import type { EncodingReport } from '@catalog/formats/bytes/encoding.ts'
import type { ByteSource } from '@catalog/formats/bytes/record.ts'

/** Lines of each list in the text for people; --json has all of them. */
const SHOWN = 20
/** Characters of a message or a code in a table. */
const CELL_CHARS = 90

/**
 * `catalog bc3 read FILE...`: the content of the files, and whether their recipes give the declared prices. One file
 * answers with its report, several with `{ files: [report] }`.
 */
export async function readBc3Files(terminal: Terminal, paths: readonly string[]): Promise<void> {
  const files: Read[] = []
  for (const path of paths) files.push(await readBc3File(path))
  const reports = files.map(reportOf)
  const [only] = files
  if (only !== undefined && files.length === 1) {
    terminal.answer(reports[0], () => textOf(only))
    if (only.log.leftOut > 0) terminal.note(`${only.log.leftOut} more diagnostics of the same codes are left out`)
    terminal.next(`catalog bc3 price ${only.file}`)
  } else terminal.answer({ files: reports }, () => table(reports.map(rowOf)))
}

export type Read = Readonly<{
  file: string
  encoding: EncodingReport
  book: PriceBook
  repriced: Repriced
  log: DiagnosticLog
}>

/** Reads whatever a file holds. Throws an error that names a file that it cannot open. */
export async function readBc3File(path: string): Promise<Read> {
  if (!existsSync(path)) throw new Error(`file '${path}': no such file`)
  const log = new DiagnosticLog()
  const { encoding, entries } = await openBc3(fileSource(path), { log })
  const book = await buildPriceBook(entries, log)
  return { file: path, encoding, book, repriced: reprice(book, { log }), log }
}

export function fileSource(path: string): ByteSource {
  return { name: basename(path), open: () => createReadStream(path), whole: () => readFile(path) }
}

/** The JSON of `catalog bc3 read --json`. */
export type Bc3Report = ReturnType<typeof reportOf>

export function reportOf({ file, encoding, book, repriced, log }: Read) {
  const recipes = [...repriced.recipes.values()]
  const units = recipes.filter(({ isChapter }) => !isChapter)
  const count = (isCounted: (recipe: RepricedConcept) => boolean) => units.filter(isCounted).length
  return {
    file,
    version: book.version?.version || null,
    program: book.version?.program || null,
    charset: { declared: encoding.declared, used: encoding.used },
    concepts: book.concepts.values().reduce((sum, { line }) => sum + (line === null ? 0 : 1), 0),
    decompositions: recipes.length,
    reconciled: count(({ reconciles }) => reconciles === true),
    not_reconciled: count(({ reconciles }) => reconciles === false),
    computed_only: count(({ declared, computed }) => declared === null && computed !== null),
    rule: repriced.rule,
    diagnostics: log.kept.toSorted((a, b) => a.line - b.line),
    misses: recipes.flatMap(({ code, declared, computed, isMissed }) =>
      isMissed ? [{ code, declared, computed }] : [],
    ),
  }
}

function rowOf({ file, version, program, charset, diagnostics, misses: _, computed_only, ...report }: Bc3Report) {
  const judged = report.reconciled + report.not_reconciled
  return {
    file: basename(file),
    version: version ?? '-',
    program: program ?? '-',
    charset: `${charset.declared ?? '-'} → ${charset.used}`,
    concepts: report.concepts,
    recipes: report.decompositions,
    reconcile: judged === 0 ? '-' : `${report.reconciled}/${judged}`,
    'computed only': computed_only,
    rule: report.rule ?? '-',
    diagnostics: diagnostics.length,
  }
}

function textOf(read: Read): string {
  const report = reportOf(read)
  const { version, program, charset, concepts, decompositions, rule } = report
  const judged = report.reconciled + report.not_reconciled
  const chapters = read.repriced.recipes.values().reduce((sum, { isChapter }) => sum + (isChapter ? 1 : 0), 0)
  const root = read.book.root && read.repriced.recipes.get(read.book.root.code)
  return [
    `${report.file}: ${version ?? 'no version'}, by ${program ?? 'an unnamed program'}`,
    `charset ${charset.declared ?? 'not declared'}, read as ${charset.used}`,
    `${concepts} concepts, ${decompositions} recipes, of which ${chapters} are chapters`,
    `${report.reconciled} of ${judged} recipes with a declared price reconcile${rule === null ? '' : ` (${rule})`}; ${report.computed_only} have none and are computed`,
    ...(root ? [`the work without indirect cost: ${sharesOf(root)}`] : []),
    ...listed('prices that the recipes do not give', missesOf(read)),
    ...listed(
      'diagnostics',
      report.diagnostics.map(({ line, code, message }) => ({ line, code, message: message.slice(0, CELL_CHARS) })),
    ),
  ].join('\n')
}

function missesOf({ repriced }: Read) {
  return [...repriced.recipes.values()].flatMap(
    ({ code, declared, computed, difference, isMissed, isChapter, reconciles }) =>
      isMissed
        ? [
            {
              code: code.slice(0, CELL_CHARS),
              declared,
              computed,
              difference,
              because: becauseOf({ isChapter, reconciles }),
            },
          ]
        : [],
  )
}

function becauseOf({ isChapter, reconciles }: Pick<RepricedConcept, 'isChapter' | 'reconciles'>): string {
  if (reconciles === false) return isChapter ? 'it does not add up' : 'its recipe gives another price'
  return 'a recipe below it gives another price'
}

function sharesOf({ resources }: RepricedConcept): string {
  const kinds = Object.entries(resources).filter(([, amount]) => Number(amount) !== 0)
  return kinds.map(([kind, amount]) => `${kind} ${Number(amount).toFixed(2)}`).join(', ') || 'nothing'
}

function listed(title: string, rows: readonly Readonly<Record<string, unknown>>[]): string[] {
  if (rows.length === 0) return []
  const more = rows.length > SHOWN ? [`... and ${rows.length - SHOWN} more (--json has all)`] : []
  return ['', `${rows.length} ${title}`, table(rows.slice(0, SHOWN)), ...more]
}
