import { chmodSync, existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { createTables, MEMORY, openTables, removeTables, TABLES_VERSION, type Tables } from '@catalog/replica/tables.ts'
import type { CatalogVersion } from '@catalog/store/catalog/queries.ts'
import { isChecked, isFilledFor, markChecked, type Origin, readPosition, writeOrigin } from './position.ts'

/** The files of a folder: the one in use, and one that is being filled or checked. */
export type Files = Disposable &
  Readonly<{
    /** Opens the file of a version of this catalog; undefined where another process has not filled it yet. */
    open: (version: CatalogVersion, catalog: string) => OpenFile | undefined
    /** Reads from these tables from now on, at their position. Other processes may, too. */
    use: (version: CatalogVersion, tables: Tables) => void
    /** Closes tables that are not in use, and removes their file. */
    discard: (file: OpenFile) => void
    /** Undefined while damage is known. */
    tables: () => Tables | undefined
    position: () => CatalogVersion | undefined
    /** The file in use, for checks. */
    used: () => { readonly file: string; readonly tables: Tables } | undefined
    /** Notices that the file in use is torn, or was replaced: it is read no more, and removed for all processes. */
    inspect: () => void
    /** How many files in use were torn or replaced. */
    damages: () => number
    isWriter: () => boolean
  }>

/** `isLeft`: an earlier process filled it, and nobody has checked it since. */
export type OpenFile = Readonly<{ file: string; tables: Tables; isLeft: boolean }>

type Used = Readonly<{ name: string; tables: Tables; inode: number | undefined }> & {
  position: CatalogVersion | undefined
  isRemoved: boolean
}

/** `onDamage` gets what was wrong with a file that was in use, once. */
export function openFiles(folder: string, onDamage: (damage: unknown) => void): Files {
  let lock: Disposable | undefined
  let used: Used | undefined
  let damages = 0

  function use(version: CatalogVersion, tables: Tables): void {
    const name = fileOf(version)
    if (used?.tables !== tables) {
      used?.tables[Symbol.dispose]()
      used = { name, tables, inode: inodeOf(join(folder, name)), position: undefined, isRemoved: false }
    }
    used.position = positionOf(tables)
    if (lock === undefined) return
    if (!isChecked(tables)) markChecked(tables, true)
    removeOthers(folder, name)
  }

  function inspect(): void {
    if (used === undefined || used.isRemoved) return
    const file = join(folder, used.name)
    const inode = inodeOf(file)
    if (inode === undefined || inode !== used.inode) used.tables.tear(new Error(`${file} was removed or replaced`))
    if (!used.tables.isTorn()) return
    used.isRemoved = true
    damages++
    // Another process may have found the damage first, and replaced the file.
    if (inode !== used.inode) return
    removeTables(file)
    onDamage(used.tables.damage())
  }

  return {
    open(version, catalog) {
      const name = fileOf(version)
      const wasWriter = lock !== undefined
      lock ??= tryLock(join(folder, LOCK_FILE))
      inspect()
      if (used?.tables.isTorn()) {
        used.tables[Symbol.dispose]()
        used = undefined
      }
      const file = join(folder, name)
      // A process that takes over from another one has opened the file for reading alone.
      if (used?.name === name && wasWriter === (lock !== undefined)) {
        used.position = positionOf(used.tables)
        return { file, tables: used.tables, isLeft: false }
      }
      const origin = { ...version, catalog }
      if (lock === undefined) {
        if (!existsSync(file)) return undefined
        const tables = openTables(file)
        if (isFilledFor(tables, origin) && isChecked(tables)) {
          use(version, tables)
          return { file, tables, isLeft: false }
        }
        tables[Symbol.dispose]()
        return undefined
      }
      const opened = openToWrite(file, { origin, isUsed: used?.name === name })
      if (!opened.isLeft && readPosition(opened.tables) !== undefined) use(version, opened.tables)
      return opened
    },
    use,
    discard({ file, tables }) {
      tables[Symbol.dispose]()
      removeTables(file)
    },
    tables: () => (used?.tables.isTorn() ? undefined : used?.tables),
    position: () => (used?.tables.isTorn() ? undefined : used?.position),
    used: () => (used?.tables.isTorn() ? undefined : used && { file: join(folder, used.name), tables: used.tables }),
    inspect,
    damages: () => damages,
    isWriter: () => lock !== undefined,
    [Symbol.dispose]() {
      used?.tables[Symbol.dispose]()
      used = undefined
      lock?.[Symbol.dispose]()
    },
  }
}

/** Tables in memory, which no other process reads and nothing damages. */
export function memoryFiles(): Files {
  let used: (OpenFile & { position: CatalogVersion | undefined }) | undefined
  return {
    open(version) {
      const file = fileOf(version)
      return used?.file === file ? used : { file, tables: createTables(MEMORY), isLeft: false }
    },
    use(version, tables) {
      if (used?.tables !== tables) used?.tables[Symbol.dispose]()
      used = { file: fileOf(version), tables, isLeft: false, position: readPosition(tables) }
    },
    discard: ({ tables }) => tables[Symbol.dispose](),
    tables: () => used?.tables,
    position: () => used?.position,
    used: () => used,
    inspect() {},
    damages: () => 0,
    isWriter: () => true,
    [Symbol.dispose]: () => used?.tables[Symbol.dispose](),
  }
}

/** The file that an earlier process filled for this origin, or an empty one. */
function openToWrite(file: string, { origin, isUsed }: { origin: Origin; isUsed: boolean }): OpenFile {
  const left = createTables(file)
  if (isFilledFor(left, origin)) {
    const isLeft = !isUsed || !isChecked(left)
    if (isLeft) markChecked(left, false)
    return { file, tables: left, isLeft }
  }
  left[Symbol.dispose]()
  removeTables(file)
  const tables = createTables(file)
  writeOrigin(tables, origin)
  return { file, tables, isLeft: false }
}

/** The position of a file in use, which is torn where its position is. */
function positionOf(tables: Tables): CatalogVersion | undefined {
  try {
    return readPosition(tables)
  } catch (error) {
    tables.tear(error)
    return undefined
  }
}

const LOCK_FILE = 'writer.lock'
export const fileOf = ({ gen, build }: CatalogVersion): string => `catalog-${TABLES_VERSION}-${gen}-${build}.sqlite`

const inodeOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.ino

/** Takes the lock of the folder, which ends with this process; undefined while another process has it. */
function tryLock(file: string): Disposable | undefined {
  const db = new DatabaseSync(file, { timeout: 0 })
  try {
    chmodSync(file, 0o600)
    db.exec('begin exclusive')
    return db
  } catch (error) {
    db.close()
    if (/locked|busy/.test((error as Error).message)) return undefined
    throw error
  }
}

/** Removes the files of other generations, builds and versions of the tables. */
function removeOthers(folder: string, name: string): void {
  for (const file of readdirSync(folder)) {
    if (file.startsWith('catalog-') && !file.startsWith(name)) rmSync(join(folder, file), { force: true })
  }
}
