import { execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempDisposableSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const HEAP = JSON.stringify(import.meta.resolve('./heap.ts'))

test('a forked process reports its own peak of memory, not that of its parent', { timeout: 30_000 }, async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'heap-'))
  const file = join(folder.path, 'child.mjs')
  writeFileSync(file, `const { peakResidentBytes } = await import(${HEAP}); process.send(peakResidentBytes())`)
  const held = Buffer.alloc(300 * 2 ** 20, 1)
  const child = fork(file)
  const exited = once(child, 'exit')
  const [bytes] = (await once(child, 'message')) as [number]
  await exited
  expect(bytes).toBeGreaterThan(2 ** 20)
  expect(bytes).toBeLessThan(held.byteLength)
})

test('released garbage is no longer resident', { timeout: 30_000 }, () => {
  const script = `
    const { releaseGarbage } = await import(${HEAP})
    let kept = Array.from({ length: 2_000_000 }, (_, i) => ({ i }))
    const before = process.memoryUsage().heapTotal
    kept = null
    releaseGarbage()
    console.log((before - process.memoryUsage().heapTotal) / 2 ** 20)`
  const freed = execFileSync(process.execPath, ['--input-type=module', '--eval', script], { encoding: 'utf8' })
  expect(Number(freed)).toBeGreaterThan(30)
})
