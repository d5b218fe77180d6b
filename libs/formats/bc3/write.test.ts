import { DAY_MS } from '@catalog/core/time.ts'
import { bytesSource } from '@catalog/formats/bytes/record.ts'
import { textInPieces } from '@catalog/stack/testing/archives.ts'
import fc from 'fast-check'
import iconv from 'iconv-lite'
import { describe, expect, test } from 'vitest'
import { type Bc3Charset, CHARSETS, encodableText } from './charset.ts'
import type { Bc3Entry } from './entries.ts'
import { bc3Entries, DiagnosticLog, openBc3 } from './entry-stream.ts'
import { type Column, LAYOUTS, type RecordLayout } from './layout.ts'
import { writeBc3 } from './write.ts'

const CHARSET_NAMES = Object.keys(CHARSETS) as Bc3Charset[]

async function collected<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = []
  for await (const item of items) found.push(item)
  return found
}
async function entriesOf(text: string): Promise<Bc3Entry[]> {
  return (await collected(bc3Entries(textInPieces(text, 1_000), new DiagnosticLog()))).flat()
}
async function written(entries: readonly Bc3Entry[], charset: Bc3Charset) {
  const log = new DiagnosticLog()
  const bytes = Buffer.concat(await collected(writeBc3([entries], { charset, log })))
  return { bytes, text: iconv.decode(bytes, CHARSETS[charset]), log }
}
async function readBack(bytes: Uint8Array) {
  const { encoding, entries } = await openBc3(bytesSource('f.bc3', bytes), { log: new DiagnosticLog() })
  return { entries: (await collected(entries)).flat(), encoding }
}
/** The entries without the writer's own choices: lines, and ~V's version and charset. */
const facts = (entries: readonly Bc3Entry[]) =>
  entries.map((entry) => ({ ...entry, line: 0, ...(entry.letter === 'V' && { version: '', charset: '' }) }))

describe('a written file', () => {
  test('is FIEBDC-3/2020 in its charset, with CRLF and 0x1A, whatever the input', async () => {
    const entries = await entriesOf(
      `~V|Ours|FIEBDC-3/95\\1126|catalog|\\Ávila\\|850|\n~K|2\\2\\2\\3\\2\\2\\2\\2\\EUR\\|3|\n~C|K 1#|kg|Barra|1,40\\1.5|0126|3|
~D|K 1|A\\\\2\\|A\\\\2\\%CI;\\|\n~T|K 1|Una\nbarra|\n~M|A|||\\x\\1\\\\\\\\|\n~B|A|\n~Z|as \\it| is`,
    )
    const { bytes, text, log } = await written(entries, 'ANSI')
    expect(text).toBe(
      [
        '~V|Ours|FIEBDC-3/2020\\01112026|catalog|\\Ávila\\|ANSI|',
        '~K|2\\2\\2\\3\\2\\2\\2\\2\\EUR\\|3|',
        '~C|K 1#|kg|Barra|1.40\\1.5|01012026|3|',
        '~D|K 1|A\\\\2\\|A\\\\2\\%CI;\\|',
        '~T|K 1|Una\r\nbarra|',
        '~M|A|||\\x\\1\\\\\\\\|',
        '~B|A|',
        '~Z|as \\it| is',
        '\x1a',
      ].join('\r\n'),
    )
    expect(bytes.includes(0xc1)).toBe(true)
    expect(log.kept).toEqual([])
  })

  test('starts with ~V even when the entries lack it, or there are none', async () => {
    const { text } = await written(await entriesOf('~C|A|kg|Bars|1|||'), '850')
    expect(text).toBe('~V||FIEBDC-3/2020|||850|\r\n~C|A|kg|Bars|1|\r\n\x1a')
    expect((await written([], 'UTF-8')).text).toBe('~V||FIEBDC-3/2020|||UTF-8|\r\n\x1a')
  })

  test('puts unread texts back in their places', async () => {
    const records = [
      '~C|A|kg|Bars|1\\cheap|soon|3|x\\y|z|',
      '~D|A|B\\much\\2\\|',
      '~D|A|B\\\\2\\C\\\\x\\|D\\y\\2\\%;\\|',
      '~M|P\\A\\Q|1\\|3\\4|\\\\one\\\\\\\\|L|',
      '~X|\\B|1\\2\\3\\|',
      '~V|o|v\\01012026\\more|p|',
    ]
    const entries = await entriesOf(records.join('\n'))
    const { bytes } = await written(entries, 'UTF-8')
    const { entries: again } = await readBack(bytes)
    expect(facts(again.slice(1))).toEqual(facts(entries))
    expect(bytes.toString()).toContain(records.slice(0, 5).join('\r\n'))
    expect(bytes.toString()).toContain('FIEBDC-3/2020\\01012026\\more')
  })

  test('reports every record with a replacement, and omits cut records', async () => {
    const [text] = await entriesOf('~T|A|x|')
    const cut: Bc3Entry = { letter: 'raw', line: 7, of: 'T', raw: '~T|A|x', fields: [['A']], isCut: true }
    const odd = { ...text, line: 5, text: 'a|b ~ c\\d “ł” 日' } as Bc3Entry
    const { text: file, log } = await written([odd, cut], 'ANSI')
    expect(file).toBe('~V||FIEBDC-3/2020|||ANSI|\r\n~T|A|a¦b ˜ c/d “?” ?|\r\n\x1a')
    expect(log.kept).toEqual([
      { line: 5, code: 'SEPARATOR_REPLACED', message: '~T: 3 of ~ | \\ ; inside texts' },
      { line: 5, code: 'CHARACTER_REPLACED', message: '~T: 2 characters that ANSI lacks' },
      { line: 7, code: 'RECORD_LEFT_OUT', message: '~T: the end of the record is missing' },
    ])
  })

  test('comes in pieces, for any number of records', async () => {
    const [concept] = await entriesOf('~C|A|kg|Bars of steel|1.40|0126|3|')
    function* batches() {
      for (let n = 0; n < 100; n++) yield new Array(1_000).fill(concept)
    }
    const sizes = []
    for await (const piece of writeBc3(batches(), { charset: '437' })) sizes.push(piece.length)
    expect(sizes.length).toBeGreaterThan(10)
    expect(Math.max(...sizes)).toBeLessThan(100_000)
  })
})

test.each<[string, Bc3Charset, string]>([
  ['Ñandú Ø 20 m² – “ok” 3,50 €', 'UTF-8', 'Ñandú Ø 20 m² – “ok” 3,50 €'],
  ['Ñandú Ø 20 m² – “ok” 3,50 €', 'ANSI', 'Ñandú Ø 20 m² – “ok” 3,50 €'],
  ['Ñandú Ø 20 m³ – “ok” 3,50 €', '850', 'Ñandú Ø 20 m³ - "ok" 3,50 EUR'],
  ['ÑANDÚ Ø 20 m³ ≤ 5', '437', 'ÑANDU D 20 m3 ≤ 5'],
  ['½ ㎡ ﬁn', '850', '½ m2 fin'],
  ['n\u0303', 'ANSI', 'ñ'],
  ['n\u0303', 'UTF-8', 'n\u0303'],
  ['a\u0093b\u0094', 'UTF-8', 'a\u0093b\u0094'],
  ['a\u0093b\u0094', 'ANSI', 'a“b”'],
  ['a\u0093b\u0094', '850', 'a"b"'],
  ['a\0b\u001ac\ufeffd\u0007e', 'UTF-8', 'abcd e'],
  ['a\ud800b', 'UTF-8', 'a?b'],
  ['one\r\ntwo\rthree', '850', 'one\ntwo\nthree'],
  ['~|\\', 'UTF-8', '˜¦/'],
  ['~|\\', '850', 'ca.¦/'],
  ['~|\\', '437', '≈//'],
])('%j is written in %s as %j', (text, charset, carried) => {
  expect(encodableText(text, charset).text).toBe(carried)
})

describe('reading a written file', () => {
  test.each(CHARSET_NAMES)('in %s gives the entries that were written', async (charset) => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyEntry(charset), { maxLength: 12 }), async (entries) => {
        const { bytes, log } = await written(entries, charset)
        const { entries: again, encoding } = await readBack(bytes)
        expect(encoding).toEqual({ declared: charset, used: expect.stringMatching(charset === 'UTF-8' ? 'utf-8' : '') })
        expect(facts(entries[0]?.letter === 'V' ? again : again.slice(1))).toEqual(facts(entries))
        expect(log.kept).toEqual([])
      }),
      { numRuns: 300 },
    )
  })

  test('gives a stable result, whatever the texts', async () => {
    const text = fc.string({ unit: fc.constantFrom(...'~|\\;# \n\0Aa1ñ日\u0093\ud800'), maxLength: 8 })
    const entry = anyEntry('UTF-8', text)
    await fc.assert(
      fc.asyncProperty(
        fc.array(entry, { maxLength: 6 }),
        fc.constantFrom(...CHARSET_NAMES),
        async (entries, charset) => {
          const once = await readBack((await written(entries, charset)).bytes)
          const { bytes, log } = await written(once.entries, charset)
          expect(facts((await readBack(bytes)).entries)).toEqual(facts(once.entries))
          // A backslash inside a text comes back as one too.
          expect([...log.counts.keys()].filter((code) => code !== 'SEPARATOR_REPLACED')).toEqual([])
        },
      ),
      { numRuns: 300 },
    )
  })
})

/** Entries of all letters with a layout as the reader makes them, by the layout, in characters of the charset. */
function anyEntry(charset: Bc3Charset, texts?: fc.Arbitrary<string>): fc.Arbitrary<Bc3Entry> {
  const units = [
    ...'aZ09 .,;"%&$_-()\n',
    ...(charset === '437' ? 'ñáéÑ²' : 'ñáéÑ²ÁØ'),
    ...(charset === 'UTF-8' ? '日€' : ''),
  ]
  const text = texts ?? fc.string({ unit: fc.constantFrom(...units), maxLength: 12 })
  const word = text.map((text) => text.trim())
  // A word that survives at the end of a list, and is no suffix of a code.
  const name = word.map((text) => `${text}x`)
  const number = fc.integer({ min: -1e6, max: 1e6 }).map((n) => String(n / 1_000))
  const day = fc.integer({ min: 0, max: 40_000 }).map((n) => new Date(n * DAY_MS).toISOString().slice(0, 10))
  const suffix = fc.constantFrom('', '#', '##')
  const blankOr = <T>(value: fc.Arbitrary<T>, blank: T) => fc.oneof(value, fc.constant(blank))
  const anyValue = ({ kind }: Column): fc.Arbitrary<unknown> =>
    ({
      word,
      text: text.map((text) => text.trimEnd()),
      code: blankOr(name, ''),
      number: blankOr<string | null>(number, null),
      price: blankOr(number, ''),
      date: blankOr(day, ''),
      words: fc.array(
        name.map((text) => text.replaceAll(';', ',')),
        { maxLength: 3 },
      ),
    })[kind]
  const valuesOf = (columns: readonly Column[]) =>
    fc.record(
      Object.fromEntries(
        columns.flatMap((column) => [
          [column.name, anyValue(column)],
          ...(column.suffix === undefined ? [] : [[column.suffix, suffix]]),
        ]),
      ),
    )
  const saysSomething = (item: object) =>
    Object.values(item).some((value) => value !== null && (value as string | unknown[]).length > 0)
  const listOf = (columns: readonly Column[]) =>
    columns[0]?.name === ''
      ? fc
          .array(anyValue(columns[0]), { maxLength: 4 })
          .map((items) => items.slice(0, 1 + items.findLastIndex(Boolean)))
      : fc.array(valuesOf(columns).filter(saysSomething), { maxLength: 4 })
  const entryOf = (key: string, layout: RecordLayout): fc.Arbitrary<Bc3Entry> => {
    const fields = layout.fields.map(({ head, each }) =>
      fc
        .record({ ...(each !== null && { [each.into]: listOf(each.columns) }) })
        .chain((list) => valuesOf(head).map((values) => ({ ...values, ...list }))),
    )
    const further = fc.array(fc.array(name, { maxLength: 3 }), { maxLength: 3 }).map((lists) => {
      return lists.slice(0, 1 + lists.findLastIndex((list) => list.length > 0))
    })
    return fc.tuple(fc.tuple(...fields), further).map(([values, further]) => {
      const entry: Record<string, unknown> = Object.assign(layout.blank(), { letter: key }, ...values)
      if ('code' in entry) entry.code = 'K 1'
      if (further.length > 0) entry.rest = further
      const plainLines = entry.plainLines as { code: string; suffix: string }[] | undefined
      if (plainLines !== undefined) {
        delete entry.plainLines
        // The writer keeps two lists only when they differ.
        if (plainLines.length > 0 && (entry.lines as unknown[]).length > 0) {
          const lines = plainLines.map((line) => ({ ...line, percentages: [] }))
          entry.plainLines = [{ ...lines[0], code: 'other' }, ...lines]
        }
      }
      return entry as unknown as Bc3Entry
    })
  }
  return fc.oneof(...Object.entries(LAYOUTS).map(([key, layout]) => entryOf(key, layout)))
}
