import type { Terminal } from '@catalog/cli/shared/terminal.ts'
import type { Catalog } from '@catalog/operations/catalog.ts'
import { listening, printDone } from '@catalog/stack/testing/cli.ts'
import type { Path } from './path.ts'

/** The part of a catalog that operators' commands use, by the clock of the path unless another is given. */
export const catalogOf = (path: Path, now = () => new Date(path.nowMs)): Catalog => {
  const { store, log, project } = path
  const part: Partial<Catalog> = { store, log, mode: 'embedded', catchUp: project, now }
  return part as Catalog
}

/** Runs a command or an operation on a catalog; returns what its terminal heard. */
export async function heardBy(
  catalog: Catalog,
  command: (catalog: Catalog, terminal: Terminal) => Promise<unknown>,
): Promise<ReturnType<typeof listening>['heard']> {
  const { heard, terminal } = listening()
  printDone(terminal, await command(catalog, terminal))
  return heard
}
