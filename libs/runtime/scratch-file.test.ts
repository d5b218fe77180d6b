import { mkdtempDisposable, open, readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { BatchSpool } from './batch-spool.ts'
import { ScratchFile } from './scratch-file.ts'

const folderFor = () => mkdtempDisposable(join(tmpdir(), 'scratch-test-'))

test('given bytes in a scratch file, when they are read, then the folder has no file of that name or another', async () => {
  await using folder = await folderFor()
  await using file = new ScratchFile(join(folder.path, 'new'))
  expect(await file.append(Buffer.from('abc'))).toBe(0)
  expect(await file.append(Buffer.from('defg'))).toBe(3)
  const found = Buffer.alloc(5)
  await file.read(found, 1)
  expect(found.toString()).toBe('bcdef')
  expect(await readdir(join(folder.path, 'new'))).toEqual([])
  await expect(file.read(found, 4)).rejects.toThrow('a temporary file ends at byte 7')
})

test('given a full disk, when bytes are appended, then the error names the folder and the cause', async () => {
  await using folder = await folderFor()
  await using file = new ScratchFile(folder.path)
  await using any = await open(join(folder.path, 'any'), 'w')
  const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
  using _ = vi.spyOn(Object.getPrototypeOf(any), 'write').mockRejectedValue(full)
  await expect(file.append(Buffer.from('abc'))).rejects.toMatchObject({
    message: `${folder.path}: cannot keep temporary files (ENOSPC: no space left on device, write)`,
    cause: { code: 'ENOSPC' },
  })
})

test('given batches beyond its memory, when a spool is read twice, then it gives each of them in order', async () => {
  await using folder = await folderFor()
  const batches = Array.from({ length: 100 }, (_, i) => ({ i, text: `line\u2028 \n ${'é\ud800'.repeat(i)}` }))
  for (const heldCharsMax of [undefined, 500]) {
    await using spool = new BatchSpool<(typeof batches)[number]>({ folder: folder.path, heldCharsMax })
    for (const batch of batches) await spool.add(batch)
    for (let reading = 0; reading < 2; reading++) {
      const found: typeof batches = []
      for await (const batch of spool.read()) found.push(batch)
      expect(found).toEqual(batches)
    }
  }
})
