import { readdir, readFile } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { fileDigest, replaceFile, syncPath } from '@catalog/runtime/durable-files.ts'
import { z } from 'zod'

/**
 * `manifest.json` of a backup: what it holds, and the bytes of every file. It is written last, so a folder without one is no
 * backup.
 */
export type BackupManifest = z.infer<typeof MANIFEST>
type BackedUpFile = BackupManifest['files'][number]

export const MANIFEST_FILE = 'manifest.json'

const SHA256 = z.string().regex(/^[0-9a-f]{64}$/)
const MANIFEST = z.object({
  format: z.literal(1),
  /** The data folder of an embedded store, or a dump that pg_dump wrote. */
  kind: z.enum(['embedded', 'postgres']),
  mode: z.enum(['embedded', 'postgres', 'distributed']),
  created_at: z.string(),
  schema_version: z.number().int(),
  postgres_version: z.string(),
  gen: z.string(),
  /** Number of the newest change. */
  seq: z.string().regex(/^\d+$/),
  /** Over all active items, and over all observations that count. */
  roots: z.object({ catalog: SHA256, vendor: SHA256 }),
  /** The next record of each partition that the tables had not applied. */
  positions: z.array(
    z.object({ projection: z.string(), topic: z.string(), partition: z.number(), next: z.string().regex(/^\d+$/) }),
  ),
  /** By path, with `/` between folders. */
  files: z.array(z.object({ path: z.string(), bytes: z.number(), sha256: SHA256 })),
})

export class NoBackup extends Error {
  override name = 'NoBackup'
}

/** Throws NoBackup for a folder without a manifest, or with one that this code cannot read. */
export async function readManifest(folder: string): Promise<BackupManifest> {
  const path = join(folder, MANIFEST_FILE)
  const text = await readFile(path, 'utf8').catch((cause: Error) => {
    throw new NoBackup(`${folder} is no backup: expected ${MANIFEST_FILE}, as catalog backup --to writes it last`, {
      cause,
    })
  })
  try {
    return MANIFEST.parse(JSON.parse(text))
  } catch (cause) {
    throw new NoBackup(`${path} cannot be read: expected what catalog backup wrote, format 1`, { cause })
  }
}

/** Writes the manifest so that it appears whole, after the files that it names. */
export async function writeManifest(folder: string, manifest: BackupManifest): Promise<void> {
  await replaceFile(join(folder, MANIFEST_FILE), `${JSON.stringify(manifest, null, 2)}\n`)
  await syncPath(dirname(folder))
}

type Progress = { signal: AbortSignal; onProgress: (bytes: number) => void }

/** Reads and syncs every file below the folder, in order of their paths. */
export async function sealFiles(folder: string, { signal, onProgress }: Progress): Promise<BackedUpFile[]> {
  const files: BackedUpFile[] = []
  let done = 0
  for (const path of await filesBelow(folder)) {
    const file = join(folder, path)
    signal.throwIfAborted()
    await syncPath(file)
    const digest = await fileDigest(file)
    files.push({ path, ...digest })
    done += digest.bytes
    onProgress(done)
  }
  return files
}

/** Compares the files below the folder with their list: what is wrong with the first that differs; undefined for none. */
export async function damageOf(
  folder: string,
  files: readonly BackedUpFile[],
  { signal, onProgress }: Progress,
): Promise<string | undefined> {
  const present = new Set(await filesBelow(folder))
  present.delete(MANIFEST_FILE)
  let done = 0
  for (const { path, bytes, sha256 } of files) {
    if (!present.delete(path)) return `${path} is missing`
    signal.throwIfAborted()
    const found = await fileDigest(join(folder, path))
    if (found.bytes !== bytes) return `${path} has ${found.bytes} bytes, expected ${bytes}`
    if (found.sha256 !== sha256) return `${path} has other bytes than were backed up`
    done += bytes
    onProgress(done)
  }
  const [strange] = present
  return strange === undefined ? undefined : `${strange} was not backed up`
}

/** Their paths, with `/` between folders. */
async function filesBelow(folder: string): Promise<string[]> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true })
  return found
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort()
}
