import { closedAfterAll } from '@catalog/stack/testing/fixtures.ts'
import { openPath, type Path } from './path.ts'

/** Opens a path for the tests of one file. */
export const pathOfFile = async (options?: Parameters<typeof openPath>[0]): Promise<Path> =>
  closedAfterAll(await openPath(options))
