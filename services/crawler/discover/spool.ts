import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { canonicalJson, type JsonValue, sha256Hex } from '@catalog/core/digest.ts'
import { DAY_MS, instant } from '@catalog/core/time.ts'
import { FORMATS } from '@catalog/formats/format.ts'
import { z } from 'zod'

/**
 * What one crawl fetched of one source, in a folder of its own: `crawl.json` says which crawl it is, `documents.jsonl` has a
 * line for each body that came, and the bodies are numbered files. Nothing is recorded before all of it is here.
 *
 * Law: a body counts once its line is complete. After a crash at any moment the folder opens as what had been added by then,
 * and what lies there without a line is removed.
 */
export type Spool = AsyncDisposable &
  Readonly<{
    folder: string
    crawl: SpooledCrawlHead
    /** Those of an earlier attempt among them. */
    documents: number
    /** Of all bodies that are kept. */
    bytes: number
    /** Bytes that may still come; looked at before each body, so those under way may pass it. */
    room: number
    /** What an earlier attempt at this crawl did with an address. */
    earlier: (asked: string) => Spooled | undefined
    /** A new path to write a body to, before it is added. */
    next: () => string
    /** Throws what the disk throws, from then on at every call. */
    add: (spooled: Spooled) => Promise<void>
    /** In the order in which they came. */
    read: () => AsyncGenerator<SpooledDocument, void, undefined>
  }>

/** Which crawl it is. Two crawls of one digest ask for the same documents. */
export type SpooledCrawlHead = Readonly<{ crawlId: string; sourceId: string; startedAt: Date; digest: string }>

export type SpooledDocument = Readonly<{
  /** Path of the body. */
  file: string
  /** Where the redirects led. */
  url: string
  /** How positions call it. */
  name: string
  contentType: string | null
  charset: string | null
  /** In the spelling of the log. */
  fetchedAt: string
  bytes: number
  sha256: string
  /** Null: as its bytes say. */
  format: z.infer<typeof Line>['format']
  /** Where the records of a JSON document are; null: as it shows by itself. */
  records: string | null
  /** A page without an offer is a broken one; false of those that nobody called pages of products. */
  expectsOffer: boolean
}>

/** A body and what it is for: to be read for its prices, or only for the addresses in it. */
export type SpooledBody = SpooledDocument &
  Readonly<{
    kept: 'document' | 'walked'
    asked: string
    etag: string | null
    lastModified: string | null
    /** X-Robots-Tag. */
    robotsTag: string | null
  }>
/** An address that had nothing for us, and need not be asked again. */
export type Spooled = SpooledBody | Readonly<{ kept: 'nothing'; asked: string }>

/** Longer ago, prices are no longer those of one crawl: it is begun anew. */
export const SPOOL_AGE_MAX_MS = DAY_MS
/** Of one crawl; the largest merchant feeds have some gigabytes. */
const SPOOL_BYTES_MAX = 16 * 1024 ** 3

const CRAWL_FILE = 'crawl.json'
export const MANIFEST_FILE = 'documents.jsonl'
/** By their names, as by their numbers, files stand in order. */
const FILE_DIGITS = 7
/** Also one that is still coming. */
const BODY = /^\d{7,}(\.part)?$/
/** Addresses may carry keys: what lies here is its owner's. */
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
})
const AnyLine = z.discriminatedUnion('kept', [Line, z.object({ kept: z.literal('nothing'), asked: z.string() })])

/** Of what decides which documents a source has; its mapping and its trust do not. */
export function digestOf({ entryPoints, pagesMax }: Readonly<{ entryPoints: readonly object[]; pagesMax: number }>) {
  return sha256Hex(canonicalJson({ entryPoints: entryPoints as readonly JsonValue[], pagesMax }))
}

/**
 * Goes on with what lies in the folder where it is of this crawl, of the same digest and not older than
 * {@link SPOOL_AGE_MAX_MS}; else the folder is emptied and the crawl begins. `startedAt` stays that of the first attempt.
 */
export async function openSpool(
  folder: string,
  { now, bytesMax = SPOOL_BYTES_MAX, ...wanted }: SpooledCrawlHead & Readonly<{ now: Date; bytesMax?: number }>,
): Promise<Spool> {
  let crawl = await headOf(folder)
  if (crawl === null || !isSame(crawl, wanted) || !isFresh(crawl, now)) {
    crawl = wanted
    await rm(folder, { recursive: true, force: true })
    await mkdir(folder, { recursive: true, mode: FOLDER_MODE })
    const head = { ...crawl, startedAt: instant(crawl.startedAt) }
    await replace(join(folder, CRAWL_FILE), `${JSON.stringify(head, null, 2)}\n`)
  }
  const { earlier, last } = await whole(folder)
  const manifest = await open(join(folder, MANIFEST_FILE), 'a')
  const bodies = [...earlier.values()].filter((spooled) => spooled.kept !== 'nothing')
  let bytes = bodies.reduce((sum, body) => sum + body.bytes, 0)
  let documents = bodies.filter(({ kept }) => kept === 'document').length
  let number = last
  let written: Promise<void> = Promise.resolve()

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
      return bytesMax - bytes
    },
    earlier: (asked) => earlier.get(asked),
    next: () => join(folder, String(++number).padStart(FILE_DIGITS, '0')),
    add(spooled) {
      if (spooled.kept !== 'nothing') bytes += spooled.bytes
      if (spooled.kept === 'document') documents++
      // One after the other: two lines that are written at once may come to stand in each other.
      written = written.then(() => manifest.appendFile(lineOf(spooled)))
      return written
    },
    async *read() {
      await written
      // Whoever reads it tells of it: after a power failure it must not have fewer lines than it was judged by.
      await manifest.sync()
      yield* documentsIn(folder)
    },
    async [Symbol.asyncDispose]() {
      await written.catch(() => {})
      await manifest.close()
    },
  }
}

/** A spool of any age, to be read once more; throws where there is none. */
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

/** The crawls that lie in the folder of a source, the newest first. */
export async function spoolsOf(folder: string): Promise<readonly (SpooledCrawlHead & Readonly<{ folder: string }>)[]> {
  const names = await readdir(folder).catch(nothingThere<string[]>([]))
  const found: (SpooledCrawlHead & { folder: string })[] = []
  for (const name of names) {
    const crawl = await headOf(join(folder, name))
    if (crawl !== null) found.push({ ...crawl, folder: join(folder, name) })
  }
  return found.sort((one, other) => other.startedAt.getTime() - one.startedAt.getTime())
}

/** Whether {@link openSpool} would go on with it. */
export const isContinued = (crawl: SpooledCrawlHead, { digest, now }: Readonly<{ digest: string; now: Date }>) =>
  crawl.digest === digest && isFresh(crawl, now)

const isFresh = ({ startedAt }: SpooledCrawlHead, now: Date) => now.getTime() - startedAt.getTime() <= SPOOL_AGE_MAX_MS
const isSame = (one: SpooledCrawlHead, other: SpooledCrawlHead) =>
  one.crawlId === other.crawlId && one.sourceId === other.sourceId && one.digest === other.digest

/** Null where there is none that can be read. */
async function headOf(folder: string): Promise<SpooledCrawlHead | null> {
  const text = await readFile(join(folder, CRAWL_FILE), 'utf8').catch(nothingThere(''))
  const head = Head.safeParse(jsonOf(text))
  return head.success ? { ...head.data, startedAt: new Date(head.data.startedAt) } : null
}

/**
 * What an earlier attempt added, with the manifest rewritten and the rest removed: lines after a torn one, lines whose body
 * did not reach the disk, bodies without a line.
 */
async function whole(folder: string): Promise<{ earlier: Map<string, Spooled>; last: number }> {
  const earlier = new Map<string, Spooled>()
  const files = new Set<string>()
  let last = 0
  for await (const spooled of spooledIn(folder)) {
    if (spooled.kept !== 'nothing') {
      const size = await stat(spooled.file).then((found) => found.size, nothingThere(null))
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
    const { asked: _, etag: _etag, lastModified: _last, robotsTag: _tag, ...document } = spooled as SpooledBody
    yield document
  }
}

/** The lines of the manifest up to the first that is torn; what stands after the last end of line always is. */
async function* spooledIn(folder: string): AsyncGenerator<Spooled, void, undefined> {
  const path = join(folder, MANIFEST_FILE)
  if ((await stat(path).catch(nothingThere(null))) === null) return
  let rest = ''
  for await (const chunk of createReadStream(path, 'utf8')) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() as string
    for (const text of lines) {
      const line = AnyLine.safeParse(jsonOf(text))
      if (!line.success) return
      yield line.data.kept === 'nothing' ? line.data : { ...line.data, file: join(folder, line.data.file) }
    }
  }
}

/** Bodies are called by their numbers, so that the folder can be moved. */
function lineOf(spooled: Spooled): string {
  const line = spooled.kept === 'nothing' ? spooled : { ...spooled, file: basename(spooled.file) }
  return `${JSON.stringify(line)}\n`
}

function* linesOf(all: Iterable<Spooled>): Generator<string> {
  for (const spooled of all) yield lineOf(spooled)
}

/** A file that is there whole or as it was. */
async function replace(path: string, content: string | Iterable<string>): Promise<void> {
  await writeFile(`${path}.part`, content, { flush: true })
  await rename(`${path}.part`, path)
}

/** What stands for a file that is not there; any other error of the disk stays one. */
const nothingThere =
  <Nothing>(nothing: Nothing) =>
  (error: NodeJS.ErrnoException): Nothing => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return nothing
    throw error
  }

/** Undefined for what is no JSON. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
