import { describe, expect, test } from 'vitest'
import { CHECKED, isTest, linesWith, SOURCES } from './tree.ts'

describe('sources', () => {
  test('use import type for types: the linter does not see a type query by import(...)', () => {
    expect(linesWith(/(?<!await )\bimport\(/)).toEqual([])
  })

  test('hold SQL in the store, the replica, the log table, the exact index and infra alone', () => {
    const sql = /['"`]\s*(select|insert into|update|delete from|with)\s[^'"`;]*?\b(from|values|set|select)\b/g
    const mayHold =
      /^(libs\/store\/|libs\/replica\/|libs\/log\/table\.ts$|libs\/search\/exact\/|services\/mirror\/copy(-\w+)?\.ts$|services\/projector\/verify\/|infra\/)/
    const found = CHECKED.filter(({ path }) => !mayHold.test(path) && !isTest(path)).flatMap(({ path, text }) =>
      [...text.matchAll(sql)].map((hit) => `${path}: ${hit[0].slice(0, 80)}`),
    )
    expect(found).toEqual([])
    const inStore = SOURCES.filter(({ path, text }) => path.startsWith('libs/store/') && text.match(sql))
    expect(inStore.length).toBeGreaterThan(5)
  })

  test('hold no words of unfinished work', () => {
    // XXX is also the currency code of "no currency".
    expect(linesWith(/\b(TODO|FIXME|HACK)\b|(\/\/|\*).*\bXXX\b/)).toEqual([])
  })

  test('spread no literal of several properties: the formatter lays literals out', () => {
    expect(linesWith(/\.\.\.\{ ?\w+(:[^,}]*)?,/)).toEqual([])
  })

  test('spell lengths of time and instants by libs/core/time.ts', () => {
    const elsewhere = CHECKED.filter(({ path }) => path !== 'libs/core/time.ts')
    expect(linesWith(/(const (DAY|HOUR|MINUTE)_MS =|\b86_400_000\b|replace\('\.000Z', 'Z'\))/, elsewhere)).toEqual([])
  })

  test('point to documents of the repository alone', () => {
    expect(linesWith(/\b(SPEC|DESIGN)(\.md)? ?§|shared\/notes/)).toEqual([])
  })
})

describe('tests', () => {
  const tests = CHECKED.filter(({ path }) => path.endsWith('.test.ts'))

  test('are all run: none is skipped, singled out or left for later', () => {
    expect(linesWith(/\b(test|it|describe|suite|bench)(\.\w+)*\.(only|skip|todo|fails)\b/, tests)).toEqual([])
    // Suites skip with one line where real inputs or a real server are absent.
    const others = tests.filter(
      ({ text }) => !/REAL_INPUTS_DIR|realInputs|[a-z]Available\(|unavailable\(|BOTH_STORES/.test(text),
    )
    expect(linesWith(/\.(skipIf|runIf|skip)\(/, others)).toEqual([])
  })

  test('wait for an event and never sleep', () => {
    // One of its tests injects a database that answers late.
    const mayWait = ['libs/log/kafka/faults.int.test.ts']
    // A clock that the test moves is no sleep.
    const sleeping = linesWith(
      /^(?!.*(useFakeTimers|{ setImmediate })).*(\bsetTimeout\b|node:timers\/promises|\bAtomics\.wait\b)/,
      tests,
    )
    expect(sleeping.filter((line) => !mayWait.some((path) => line.startsWith(`${path}:`)))).toEqual([])
  })

  test('have titles of their own within their group', () => {
    // A title that stands twice in a group leaves open which test failed; groups of one file may share a title.
    const name = /^( *)(test|it|describe)(?:\.each\([\s\S]*?\))?\(\s*(['"`])(.*?)\3/gm
    const twice = tests.flatMap(({ path, text }) => {
      let group = ''
      const seen = new Set<string>()
      return [...text.matchAll(name)].flatMap(([, indent, kind, , title]) => {
        if (kind === 'describe') group = `${indent}${title}`
        const full = `${kind === 'describe' || indent === '' ? '' : group} > ${title}`
        const isTwice = seen.has(full)
        seen.add(full)
        return isTwice ? `${path}: ${title}` : []
      })
    })
    expect(twice).toEqual([])
  })
})
