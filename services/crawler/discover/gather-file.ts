import { constants } from 'node:fs'
import { copyFile, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import type { EntryPoint } from '@catalog/crawler/sources/sources-file.ts'
import { fileDigest } from '@catalog/runtime/durable-files.ts'
import type { FetchOutcome, Frontier } from './frontier.ts'

/** As for a document of the web. */
const FILE_BYTES_MAX = 8 * 1024 ** 3

type Condition = Readonly<{ etag?: string | null }>

/**
 * Copies a file of the operator into the spool, under its name alone: positions are public, and the folders of a machine are
 * not. A file of the size and the modification time that `etag` holds counts as unchanged. Its prices were seen when it was last
 * modified: an old file that is read again has no newer prices.
 */
export async function gatherFile(
  { path, url, format }: Extract<EntryPoint, { kind: 'file' }>,
  { condition, frontier }: Readonly<{ condition: Condition; frontier: Frontier }>,
): Promise<FetchOutcome> {
  if (!frontier.admit(url)) return { status: 'settled' }
  const outcome = await frontier.read(url, async (into) => {
    const found = await stat(path).catch(() => null)
    if (found === null || !found.isFile()) return { problem: `${path}: expected a file that can be read` }
    if (found.size > FILE_BYTES_MAX)
      return { problem: `${path}: ${found.size} bytes, expected at most ${FILE_BYTES_MAX}` }
    const etag = `"${found.size}-${Math.floor(found.mtimeMs)}"`
    if (etag === condition.etag) return { unchanged: etag }
    await copyFile(path, into, constants.COPYFILE_FICLONE)
    const { bytes, sha256 } = await fileDigest(into)
    return { body: { url, name: basename(path), etag, bytes, sha256 }, modifiedMs: found.mtimeMs }
  })
  if (outcome.status === 'missed') frontier.markIncomplete()
  if (outcome.status !== 'fetched') return outcome
  await frontier.keep(outcome.body, { kept: 'document', format: format ?? null })
  frontier.reportProgress(0)
  return outcome
}
