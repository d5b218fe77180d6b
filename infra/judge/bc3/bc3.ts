import { mkdtempDisposableSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { runTool } from '@catalog/judge/harness/tools.ts'
import { failed, passed, runJudges, skipped, type Verdict } from '@catalog/judge/harness/verdict.ts'
import { bc3Samples } from '@catalog/stack/bc3/samples.ts'
import { differences, parseAnswer, type ReaderAnswer } from './book-content.ts'
import { type Book, mutate, rewriteBooks, writeCatalogBooks } from './books.ts'

/**
 * BC3 files that we write, read by independent programs. No registry has such a program, so the tester installs it with
 * a small adapter, the reader: `--reader "CMD"`, once for each program.
 *
 * `CMD FILE CHARSET` decodes the file from the charset (utf-8, windows-1252, cp850, cp437: names that iconv and Python
 * know), lets the program read it, and prints JSON; see {@link ReaderAnswer}. Numbers may be numbers or texts, and
 * codes may end in `#`; a line of a recipe is { code, factor, yield }. The reader exits with a status other than 0 when
 * the program fails.
 *
 * Readers so far: ogorhc/BC3 (TypeScript, MIT), `BC3.parse(text).document.conceptsByCode` for concepts and `new
 * Tokenizer().tokenize(text)` for ~D and ~Y, whose fields the reader groups by three, because the program guesses line
 * ends; and xcfem/pyCost (Python, GPL), `preprocess_file`, `CodigosObra.readBC3` and `GetConcepto()` and `GetDesc()` of
 * each record, with `"blank": {"price": 0, "factor": 1, "yield": 0}, "pricesMax": 1`.
 */
export async function judgeBc3(
  readers: readonly string[],
  report: (verdict: Verdict) => void,
): Promise<readonly Verdict[]> {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'catalog-judge-'))
  const samples = bc3Samples()
  const anew = await rewriteBooks(samples, folder.path)
  const catalog = await writeCatalogBooks(folder.path)
  return await runJudges(
    readers.flatMap((command) => [
      {
        name: `${readerName(command)}, files`,
        run: async () =>
          samples.length === 0 ? skipped('no folder of real inputs') : await readBooks(command, anew, folder.path),
      },
      { name: `${readerName(command)}, catalog`, run: () => readBooks(command, catalog, folder.path) },
    ]),
    report,
  )
}

const readerName = (command: string) => basename(command.split(/\s+/).findLast((word) => !word.startsWith('-')) ?? '')

/**
 * Compares what the reader finds in each book with what was written. An equal difference in the book's original file is
 * the reader's own interpretation: it is counted, but no fault.
 */
export async function readBooks(command: string, books: readonly Book[], folder: string) {
  const total = { concepts: 0, lines: 0, alike: 0, unread: 0 }
  const faults: string[] = []
  for (const book of books) {
    const about = `${book.name} in ${book.charset}`
    const answer = await read(command, book)
    const before = book.original && (await read(command, book.original))
    if (typeof answer === 'string') {
      if (typeof before === 'string') total.unread += 1
      else faults.push(`${about}: ${answer}`)
      continue
    }
    const { found, concepts, lines } = differences(book.expected, answer)
    const alike = new Set(before && typeof before !== 'string' ? differences(book.expected, before).found : [])
    total.concepts += concepts
    total.lines += lines
    total.alike += found.filter((difference) => alike.has(difference)).length
    faults.push(...found.flatMap((difference) => (alike.has(difference) ? [] : [`${about}: ${difference}`])))
  }
  const { concepts, lines, alike, unread } = total
  const says = [
    `${books.length} files, ${concepts} concepts, ${lines} lines of recipes, ${faults.length} differences`,
    ...(alike === 0 ? [] : [`${alike} as in the file before`]),
    ...(unread === 0 ? [] : [`${unread} that it reads neither before nor now`]),
  ].join(', ')
  if (faults.length > 0) return failed(says, faults.join('\n'))
  const blind = await blindTo(command, books, folder)
  return blind === null ? passed(`${says}; a planted price and a planted yield are found`) : failed(blind, '')
}

/** Null when the reader notices a changed price and a changed yield in the first book that has one. */
async function blindTo(command: string, books: readonly Book[], folder: string): Promise<string | null> {
  for (const what of ['price', 'yield'] as const) {
    let isSeen = false
    for (const book of books) {
      const changed = mutate(book, what, join(folder, `planted-${what}.bc3`))
      if (changed === null) continue
      const [before, answer] = [await read(command, book), await read(command, { ...book, ...changed })]
      if (typeof before === 'string' || typeof answer === 'string') continue
      const already = new Set(differences(book.expected, before).found)
      isSeen = differences(book.expected, answer).found.some((difference) => !already.has(difference))
      break
    }
    if (!isSeen) return `the check is blind: another ${what} is not noticed`
  }
  return null
}

/** The reader's result for a file, or one line with the reason for its failure. */
async function read(
  command: string,
  { path, charset }: Pick<Book, 'path' | 'charset'>,
): Promise<ReaderAnswer | string> {
  const [program = '', ...args] = command.split(/\s+/)
  const options = { cwd: process.cwd(), timeoutMs: READ_TIMEOUT_MS }
  const { code, stdout, stderr } = await runTool(program, [...args, path, charset], options)
  if (code === 0) return parseAnswer(stdout)
  return `the reader ended with ${code}: ${stderr.trim().split('\n').at(-1)}`
}

/** The largest file has some hundred kilobytes. */
const READ_TIMEOUT_MS = 60_000
