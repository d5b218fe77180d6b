import { PGlite } from '@electric-sql/pglite'
import { syncTree } from './synced-files.ts'

/** Creates PGlite's files, durably, in the folder that the parent process names. */
const [dataDir] = process.argv.slice(2)
if (dataDir === undefined) throw new Error('expected a folder')
const database = new PGlite(dataDir)
await database.waitReady
await database.close()
syncTree(dataDir)
process.exit()
