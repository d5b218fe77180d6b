import { execFileSync } from 'node:child_process'
import { closeSync, globSync, openSync, readSync, rmSync, statfsSync, statSync, writeSync } from 'node:fs'
import { basename, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { whileAway } from '@catalog/stack/faults/system/readers.ts'
import type { Supervised } from '@catalog/stack/faults/system/supervisor.ts'
import { untilHolds } from '@catalog/stack/servers/machine.ts'
import { type InjectionContext, type Injects, oneOf, PATIENCE } from './injection.ts'
import { untilWritable } from './servers.ts'

/** Faults of disks: full, or with other bytes than were written. */

const FULL_MS = 10_000
const FLIPS = 3
/** The first pages hold the schema; a flip there is seen by SQLite itself. */
const HEADER_BYTES = 8_192

export const STORAGE_FAULTS: Injects = {
  async 'database-disk-full'(system, { injected }) {
    const note = await fill(system.servers.disks?.database as string, injected)
    await untilWritable(system)
    return note
  },
  'mirror-disk-full': ({ servers }, { injected }) => fill(servers.disks?.mirror as string, injected),
  async 'mirror-bytes'({ mirror, mirrorFolder }, context) {
    const flipped = await flipUnder(mirror, () => join(mirrorFolder, 'items.sqlite'), context)
    const restarts = mirror.restarts()
    await delay(8_000)
    if (mirror.restarts() === restarts) return `${flipped}; the mirror went on`
    // An operator deletes a refused copy and starts the mirror again.
    const release = mirror.hold()
    mirror.kill()
    rmSync(mirrorFolder, { recursive: true, force: true })
    release()
    return `${flipped}; the mirror refused its copy, which was removed: ${lastLine(mirror)}`
  },
  'replica-bytes'(system, context) {
    const file = () =>
      globSync(join(system.options.data, 'replica', '*.sqlite'))
        .toSorted()
        .at(-1)
    return whileAway(system, () => flipUnder(system.serve, file, context))
  },
}

/** Takes all free bytes of a file system, for a while. */
async function fill(folder: string, injected: () => void): Promise<string> {
  const ballast = join(folder, 'ballast')
  const { bavail, bsize } = statfsSync(folder)
  injected()
  // The last pages may be taken by others meanwhile.
  for (let bytes = bavail * bsize; bytes >= bsize; bytes = Math.floor(bytes / 2)) {
    try {
      execFileSync('fallocate', ['--length', String(bytes), `${ballast}-${bytes}`], { stdio: 'pipe' })
    } catch {
      // Less is free than that.
    }
  }
  await delay(FULL_MS)
  for (const file of globSync(`${ballast}-*`)) rmSync(file)
  return `${Math.round((bavail * bsize) / 1e6)} MB taken`
}

/** Kills the process, flips bytes of its file, and lets it start again. */
async function flipUnder(
  owner: Supervised,
  fileOf: () => string | undefined,
  { random, injected }: InjectionContext,
): Promise<string> {
  const before = owner.restarts()
  const release = owner.hold()
  injected()
  owner.kill()
  await untilHolds('it has ended', () => owner.hasEnded(), PATIENCE)
  const file = fileOf()
  const files = file === undefined ? [] : [file, `${file}-wal`]
  const written = files.filter((name) => (statSync(name, { throwIfNoEntry: false })?.size ?? 0) > 0)
  const flipped = written.length === 0 ? 'no file was there' : flip(oneOf(written, random), random)
  release()
  await untilHolds('the supervisor has started it again', () => owner.restarts() > before, PATIENCE)
  return flipped
}

function flip(file: string, random: () => number): string {
  // SQLite may copy pages from its write-ahead log over the flipped bytes. It reads the log up to a frame with a wrong checksum.
  const { size } = statSync(file)
  const first = file.endsWith('-wal') ? 0 : HEADER_BYTES
  if (size <= first) return 'the file was empty'
  const open = openSync(file, 'r+')
  const places = Array.from({ length: FLIPS }, () => first + Math.floor(random() * (size - first)))
  for (const place of places) {
    const byte = Buffer.alloc(1)
    readSync(open, byte, 0, 1, place)
    byte[0] = (byte[0] as number) ^ oneOf([1, 2, 4, 8, 16, 32, 64, 128], random)
    writeSync(open, byte, 0, 1, place)
  }
  closeSync(open)
  return `bytes ${places.join(', ')} of ${size} of ${basename(file)}`
}

const lastLine = (process: Supervised) => process.output().trim().split('\n').at(-1)?.slice(0, 200) ?? ''
