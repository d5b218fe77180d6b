import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { serveFold } from '@catalog/projector/replay/fold-thread.ts'
import type { Environment } from '@catalog/runtime/env.ts'
import { openStore } from '@catalog/store/db.ts'
import { openChosenLog } from './wire.ts'

/** A thread of `catalog replay`, with its own connections to the log and to the tables of the build. */
const { env, url, readModels } = workerData as { env: Environment; url: string; readModels: string }
const store = await openStore({ kind: 'postgres', connection: { url }, readModels })
serveFold(parentPort as MessagePort, { store, log: await openChosenLog(env, store) })
