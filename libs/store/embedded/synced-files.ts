import { closeSync, fsyncSync, openSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { NodeFS } from '@electric-sql/pglite/nodefs'

type InitOptions = Parameters<NodeFS['init']>
/** The part of Emscripten's layer over Node's files that this module extends. A folder has no descriptor. */
type NodeFiles = {
  stream_ops: { fsync?: (stream: { nfd?: number; node: object }) => void }
  realPath: (node: object) => string
}

/**
 * The files of PGlite, with a working fsync: Emscripten's layer has none, so every sync of PostgreSQL succeeded without
 * one, and a power failure took acknowledged transactions.
 */
export class SyncedFiles extends NodeFS {
  override async init(...[pg, options]: InitOptions): ReturnType<NodeFS['init']> {
    const { emscriptenOpts } = await super.init(pg, options)
    const addSync: (typeof emscriptenOpts.preRun & object)[number] = ({ FS }) => {
      const files = (FS.filesystems as unknown as { NODEFS: NodeFiles }).NODEFS
      files.stream_ops.fsync = ({ nfd, node }) => {
        if (nfd === undefined) syncPath(files.realPath(node))
        else fsyncSync(nfd)
      }
    }
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [...(emscriptenOpts.preRun ?? []), addSync] } }
  }
}

/** fdatasync of Emscripten does nothing, so PostgreSQL has to ask for fsync. */
export const SYNC_SETTINGS = ['-c', 'fsync=on', '-c', 'wal_sync_method=fsync']

/** Syncs all files and folders below a new folder, and itself. */
export function syncTree(folder: string): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile() || entry.isDirectory()) syncPath(join(entry.parentPath, entry.name))
  }
  syncPath(folder)
}

/** Syncs a file, or the names in a folder. */
export function syncPath(path: string): void {
  const file = openSync(path, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}
