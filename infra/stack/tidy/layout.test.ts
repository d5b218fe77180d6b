import { describe, expect, test } from 'vitest'
import {
  circles,
  climbingImports,
  crowdedFolders,
  FOLDER_FILES_MAX,
  fileImports,
  folderImports,
  tableDifferences,
} from './layout.ts'
import { CHECKED, IMPORTS, SOURCES, type Source } from './tree.ts'

const planted = (path: string, ...specifiers: readonly string[]): Source => ({
  path,
  text: specifiers.map((specifier) => `import '${specifier}'\n`).join(''),
})

describe('folders', () => {
  test(`hold at most ${FOLDER_FILES_MAX} production files`, () => {
    expect(crowdedFolders(SOURCES)).toEqual([])
  })
  test('with one file more are named', () => {
    const files = Array.from({ length: FOLDER_FILES_MAX + 1 }, (_, i) => planted(`libs/core/money/m${i}.ts`))
    expect(crowdedFolders(files)).toEqual(['libs/core/money: 16 files, expected at most 15'])
    expect(crowdedFolders([...files.slice(1), planted('libs/core/money/m.test.ts')])).toEqual([])
  })

  test('import each other as imports.json says', () => {
    expect(tableDifferences(new Map(Object.entries(IMPORTS.folders)), folderImports(SOURCES))).toEqual([])
  })
  test('that import what the table does not say are named', () => {
    const graph = folderImports([planted('libs/core/units/units.ts', '@catalog/core/money/money.ts')])
    expect(tableDifferences(new Map([['core/units', []]]), graph)).toEqual([
      "core/units: the table says '', the sources import 'core/money'",
    ])
  })

  test('of one package import one way', () => {
    expect(circles(folderImports(SOURCES))).toEqual([])
  })
  test('that import each other are named', () => {
    const sources = [
      planted('libs/core/units/units.ts', '@catalog/core/money/money.ts'),
      planted('libs/core/money/money.ts', '@catalog/core/units/sizes.ts'),
    ]
    expect(circles(folderImports(sources))).toEqual(['core/money → core/units → core/money'])
  })
})

describe('files', () => {
  test('import each other without a circle', () => {
    expect(circles(fileImports(SOURCES))).toEqual([])
  })
  test('that import each other in a circle are named', () => {
    const sources = [planted('libs/core/a.ts', './b.ts'), planted('libs/core/b.ts', './a.ts')]
    expect(circles(fileImports(sources))).toEqual(['libs/core/a.ts → libs/core/b.ts → libs/core/a.ts'])
  })

  test('name a file of another folder by its package path', () => {
    expect(climbingImports(CHECKED)).toEqual([])
  })
  test('that climb out of their folder are named', () => {
    expect(climbingImports([planted('libs/core/units/units.ts', '../money/money.ts', './sizes.ts')])).toEqual([
      "libs/core/units/units.ts: '../money/money.ts'",
    ])
  })
})
