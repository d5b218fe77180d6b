import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { canonicalJson, type JsonValue, sha256Hex } from '@catalog/core/digest.ts'
import { DAY_MS, instant } from '@catalog/core/time.ts'
import { jsonOrUndefined } from '@catalog/formats/bytes/sound-json.ts'
import { FORMATS } from '@catalog/formats/format.ts'
import { z } from 'zod'

/**
 * The documents of one crawl of one source, in a folder: `crawl.json` identifies the crawl, `documents.jsonl` has one
 * line for each body, and the bodies are numbered files. The crawl records nothing before the spool is complete.
 *
 * Law: a body counts once its line is complete. After a crash at any moment the folder opens with the bodies that
 * counted, and removes the rest.
 */
export type Spool = AsyncDisposable &
  Readonly<{
    folder: string
    crawl: SpooledCrawlHead
    /** Includes documents of an earlier attempt. */
    documents: number
    /** The size of all bodies in the spool. */
    bytes: number
    /** Bytes that fit; checked before each body, so bodies in progress may exceed it. */
    room: number
    /** What is full once nothing fits, for a report. */
    limit: string
    /** The entry that an earlier attempt at this crawl made for an address. */
    earlier: (asked: string) => Spooled | undefined
    /** A new path for a body, to write before the body is added. */
    next: () => string
    /** Throws an error of the disk at this and every later call. */
    add: (spooled: Spooled) => Promise<void>
    /** In the order of arrival. */
    read: () => AsyncGenerator<SpooledDocument, void, undefined>
  }>

/** Identifies a crawl. Two crawls with one digest fetch the same documents. */
export type SpooledCrawlHead = Readonly<{ crawlId: string; sourceId: string; startedAt: Date; digest: string }>

type SpoolLimits = Readonly<{ now: Date; bytesMax?: number; total?: TotalOfSpools | undefined }>
/** Bounds several spools together. */
export interface TotalOfSpools {
  readonly bytesMax: number
  /** Bytes that fit. */
  readonly room: number
  /** Counts a spool of this process under its folder from now on. */
  begin(folder: string, bytes: number): Promise<void>
  set(folder: string, bytes: number): void
  end(folder: string): void
}

export type SpooledDocument = Readonly<{
  /** Path of the body. */
  file: string
  /** The address after redirects. */
  url: string
  /** The document's name in positions. */
  name: string
  contentType: string | null
  charset: string | null
  /** An instant in the log's format. */
  fetchedAt: string
  bytes: number
  sha256: string
  /** Null: detect the format from the bytes. */
  format: z.infer<typeof Line>['format']
  /** The path to the records of a JSON document; null: detect it. */
  records: string | null
  /** A page without an offer counts as broken. False for pages that no rule names as product pages. */
  expectsOffer: boolean
}>

/** A body with its purpose: to read prices from it, or only addresses. */
export type SpooledBody = SpooledDocument &
  Readonly<{
    kept: 'document' | 'walked'
    asked: string
    etag: string | null
    lastModified: string | null
    /** The values of X-Robots-Tag. */
    robotsTag: string | null
    /** The next page by the headers of the answer, as written. */
    nextLink: string | null
  }>
/** An address without use for the crawl, which need not be fetched again. */
export type Spooled = SpooledBody | Readonly<{ kept: 'nothing'; asked: string }>

/** Older prices do not belong to the same crawl: a new one begins. */
export const SPOOL_AGE_MAX_MS = DAY_MS
/** Bounds one crawl; the largest merchant feeds have some gigabytes. */
const SPOOL_BYTES_MAX = 16 * 1024 ** 3

const CRAWL_FILE = 'crawl.json'
export const MANIFEST_FILE = 'documents.jsonl'
/** Names of files sort like their numbers. */
const FILE_DIGITS = 7
/** Matches unfinished files too. */
const BODY = /^\d{7,}(\.part)?$/
/** Addresses may carry keys, so only the owner may read the folder. */
const FOLDER_MODE = 0o700

const Head = z.object({ crawlId: z.string(), sourceId: z.string(), startedAt: z.iso.datetime(), digest: z.string() })
const Line = z.object({
  kept: z.enum(['document', 'walked']),
  asked: z.string(),
  file: z.string().regex(/^\d{7,}$/),
  url: z.string(),
  name: z.string(),
  contentType: z.string().nullable(),
  charset: z.string().nullable(),
  fetchedAt: z.string(),
  bytes: z.int().min(0),
  sha256: z.string(),
  format: z.enum(FORMATS).nullable(),
  records: z.string().nullable(),
  expectsOffer: z.boolean(),
  etag: z.string().nullable(),
  lastModified: z.string().nullable(),
  robotsTag: z.string().nullable(),
  // Manifests of before have none.
  nextLink: z.string().nullable().default(null),
})
const AnyLine = z.discriminatedUnion('kept', [Line, z.object({ kept: z.literal('nothing'), asked: z.string() })])

/** Digest of the fields that decide which documents a crawl fetches; mapping and trust do not. */
export function digestOf({ entryPoints, pagesMax }: Readonly<{ entryPoints: readonly object[]; pagesMax: number }>) {
  return sha256Hex(canonicalJson({ entryPoints: entryPoints as readonly JsonValue[], pagesMax }))
}

/**
 * Resumes the spool in the folder if it belongs to this crawl, has the same digest and is at most {@link
 * SPOOL_AGE_MAX_MS} old. Otherwise empties the folder. `startedAt` stays that of the first attempt.
 */
export async function openSpool(
  folder: string,
  { now, bytesMax = SPOOL_BYTES_MAX, total, ...wanted }: SpooledCrawlHead & SpoolLimits,
): Promise<Spool> {
  let crawl = await headOf(folder)
  if (crawl === null || !isSame(crawl, wanted) || !isFresh(crawl, now)) {
    crawl = wanted
    await rm(folder, { recursive: true, force: true })
    await mkdir(folder, { recursive: true, mode: FOLDER_MODE })
    const head = { ...crawl, startedAt: instant(crawl.startedAt) }
    await replace(join(folder, CRAWL_FILE), `${JSON.stringify(head, null, 2)}\n`)
  }
  const { earlier, last } = await recover(folder)
  const manifest = await open(join(folder, MANIFEST_FILE), 'a')
  const bodies = [...earlier.values()].filter((spooled) => spooled.kept !== 'nothing')
  let bytes = bodies.reduce((sum, body) => sum + body.bytes, 0)
  let documents = bodies.filter(({ kept }) => kept === 'document').length
  let number = last
  let written: Promise<void> = Promise.resolve()
  await total?.begin(folder, bytes)

  return {
    folder,
    crawl,
    get documents() {
      return documents
    },
    get bytes() {
      return bytes
    },
    get room() {
      return Math.min(bytesMax - bytes, total?.room ?? Number.POSITIVE_INFINITY)
    },
    get limit() {
      const isAlone = total === undefined || bytesMax - bytes <= total.room
      return isAlone
        ? `the crawl exceeds ${bytesMax} bytes, expected at most that many`
        : `the spools of all sources exceed ${total.bytesMax} bytes, expected at most that many: accept or drop held crawls (catalog sources)`
    },
    earlier: (asked) => earlier.get(asked),
    next: () => join(folder, String(++number).padStart(FILE_DIGITS, '0')),
    add(spooled) {
      if (spooled.kept !== 'nothing') bytes += spooled.bytes
      if (spooled.kept === 'document') documents++
      total?.set(folder, bytes)
      // Serialise the writes: two concurrent appends may interleave.
      written = written.then(() => manifest.appendFile(lineOf(spooled)))
      return written
    },
    async *read() {
      await written
      // Sync first: a power failure must not lose lines that the verdict counted.
      await manifest.sync()
      yield* documentsIn(folder)
    },
    async [Symbol.asyncDispose]() {
      total?.end(folder)
      await written.catch(() => {})
      await manifest.close()
    },
  }
}

/** Opens a spool of any age for reading. Throws where there is none. */
export async function readSpool(folder: string): Promise<SpoolReader> {
  const crawl = await headOf(folder)
  if (crawl === null) throw new Error(`${folder}: expected a crawl that was fetched into it`)
  let bytes = 0
  let documents = 0
  for await (const spooled of spooledIn(folder)) {
    if (spooled.kept !== 'nothing') bytes += spooled.bytes
    if (spooled.kept === 'document') documents++
  }
  return { folder, crawl, bytes, documents, read: () => documentsIn(folder) }
}
export type SpoolReader = Pick<Spool, 'folder' | 'crawl' | 'bytes' | 'documents' | 'read'>

/** The spools in the folder of a source, the newest first. */
export async function spoolsOf(folder: string): Promise<readonly (SpooledCrawlHead & Readonly<{ folder: string }>)[]> {
  const names = await readdir(folder).catch(ifMissing<string[]>([]))
  const found: (SpooledCrawlHead & { folder: string })[] = []
  for (const name of names) {
    const crawl = await headOf(join(folder, name))
    if (crawl !== null) found.push({ ...crawl, folder: join(folder, name) })
  }
  return found.sort((one, other) => other.startedAt.getTime() - one.startedAt.getTime())
}

/** Whether {@link openSpool} would resume the spool. */
export const isContinued = (crawl: SpooledCrawlHead, { digest, now }: Readonly<{ digest: string; now: Date }>) =>
  crawl.digest === digest && isFresh(crawl, now)

const isFresh = ({ startedAt }: SpooledCrawlHead, now: Date) => now.getTime() - startedAt.getTime() <= SPOOL_AGE_MAX_MS
const isSame = (one: SpooledCrawlHead, other: SpooledCrawlHead) =>
  one.crawlId === other.crawlId && one.sourceId === other.sourceId && one.digest === other.digest

/** Null where there is none, or an unreadable one. */
async function headOf(folder: string): Promise<SpooledCrawlHead | null> {
  const text = await readFile(join(folder, CRAWL_FILE), 'utf8').catch(ifMissing(''))
  const head = Head.safeParse(jsonOrUndefined(text))
  return head.success ? { ...head.data, startedAt: new Date(head.data.startedAt) } : null
}

/**
 * Reads the entries of an earlier attempt, rewrites the manifest, and removes the rest: lines after a torn one, lines
 * without their whole body, bodies without a line.
 */
async function recover(folder: string): Promise<{ earlier: Map<string, Spooled>; last: number }> {
  const earlier = new Map<string, Spooled>()
  const files = new Set<string>()
  let last = 0
  for await (const spooled of spooledIn(folder)) {
    if (spooled.kept !== 'nothing') {
      const size = await stat(spooled.file).then((found) => found.size, ifMissing(null))
      if (size !== spooled.bytes) continue
      const name = basename(spooled.file)
      files.add(name)
      last = Math.max(last, Number(name))
    }
    earlier.set(spooled.asked, spooled)
  }
  await replace(join(folder, MANIFEST_FILE), linesOf(earlier.values()))
  for (const name of await readdir(folder)) if (BODY.test(name) && !files.has(name)) await rm(join(folder, name))
  return { earlier, last }
}

async function* documentsIn(folder: string): AsyncGenerator<SpooledDocument, void, undefined> {
  for await (const { kept, ...spooled } of spooledIn(folder)) {
    if (kept !== 'document') continue
    const {
      asked: _,
      etag: _etag,
      lastModified: _last,
      robotsTag: _tag,
      nextLink: _next,
      ...document
    } = spooled as SpooledBody
    yield document
  }
}

/** Reads the manifest up to the first torn line. Text after the last end of line is torn. */
async function* spooledIn(folder: string): AsyncGenerator<Spooled, void, undefined> {
  const path = join(folder, MANIFEST_FILE)
  if ((await stat(path).catch(ifMissing(null))) === null) return
  let rest = ''
  for await (const chunk of createReadStream(path, 'utf8')) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() as string
    for (const text of lines) {
      const line = AnyLine.safeParse(jsonOrUndefined(text))
      if (!line.success) return
      yield line.data.kept === 'nothing' ? line.data : { ...line.data, file: join(folder, line.data.file) }
    }
  }
}

/** Lines name bodies by number, so that the folder can move. */
function lineOf(spooled: Spooled): string {
  const line = spooled.kept === 'nothing' ? spooled : { ...spooled, file: basename(spooled.file) }
  return `${JSON.stringify(line)}\n`
}

function* linesOf(all: Iterable<Spooled>): Generator<string> {
  for (const spooled of all) yield lineOf(spooled)
}

/** Replaces a file atomically. */
async function replace(path: string, content: string | Iterable<string>): Promise<void> {
  await writeFile(`${path}.part`, content, { flush: true })
  await rename(`${path}.part`, path)
}

/** Returns `nothing` for a missing file and rethrows every other error. */
const ifMissing =
  <Nothing>(nothing: Nothing) =>
  (error: NodeJS.ErrnoException): Nothing => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return nothing
    throw error
  }
