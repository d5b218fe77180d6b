import { type RawRecord, RECORD_CHARS_MAX } from '@catalog/formats/bytes/record.ts'
import { all, textInPieces } from '@catalog/stack/testing/archives.ts'
import { expect, test } from 'vitest'
import { readJsonl } from './jsonl.ts'

const read = (text: string, length = 7) => all(readJsonl(textInPieces(text, length), { name: 'f.jsonl' }))

test('each line is one object, flattened to columns', async () => {
  const [first, second] = (await read('{"a":{"b":1.50,"c":["x",null]},"ok":true}\n\n{"a":"y"}\n')) as RawRecord[]
  expect(first?.fields).toEqual({ 'a.b': '1.50', 'a.c.0': 'x', 'a.c.1': '', ok: 'true' })
  expect([...(first?.numbers ?? [])]).toEqual(['a.b'])
  expect(second?.position).toBe('f.jsonl line 3')
})

test('numbers keep the digits of the file', async () => {
  const [record] = (await read('{"p":12345678901234567890.123456789,"q":1e-7}')) as RawRecord[]
  expect(record?.fields).toEqual({ p: '12345678901234567890.123456789', q: '1e-7' })
})

test.each(['{"a":', '[1]', '12', 'null', '"text"', '{"a":1}x'])(
  'the line %s is broken and the next one is not',
  async (line) => {
    const records = await read(`${line}\n{"a":"1"}`)
    expect(records[0]).toMatchObject({ position: 'f.jsonl line 1', raw: line, reason: 'BAD_JSON' })
    expect(records[1]).toMatchObject({ fields: { a: '1' } })
  },
)

test('deep, wide and long lines are bounded', async () => {
  const deep = `{"a":${'['.repeat(50_000)}${']'.repeat(50_000)}}`
  const wide = JSON.stringify(Object.fromEntries(Array.from({ length: 1_001 }, (_, i) => [`k${i}`, i])))
  const long = `{"a":"${'x'.repeat(RECORD_CHARS_MAX)}"}`
  const nested = '{"a":{"b":{"c":{"d":{"e":{"f":{"g":1.0}}}}}}}'
  const records = await read([deep, wide, long, nested].join('\n'), 65_536)
  expect(records.map((record) => ('reason' in record ? record.reason : 'ok'))).toEqual([
    'BAD_JSON',
    'TOO_MANY_COLUMNS',
    'RECORD_TOO_LONG',
    'ok',
  ])
  expect((records[3] as RawRecord).fields).toEqual({ 'a.b.c.d.e.f': '{"g":"1.0"}' })
})
