import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'

const MODULE = new URL('./process.ts', import.meta.url).href

/** The exit code and the time of a process that ends its work with this line. */
async function endOf(line: string): Promise<{ code: number | null; ms: number }> {
  const program = `const { leaveSoon } = await import(${JSON.stringify(MODULE)}); ${line}`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: 'ignore',
    timeout: 60_000,
  })
  const begun = performance.now()
  const [code] = await once(child, 'exit')
  return { code, ms: performance.now() - begun }
}

const OPEN_SOCKET = "(await import('node:net')).createServer().listen(0); process.exitCode = 3;"

test('a process that a socket keeps leaves with its exit code', async () => {
  expect(await endOf(`${OPEN_SOCKET} leaveSoon(10)`)).toMatchObject({ code: 3 })
})

test('a process that nothing keeps does not wait', async () => {
  const { code, ms } = await endOf('leaveSoon(50_000)')
  expect(code).toBe(0)
  expect(ms).toBeLessThan(50_000)
})
