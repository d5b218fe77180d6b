import { zipOf } from '@catalog/stack/testing/archives.ts'
import { describe, expect, test } from 'vitest'
import { isGlob, matchesName } from './name-globs.ts'
import { bytesSource } from './record.ts'
import { archiveSources } from './zip.ts'

describe('a glob for names', () => {
  test.each([
    ['*Refer*.xlsx', 'SINAPI_Referência_2026_09.xlsx', true],
    ['*refer*.XLSX', 'a/b/SINAPI_Referencia.xlsx', true],
    ['a/*.csv', 'a/x.csv', true],
    ['a/*.csv', 'a/b/x.csv', false],
    ['*.csv', 'b/x.csv', true],
    ['C?D', 'CSD', true],
    ['C?D', 'CD', false],
    ['prices', 'prices.csv', false],
    ['Prec\u0327os*', 'Preços 2026.csv', true],
    ['a.c', 'abc', false],
    ['*a*b*c*', 'xxaxxbxxcxx', true],
    ['*a*b*c*', 'xxaxxcxxbxx', false],
  ])('%s and %s: %s', (glob, name, expected) => {
    expect(matchesName(glob, name)).toBe(expected)
  })

  test('takes no long time for any name', () => {
    const begun = performance.now()
    expect(matchesName(`${'*a'.repeat(50)}b`, 'a'.repeat(60_000))).toBe(false)
    expect(performance.now() - begun).toBeLessThan(2_000)
  })

  test('is told by its signs', () => {
    expect(['IS*', 'I?D', 'ISD'].map(isGlob)).toEqual([true, true, false])
  })
})

describe('the files of an archive', () => {
  const archive = bytesSource('f.zip', zipOf({ 'a/x.csv': '1', 'y.csv': '2', 'read.me': '3', 'inner.zip': '4' }))
  const read = async (members: readonly string[] | null) => {
    const found: string[] = []
    const passedOver: string[] = []
    for await (const one of archiveSources(archive, { members, onPassedOver: (path) => passedOver.push(path) })) {
      found.push('open' in one ? one.name : `${one.reason}: ${one.detail}`)
    }
    return { found, passedOver }
  }

  test('are those that globs name', async () => {
    expect(await read(['x*', 'read.me'])).toEqual({
      found: ['f.zip/a/x.csv', 'f.zip/read.me'],
      passedOver: ['y.csv', 'inner.zip'],
    })
    expect((await read(null)).found).toHaveLength(4)
  })

  test('include one for each glob', async () => {
    const { found } = await read(['y.csv', '*.xlsx'])
    expect(found).toEqual([
      "NO_MEMBER: no file of the archive matches '*.xlsx'. It has: a/x.csv, y.csv, read.me, inner.zip",
      'f.zip/y.csv',
    ])
  })
})
