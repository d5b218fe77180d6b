import * as yauzl from 'yauzl'
import { matchesName } from './name-globs.ts'
import type { BrokenRecord, ByteSource } from './record.ts'

/** Files in one archive. */
const ENTRIES_MAX = 10_000
/** Bytes that all files of one archive may inflate to, together. */
const INFLATED_BYTES_MAX = 16 * 1024 ** 3
/** DEFLATE reaches about 1000:1; price lists stay far below the limit, zip bombs exceed it. */
export const INFLATION_RATIO_MAX = 250
/** A high ratio is harmless below this size. */
const RATIO_MATTERS_BYTES = 16 * 1024 ** 2
/** Largest spreadsheet inside an archive: an archive itself, it must be in memory. */
const BUFFERED_BYTES_MAX = 64 * 1024 ** 2

/** An open archive, which its user closes. Its directory is read; nothing is inflated yet. */
export type Archive = Disposable & Readonly<{ entries: readonly ArchiveEntry[] }>
export type ArchiveEntry = Readonly<{
  path: string
  /** Bytes inflated, and in the archive. */
  size: number
  packedSize: number
  open(): AsyncIterable<Uint8Array>
}>

/**
 * Opens a ZIP archive and reads its directory. Throws BadArchive for damage or a broken limit: number of entries,
 * inflated size of all, ratio of one. yauzl then holds every entry to its declared size, which stops a bomb with a
 * false size.
 */
export async function openArchive(whole: string | Buffer): Promise<Archive> {
  const options = { autoClose: false, validateEntrySizes: true }
  let zip: yauzl.ZipFile | null = null
  try {
    zip = await (typeof whole === 'string'
      ? yauzl.openPromise(whole, options)
      : yauzl.fromBufferPromise(whole, options))
    const opened = zip
    if (zip.entryCount > ENTRIES_MAX) throw new BadArchive(`${zip.entryCount} entries, at most ${ENTRIES_MAX} are read`)
    const entries: ArchiveEntry[] = []
    let inflated = 0
    for await (const entry of zip.eachEntry()) {
      if (entry.fileName.endsWith('/')) continue
      inflated += entry.uncompressedSize
      if (entries.length >= ENTRIES_MAX || inflated > INFLATED_BYTES_MAX) {
        throw new BadArchive(`more than ${ENTRIES_MAX} entries or ${INFLATED_BYTES_MAX} bytes inflated`)
      }
      const ratio = entry.uncompressedSize / Math.max(1, entry.compressedSize)
      if (entry.uncompressedSize > RATIO_MATTERS_BYTES && ratio > INFLATION_RATIO_MAX) {
        throw new BadArchive(`${entry.fileName} inflates ${Math.round(ratio)} times, at most ${INFLATION_RATIO_MAX}`)
      }
      entries.push({
        path: entry.fileName,
        size: entry.uncompressedSize,
        packedSize: entry.compressedSize,
        async *open() {
          if (entry.isEncrypted()) throw new BadArchive(`${entry.fileName} is encrypted`)
          yield* await opened.openReadStreamPromise(entry)
        },
      })
    }
    return { entries, [Symbol.dispose]: () => opened.close() }
  } catch (cause) {
    zip?.close()
    if (cause instanceof BadArchive) throw cause
    throw new BadArchive((cause as Error).message, { cause })
  }
}

export class BadArchive extends Error {
  override name = 'BadArchive'
}

export type Members = Readonly<{
  /** Globs for the names of the files to read; null for all. */
  members?: readonly string[] | null
  onPassedOver?: (path: string) => void
}>
const NAMES_SHOWN_MAX = 20
const NAME_CHARS_SHOWN = 60

/**
 * The files of a ZIP archive as sources, in the archive's order, while it is open. Skips hidden files and the additions
 * of macOS. An archive inside is one broken record (NESTED_ARCHIVE), and so is an unreadable archive (BAD_ARCHIVE). Of given
 * `members`, each glob must name a file (NO_MEMBER), and other files are told to `onPassedOver`.
 */
export async function* archiveSources(
  source: ByteSource,
  { members = null, onPassedOver = () => {} }: Members = {},
): AsyncGenerator<ByteSource | BrokenRecord, void, undefined> {
  let archive: Archive
  try {
    archive = await openArchive(await source.whole())
  } catch (error) {
    const detail = (error as Error).message
    yield { position: source.name, raw: '', reason: 'BAD_ARCHIVE', detail, endsFile: true }
    return
  }
  using opened = archive
  const entries = opened.entries.filter(({ path }) => !/(^|\/)(\.|__MACOSX\/)/.test(path))
  yield* missingMembers(source, members ?? [], entries)
  for (const entry of entries) {
    const name = `${source.name}/${entry.path}`
    if (members !== null && !members.some((glob) => matchesName(glob, entry.path))) {
      onPassedOver(entry.path)
      continue
    }
    if (/\.(zip|7z|rar|gz|tgz|tar|bz2|xz)$/i.test(entry.path)) {
      const detail = 'an archive inside an archive is not opened; crawl it by itself'
      yield { position: name, raw: '', reason: 'NESTED_ARCHIVE', detail, endsFile: true }
      continue
    }
    yield {
      name,
      open: entry.open,
      async whole() {
        if (entry.size > BUFFERED_BYTES_MAX) {
          throw new BadArchive(`${name} has ${entry.size} bytes, at most ${BUFFERED_BYTES_MAX} are held in memory`)
        }
        const chunks: Uint8Array[] = []
        for await (const chunk of entry.open()) chunks.push(chunk)
        return Buffer.concat(chunks)
      },
    }
  }
}

function* missingMembers(
  source: ByteSource,
  members: readonly string[],
  entries: readonly ArchiveEntry[],
): Generator<BrokenRecord, void, undefined> {
  for (const glob of members) {
    if (entries.some(({ path }) => matchesName(glob, path))) continue
    const names = entries.slice(0, NAMES_SHOWN_MAX).map(({ path }) => path.slice(0, NAME_CHARS_SHOWN))
    const detail = `no file of the archive matches '${glob}'. It has: ${names.join(', ') || 'none'}`
    yield { position: source.name, raw: '', reason: 'NO_MEMBER', detail, endsFile: true }
  }
}
