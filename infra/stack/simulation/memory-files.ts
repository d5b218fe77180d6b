import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { MemoryFS, PGlite } from '@electric-sql/pglite'

type InitOptions = Parameters<MemoryFS['init']>

/** The files of PGlite in memory, which begin as a copy of a data folder: no call of the operating system for a statement. */
export class MemoryFiles extends MemoryFS {
  readonly #folder: string
  constructor(folder: string) {
    super()
    this.#folder = folder
  }

  override async init(...[pg, options]: InitOptions): ReturnType<MemoryFS['init']> {
    const { emscriptenOpts } = await super.init(pg, options)
    const copy: (typeof emscriptenOpts.preRun & object)[number] = ({ FS }) => {
      // PostgreSQL refuses a folder that others may read.
      FS.mkdirTree(PGlite.paths.PGDATA, 0o700)
      for (const entry of readdirSync(this.#folder, { recursive: true, withFileTypes: true })) {
        const from = join(entry.parentPath, entry.name)
        const to = `${PGlite.paths.PGDATA}/${relative(this.#folder, from)}`
        if (entry.isDirectory()) FS.mkdirTree(to, 0o700)
        else FS.writeFile(to, readFileSync(from))
      }
    }
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [...(emscriptenOpts.preRun ?? []), copy] } }
  }
}
