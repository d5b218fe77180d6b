import { rmSync } from 'node:fs'
import { openTerminal } from '@catalog/cli/shared/terminal.ts'
import { openCatalog } from '@catalog/cli/shared/wire.ts'
import { LogHole } from '@catalog/log/log.ts'
import { readEnvironment } from '@catalog/runtime/env.ts'
import { testDataDir } from '@catalog/stack/testing/store.ts'
import { expect, onTestFinished, test } from 'vitest'
import { project } from './project.ts'

test('a halt of the projection stops the index feed and ends the process', async () => {
  const folder = await testDataDir()
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const env = readEnvironment({ CATALOG_DATA: folder, LOG_LEVEL: 'silent' })
  await using catalog = await openCatalog(env)
  const reads: string[] = []
  const torn = {
    ...catalog,
    log: { ...catalog.log, subscribe: () => Promise.reject(new LogHole('expected offset 5, found 7')) },
    store: {
      ...catalog.store,
      query: async (...given: Parameters<typeof catalog.store.query>) => {
        reads.push(given[0])
        return catalog.store.query(...given)
      },
    } as typeof catalog.store,
  }
  const stage = { catalog: torn, env, terminal: openTerminal({ json: true }), signal: new AbortController().signal }
  await expect(project(stage)).rejects.toMatchObject({ code: 'LOG_GAP' })
  const ended = reads.length
  // Several polls of the changes.
  await catalog.store.query(`select pg_sleep(0.5)`)
  expect(reads.length).toBe(ended)
})
