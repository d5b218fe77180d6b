import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, readdir, readFile, rename, stat } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { z } from 'zod'

/**
 * `manifest.json` of a backup: what it holds, and the bytes of every file. It is written last, so a folder without one is no
 * backup.
 */
export type BackupManifest = z.infer<typeof MANIFEST>
export type BackedUpFile = BackupManifest['files'][number]

const MANIFEST_FILE = 'manifest.json'

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
  const path = join(folder, MANIFEST_FILE)
  const file = await open(`${path}.part`, 'w', 0o600)
  try {
    await file.writeFile(`${JSON.stringify(manifest, null, 2)}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(`${path}.part`, path)
  await sync(folder)
  await sync(dirname(folder))
}

type Progress = { signal: AbortSignal; onProgress: (bytes: number) => void }

/** Reads and syncs every file below the folder, in order of their paths. */
export async function sealFiles(folder: string, { signal, onProgress }: Progress): Promise<BackedUpFile[]> {
  const files: BackedUpFile[] = []
  let done = 0
  for (const path of await filesBelow(folder)) {
    const file = join(folder, path)
    await sync(file)
    const { size: bytes } = await stat(file)
    files.push({ path: path.split(sep).join('/'), bytes, sha256: await sha256Of(file, signal) })
    done += bytes
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
  const present = new Set((await filesBelow(folder)).map((path) => path.split(sep).join('/')))
  present.delete(MANIFEST_FILE)
  let done = 0
  for (const { path, bytes, sha256 } of files) {
    if (!present.delete(path)) return `${path} is missing`
    const file = join(folder, path)
    const { size } = await stat(file)
    if (size !== bytes) return `${path} has ${size} bytes, expected ${bytes}`
    if ((await sha256Of(file, signal)) !== sha256) return `${path} has other bytes than were backed up`
    done += bytes
    onProgress(done)
  }
  const [strange] = present
  return strange === undefined ? undefined : `${strange} was not backed up`
}

async function filesBelow(folder: string): Promise<string[]> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true })
  return found
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort()
}

async function sha256Of(path: string, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash, { signal })
  return hash.digest('hex')
}

/** A file or a folder: its bytes or names survive a power failure from here on. */
async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
