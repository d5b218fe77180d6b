import { describe, expect, test, vi } from 'vitest'
import { runTool } from './tools.ts'

describe('a tool that reads answers', () => {
  const run = { cwd: import.meta.dirname, timeoutMs: 20_000 }
  /** Asks twice and echoes the answers. */
  const asking = `
    const lines = require('node:readline').createInterface({ input: process.stdin })[Symbol.asyncIterator]()
    ;(async () => {
      for (const question of ['one', 'two']) {
        console.log(question)
        console.log('got ' + (await lines.next()).value)
      }
      process.exit(3)
    })()`
  const ask = (hear: (line: string) => Promise<string | undefined>) =>
    runTool(process.execPath, ['--eval', asking], { ...run, hear })

  test('receives the answer to each line', async () => {
    const lines: string[] = []
    const { code, stdout } = await ask(async (line) => {
      lines.push(line)
      return line.startsWith('got') ? undefined : line.toUpperCase()
    })
    expect([code, stdout, lines]).toEqual([3, 'one\ngot ONE\ntwo\ngot TWO\n', ['one', 'got ONE', 'two', 'got TWO']])
  })

  test('ends when no answer can be given', async () => {
    const tool = `console.log(process.pid); process.stdin.resume()`
    let pid = 0
    const hear = async (line: string) => {
      pid = Number(line)
      throw new Error('nobody is there')
    }
    await expect(runTool(process.execPath, ['--eval', tool], { ...run, hear })).rejects.toThrow('nobody is there')
    await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow('ESRCH'))
  })
})
