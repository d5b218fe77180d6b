import { expect, test } from 'vitest'
import { programOf } from './program.ts'
import { explainedCommands } from './testing.ts'

test('every command explains itself with --help', async () => {
  const { explained, helpless } = await explainedCommands('catalog', async (words) => {
    const program = await programOf(words)
    // `eval` hands its words to another program, in a process of its own (research/evaluate.ts).
    const others = program.commands.filter((command) => command.name() !== 'eval')
    return Object.assign(program, { commands: others })
  })
  expect(helpless).toEqual([])
  expect(explained).toEqual(expect.arrayContaining(['catalog', 'catalog up', 'catalog workspace audit']))
})
