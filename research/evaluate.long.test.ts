import { explainedCommands } from '@catalog/stack/testing/cli.ts'
import { expect, test } from 'vitest'
import { program } from './evaluate.ts'

test('every command explains itself with --help', async () => {
  const { explained, helpless } = await explainedCommands('npm run evaluate --', async () => program)
  expect(helpless).toEqual([])
  expect(explained).toEqual(expect.arrayContaining(['npm run evaluate --', 'npm run evaluate -- search']))
})
