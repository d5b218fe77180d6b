import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type DownloadOptions, openDownloads } from '@catalog/mirror/downloads.ts'
import { copyFileOf, type MirrorOptions } from '@catalog/mirror/mirror.ts'
import { verifyCopy } from './copy.ts'
import { type Findings, openNotes } from './report.ts'
import { verifyTree } from './tree.ts'

export type VerifyOptions = DownloadOptions &
  Pick<MirrorOptions, 'keys' | 'acceptGeneration'> &
  Readonly<{
    /** The base address of the origin with its /v1, or the folder of a static copy. */
    url: string
    /** Folder of the copies. */
    into: string
    /** Scopes whose copies are verified; each must be there. */
    scopes: readonly string[]
    /** Folder of the plain files, if there are some. */
    tree?: string | undefined
    signal?: AbortSignal
    onProgress?: (progress: { scope: string; step: string; done: number; total: number }) => void
  }>

export type VerifyReport = Findings &
  Readonly<{
    /** Number of items by scope. */
    scopes: Readonly<Record<string, number>>
    requests: number
  }>

/**
 * Hashes every state of the copies again, compares rows and position with the origin, and every file of the tree with
 * its sum and as a mirror would; then repairs from the origin what differs. Law: a repair is verified like everything
 * else that comes from an origin, and is one transaction for each copy. Throws a MirrorError when the origin cannot be
 * read or contradicts itself.
 */
export async function verifyMirror({
  url,
  into,
  scopes,
  tree,
  signal,
  onProgress = () => {},
  ...parts
}: VerifyOptions): Promise<VerifyReport> {
  const downloads = openDownloads(parts)
  const notes = openNotes()
  const counts: Record<string, number> = {}
  for (const scope of scopes) {
    const progress = (of: { step: string; done: number; total: number }) => onProgress({ ...of, scope })
    counts[scope] = await verifyCopy({ url, scope, into, downloads, parts, signal, onProgress: progress, notes })
  }
  let requests = downloads.requests()
  if (tree !== undefined) {
    const report = await verifyTree({ url, tree, into, scopes, onProgress, ...(signal && { signal }), ...parts }, notes)
    requests += report?.requests ?? 0
  }
  return { ...notes.report(), scopes: counts, requests }
}

/** Those of these scopes that have a copy in the folder. */
export const copiedScopes = (into: string, scopes: readonly string[]): string[] =>
  scopes.filter((scope) => existsSync(join(into, copyFileOf(scope))))
