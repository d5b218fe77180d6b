import { describe, expect, test, vi } from 'vitest'
import { ended } from './tools.ts'

describe('a tool that asks', () => {
  const run = { cwd: import.meta.dirname, timeoutMs: 20_000 }
  /** Asks twice, and says what it was told. */
  const asking = `
    const lines = require('node:readline').createInterface({ input: process.stdin })[Symbol.asyncIterator]()
    ;(async () => {
      for (const question of ['one', 'two']) {
        console.log(question)
        console.log('told ' + (await lines.next()).value)
      }
      process.exit(3)
    })()`
  const ask = (hear: (line: string) => Promise<string | undefined>) =>
    ended(process.execPath, ['--eval', asking], { ...run, hear })

  test('is told what follows from each line', async () => {
    const heard: string[] = []
    const { code, stdout } = await ask(async (line) => {
      heard.push(line)
      return line.startsWith('told') ? undefined : line.toUpperCase()
    })
    expect([code, stdout, heard]).toEqual([3, 'one\ntold ONE\ntwo\ntold TWO\n', ['one', 'told ONE', 'two', 'told TWO']])
  })

  test('is ended when that cannot be told', async () => {
    const tool = `console.log(process.pid); process.stdin.resume()`
    let pid = 0
    const hear = async (line: string) => {
      pid = Number(line)
      throw new Error('nobody is there')
    }
    await expect(ended(process.execPath, ['--eval', tool], { ...run, hear })).rejects.toThrow('nobody is there')
    await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow('ESRCH'))
  })
})
