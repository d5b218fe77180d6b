import { Command } from 'commander'
import { afterEach, expect, test, vi } from 'vitest'
import { reporting } from './context.ts'

afterEach(() => {
  vi.restoreAllMocks()
  process.exitCode = undefined
})

test('an error stands under the command as it was typed', async () => {
  const written: string[] = []
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => written.push(String(text)) > 0)
  const program = new Command('catalog')
  const command = program.command('sources').command('accept')
  await reporting(command, async () => {
    throw new Error('no held crawl')
  })
  expect(written).toEqual(['catalog sources accept: no held crawl\n'])
  expect(process.exitCode).toBe(1)
})
