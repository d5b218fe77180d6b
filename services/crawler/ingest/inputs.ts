import { createReadStream } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { basename, join, relative } from 'node:path'
import { withoutGz } from '@catalog/formats/bytes/gzip.ts'
import type { ByteSource } from '@catalog/formats/bytes/record.ts'
import { type Format, formatOfName } from '@catalog/formats/format.ts'
import type { Defaults } from '@catalog/formats/mapping/candidate.ts'
import type { Mapping } from '@catalog/formats/mapping/mapping.ts'
import { type Outcome, type OutcomeBatch, readOutcomes, refusedFile } from '@catalog/formats/read.ts'
import type { Detected, ReadOptions } from '@catalog/formats/read-options.ts'
import { PriceBooks, type RecipeBatch } from './price-books.ts'

/** A file, or a folder whose supported files are read in the order of their paths, with the operator's options. */
export type CrawlInput = Readonly<{ path: string; options?: InputOptions }>
export type InputOptions = Readonly<
  {
    format?: Format | undefined
    mapping?: Mapping | undefined
    /** The operator allows sources that the catalog has never met, where the mapping allows any. */
    newSources?: boolean | undefined
  } & Partial<Omit<Defaults, 'notAfter' | 'isSourceGiven'>>
>

/** A file with the options that hold for it alone. */
export type InputFile = Readonly<{
  path: string
  /** The file's name in positions of records. */
  name: string
  options?: InputOptions | undefined
  page?: ReadOptions['page']
}>

/** An input whose files and size in bytes are known. */
export type Input = Readonly<{
  path: string
  bytes: number
  files: () => AsyncIterable<InputFile> | Iterable<InputFile>
  options: InputOptions
}>

/** Outcomes of the records of a file, or recipes. `isNext`: the first outcomes of a list, of which archives have several. */
export type FileBatch = (OutcomeBatch & Readonly<{ isNext: boolean }>) | RecipeBatch
/** Reads the records of a file, then its recipes. Calls `onBytes` with the size of each piece that it reads. */
export type ReadFile = (
  file: InputFile,
  options: ReadOptions,
  onBytes: (count: number) => void,
) => AsyncGenerator<FileBatch, void, undefined>

/** Files of one input whose detection a report holds. */
export const DETECTED_MAX = 1_000
const FILES_OF_FOLDER_MAX = 100_000
const READ_BYTES = 64 * 1024
/** Tolerance for vendors' clocks that are ahead. */
const FUTURE_TOLERANCE_MS = 10 * 60 * 1000

export class InputNotFound extends Error {
  override name = 'InputNotFound'
}

/** The latest instant of an observation that is accepted at `now`. */
export function latestObservation(now: Date): Date {
  return new Date(now.getTime() + FUTURE_TOLERANCE_MS)
}

/** Lists the files of an input. Skips files of other formats and hidden files in a folder. Throws InputNotFound. */
export async function openInput({ path, options = {} }: CrawlInput): Promise<Input> {
  const found = await statOf(path)
  if (!found.isDirectory()) return { path, bytes: found.size, files: () => [{ path, name: basename(path) }], options }
  const entries = await readdir(path, { recursive: true, withFileTypes: true })
  const files: { path: string; name: string }[] = []
  let bytes = 0
  for (const entry of entries) {
    const file = join(entry.parentPath, entry.name)
    const name = relative(path, file)
    if (!entry.isFile() || formatOfName(name) === null || /(^|[/\\])\./.test(name)) continue
    files.push({ path: file, name })
    bytes += (await statOf(file)).size
    if (files.length > FILES_OF_FOLDER_MAX) throw new Error(`${path} holds more than ${FILES_OF_FOLDER_MAX} files`)
  }
  files.sort((a, b) => (a.name < b.name ? -1 : 1))
  return { path, bytes, files: () => files, options }
}

async function statOf(path: string) {
  try {
    return await stat(path)
  } catch (cause) {
    throw new InputNotFound(`${path}: expected a file or a folder that can be read`, { cause })
  }
}

/** Records of an input, by the number of their file in it. */
export type ListBatch = Extract<FileBatch, OutcomeBatch> & Readonly<{ file: number }>

type ReadInput = Readonly<{ notAfter: Date; onBytes: (count: number) => void; readFile?: ReadFile | undefined }>

/** Reads an input, file by file. Nothing follows the refusal of a file as a whole. */
export async function* inputBatches(
  input: Input,
  { notAfter, onBytes, readFile = readHere }: ReadInput,
): AsyncGenerator<ListBatch | RecipeBatch, void, undefined> {
  let number = -1
  for await (const file of input.files()) {
    number++
    const { format, mapping, newSources: _newSources, ...defaults } = { ...input.options, ...file.options }
    const source = basename(withoutGz(file.name)).replace(/\.[^.]+$/, '')
    const options = {
      format,
      mapping,
      defaults: {
        ...defaults,
        source: defaults.source ?? source,
        isSourceGiven: defaults.source !== undefined,
        notAfter,
      },
      page: file.page,
    }
    const letters = new DeadLetters((await stat(file.path).catch(() => null))?.size ?? 0)
    for await (const read of readFile(file, options, onBytes)) {
      const tooMany = 'recipes' in read ? null : letters.add(read.outcomes)
      const batch = tooMany === null ? read : refusedFile({ name: file.name, ...tooMany }, options)
      if ('recipes' in batch) yield batch
      else if (batch.refusesFile) yield { ...batch, file: number, isNext: true }
      else yield { isNext: false, ...batch, file: number }
      if ('refusesFile' in batch) break
    }
  }
}

/** Reads a file in this process. */
export const readHere: ReadFile = async function* (file, options, onBytes) {
  const books = new PriceBooks(options)
  let last: Detected | null = null
  for await (const batch of readOutcomes(fileSource(file, onBytes), options)) {
    yield { ...batch, isNext: batch.detected !== last }
    if (batch.refusesFile) return
    last = batch.detected
    books.add(last)
  }
  yield* books.read(fileSource(file, () => onBytes(0)))
}

/** Dead letters of one file that are recorded in any case. */
const LETTERS_MIN = 10_000
/** Their share of a file's records from which the file, and not the record, is wrong. */
const LETTERS_SHARE = 0.9
/** Their bytes for each byte of the file. */
const LETTERS_PER_BYTE_MAX = 2
/** Bytes of a dead letter beside its texts, about. */
const LETTER_BYTES = 400

/** Counts the dead letters of a file, which a few bytes could make by the million. */
class DeadLetters {
  readonly #fileBytes: number
  #records = 0
  #letters = 0
  #bytes = 0

  constructor(fileBytes: number) {
    this.#fileBytes = fileBytes
  }

  /** Why the file is refused as a whole after these outcomes; null while it is not. */
  add(outcomes: readonly Outcome[]): Readonly<{ reason: string; detail: string }> | null {
    this.#records += outcomes.length
    let last: Readonly<{ position: string; reason: string; detail: string }> | null = null
    for (const { position, raw, result } of outcomes) {
      if ('content' in result) continue
      this.#letters++
      this.#bytes += LETTER_BYTES + raw.length + result.detail.length
      last = { position, reason: result.reason, detail: result.detail }
    }
    if (last === null || this.#letters <= LETTERS_MIN || this.#letters < LETTERS_SHARE * this.#records) return null
    if (this.#bytes <= LETTERS_PER_BYTE_MAX * this.#fileBytes) return null
    const { position, reason, detail } = last
    const of = `${this.#letters} of the first ${this.#records} records cannot be recorded`
    return {
      reason: 'TOO_MANY_REFUSED',
      detail: `${of}, the last at ${position}: ${reason}, ${detail}. Check the mapping`,
    }
  }
}

/** A file on disk as a source of bytes. Calls `onBytes` with the size of each piece that it reads. */
export function fileSource(
  file: Readonly<{ path: string; name: string }>,
  onBytes: (count: number) => void = () => {},
): ByteSource {
  return {
    name: file.name,
    async *open() {
      for await (const chunk of createReadStream(file.path, { highWaterMark: READ_BYTES })) {
        onBytes((chunk as Buffer).length)
        yield chunk as Buffer
      }
    },
    whole: async () => file.path,
  }
}
