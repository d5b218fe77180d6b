import { chmodSync, mkdirSync, mkdtempDisposableSync, statSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { makePrivate, makePrivateIn } from './private-folder.ts'

const modeOf = (folder: string) => (statSync(folder).mode & 0o777).toString(8)

describe.each([
  ['a data folder', makePrivate],
  ['a folder among those of everybody', makePrivateIn],
] as const)('%s', (_what, make) => {
  test('is its user alone, whoever made it', () => {
    using base = mkdtempDisposableSync(join(tmpdir(), 'private-'))
    const [made, found] = [join(base.path, 'made'), join(base.path, 'found')]
    mkdirSync(found)
    chmodSync(found, 0o777)
    for (const folder of [made, found]) make(folder)
    expect([modeOf(made), modeOf(found)]).toEqual(['700', '700'])
  })

  test('of another user is refused, and stays as it is', () => {
    using base = mkdtempDisposableSync(join(tmpdir(), 'private-'))
    chmodSync(base.path, 0o755)
    const { uid } = statSync(base.path)
    expect(() => make(base.path, uid + 1)).toThrow(`belongs to user ${uid}, and this process is user ${uid + 1}`)
    expect(modeOf(base.path)).toBe('755')
  })
})

test('a link among the folders of everybody is refused', () => {
  using base = mkdtempDisposableSync(join(tmpdir(), 'private-'))
  const link = join(base.path, 'link')
  symlinkSync(base.path, link)
  expect(() => makePrivateIn(link)).toThrow('is a link or a file')
})
