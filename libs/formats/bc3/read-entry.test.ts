import { RECORD_CHARS_MAX } from '@catalog/formats/bytes/record.ts'
import { inPieces, textInPieces } from '@catalog/stack/testing/archives.ts'
import fc from 'fast-check'
import iconv from 'iconv-lite'
import { describe, expect, test } from 'vitest'
import type { Bc3Entry } from './entries.ts'
import { bc3Entries, DiagnosticLog, openBc3 } from './entry-stream.ts'
import { LAYOUTS } from './layout.ts'
import { readEntry } from './read-entry.ts'
import { bc3Records } from './records.ts'

async function read(text: string, length = 7) {
  const log = new DiagnosticLog()
  const entries: Bc3Entry[] = []
  for await (const batch of bc3Entries(textInPieces(text, length), log)) entries.push(...batch)
  return { entries, log }
}
const readOne = async (text: string) => (await read(text)).entries[0] as Bc3Entry
const oddities = async (text: string) => {
  const { log } = await read(`~V|||||\n${text}`)
  return log.kept.map(({ line, code }) => `${line} ${code}`)
}

describe('the entry of a record', () => {
  const line = { suffix: '', factor: null, percentages: [] }
  const blankLine = { type: '', comment: '', units: null, length: null, width: null, height: null }
  test.each<[string, object]>([
    [
      '~V|Ours|FIEBDC-3/2020\\20112026|catalog|Prices\\Lugo\\Jaén\\|ANSI|A bank|1|3|0126|https://x|',
      {
        letter: 'V',
        owner: 'Ours',
        version: 'FIEBDC-3/2020',
        date: '2026-11-20',
        program: 'catalog',
        header: 'Prices',
        labels: ['Lugo', 'Jaén'],
        charset: 'ANSI',
        comment: 'A bank',
        informationType: '1',
        certificationNumber: '3',
        certificationDate: '2026-01-01',
        url: 'https://x',
      },
    ],
    [
      '~K|-9\\2\\3\\ 3\\2\\2\\2\\2\\EUR\\2\\2\\2\\3\\2\\2\\2\\2\\USD\\|3\\13\\6\\\\21|\\2\\\\\\3\\EUR\\|5|',
      {
        letter: 'K',
        decimals: [
          { dn: '-9', dd: '2', ds: '3', dr: '3', di: '2', dp: '2', dc: '2', dm: '2', currency: 'EUR' },
          { dn: '2', dd: '2', ds: '2', dr: '3', di: '2', dp: '2', dc: '2', dm: '2', currency: 'USD' },
        ],
        indirect: '3',
        overhead: '13',
        profit: '6',
        discount: null,
        tax: '21',
        extended: ['', '2', '', '', '3', 'EUR'],
        n: '5',
      },
    ],
    [
      '~C| K 1#\\OLD1\\OLD2|kg|Bars, 12 mm|1,40\\\\1.60\\|151198\\1226\\|3|',
      {
        letter: 'C',
        code: 'K 1',
        suffix: '#',
        synonyms: ['OLD1', 'OLD2'],
        unit: 'kg',
        summary: 'Bars, 12 mm',
        prices: ['1.40', '', '1.60'],
        dates: ['1998-11-15', '2026-12-01'],
        type: '3',
      },
    ],
    [
      '~D|P##|A#\r\n\\1.05\\2\r\n\\B\\\\0.03\\%X\\\\0\\|',
      {
        letter: 'D',
        code: 'P',
        suffix: '##',
        lines: [
          { ...line, code: 'A', suffix: '#', factor: '1.05', yield: '2' },
          { ...line, code: 'B', yield: '0.03' },
          { ...line, code: '%X', yield: '0' },
        ],
      },
    ],
    [
      '~Y|P||A\\1\\2\\%CI;%GG;\\B\\\\3\\\\|',
      {
        letter: 'Y',
        code: 'P',
        suffix: '',
        lines: [
          { ...line, code: 'A', factor: '1', yield: '2', percentages: ['%CI', '%GG'] },
          { ...line, code: 'B', yield: '3' },
        ],
      },
    ],
    ['~T|A| two\r\nlines \t|', { letter: 'T', code: 'A', suffix: '', text: ' two\nlines' }],
    [
      '~M|1.2#\\A|1\\2\\|6|\\north #4f2\\2\\3\\\\\\2\\\\\\\\\\\\|L1|',
      {
        letter: 'M',
        parent: '1.2',
        parentSuffix: '#',
        code: 'A',
        suffix: '',
        position: ['1', '2'],
        total: '6',
        lines: [
          { ...blankLine, comment: 'north #4f2', units: '2', length: '3' },
          { ...blankLine, type: '2' },
        ],
        label: 'L1',
      },
    ],
    [
      '~N|A||3|',
      {
        letter: 'N',
        parent: '',
        parentSuffix: '',
        code: 'A',
        suffix: '',
        position: [],
        total: '3',
        lines: [],
        label: '',
      },
    ],
    ['~A|A|steel\\bar\\|', { letter: 'A', code: 'A', suffix: '', keys: ['steel', 'bar'] }],
    ['~B|A|B#|', { letter: 'B', code: 'A', suffix: '', newCode: 'B', newSuffix: '#' }],
    ['~B|A|', { letter: 'B', code: 'A', suffix: '', newCode: '', newSuffix: '' }],
    [
      '~P|AAA010$|\\HEIGHT\\a\r\n\\C\\x |x.dll|',
      {
        letter: 'raw',
        of: 'P',
        raw: '~P|AAA010$|\\HEIGHT\\a\n\\C\\x |x.dll|',
        fields: [['AAA010$'], ['', 'HEIGHT', 'a', 'C', 'x'], ['x.dll']],
        isCut: false,
      },
    ],
    ['~S|a \\|b|', { letter: 'raw', of: 'S', raw: '~S|a \\|b|', fields: [['a'], ['b']], isCut: false }],
  ])('%j', async (text, entry) => {
    expect(await readOne(text)).toEqual({ line: 1, ...entry })
  })

  test('is blank where the record ends early, with its values in the usual order', async () => {
    for (const [key, layout] of Object.entries(LAYOUTS)) {
      const [whole] = (await read(`~${key[0]}|${layout.needsCode ? 'A' : ''}|`)).entries
      const { code, codes, letter, line, ...values } = whole as unknown as Record<string, unknown>
      for (const value of Object.values(values)) expect([null, '', []]).toContainEqual(value)
      expect(Object.keys(whole as object), key).toEqual(Object.keys(layout.blank()))
      const named = layout.fields.flatMap(({ head, each }) => [
        ...head.flatMap(({ name, suffix }) => (suffix === undefined ? [name] : [name, suffix])),
        ...(each === null || each.into === 'plainLines' ? [] : [each.into]),
      ])
      expect(Object.keys(whole as object), key).toEqual(expect.arrayContaining(named))
    }
  })
})

describe('an irregularity', () => {
  test.each<[string, string[]]>([
    ['~Z|a|', ['2 UNKNOWN_LETTER']],
    ['~C| |kg|Bars|1|||', ['2 NO_CODE']],
    ['~T|A', ['2 TEXT_AFTER_LAST_BAR', '2 NO_CODE']],
    ['~T|A|', ['2 MISSING_FIELD']],
    ['~D|A|', ['2 MISSING_FIELD']],
    ['~C|A|kg|Bars|1|||curve|curve|', ['2 SURPLUS_FIELDS']],
    ['~M|A||3\\4|', ['2 SURPLUS_SUBFIELDS']],
    ['~D|A|B\\1\\2\\C\\|', ['2 INCOMPLETE_GROUP']],
    ['~D|A|B\\1\\2\\\\1\\2\\|', ['2 NO_CODE']],
    ['~D|A|B\\1\\2\\|C\\1\\2\\\\|', ['2 TWO_LISTS']],
    ['~C|A|kg|Bars|cheap|||', ['2 BAD_NUMBER']],
    ['~C|A|kg|Bars|1.234,5|||', ['2 NUMBER_REPAIRED']],
    ['~C|A|kg|Bars|12.50 EUR|||', ['2 CURRENCY_IN_NUMBER']],
    ['~C|A|kg|Bars|1|310226||', ['2 BAD_DATE']],
    ['~C|A|kg|Bars|1\\2\\|||', ['2 MORE_PRICES_THAN_LABELS']],
    ['~T|A|one\\two|', ['2 SEPARATOR_IN_TEXT']],
    ['~T|A|one\\ntwo|', ['2 LITERAL_LINE_END']],
    ['~T|A|one|\\n', ['2 LITERAL_LINE_END']],
    ['~T|A|one|two', ['2 TEXT_AFTER_LAST_BAR']],
    ['~T|A|about ~20 mm|', ['2 TILDE_IN_TEXT']],
    ['~T|A|o\0ne|', ['2 NUL_BYTES']],
    ['~T|A|o\ufffdne|', ['2 UNDECODABLE']],
    ['~T|A|o\u0007ne|', ['2 CONTROL_CHARACTERS']],
    // Real programs write these without any irregularity.
    ['~D|A\r\n|B#\r\n\\\\1\r\n\\C\\\\\\|', []],
    ['~K|2\\3\\3\\3\\2\\2\\2\\2\\|3|', []],
    ['~K|2\\3\\3\\3\\2\\2\\2\\2|3|', []],
    ['~D|A||B\\1\\2\\%;\\C\\1\\2|', []],
    ['~C|A#\\||Chapter|\\|\\||', []],
    ['~M|P\\A|1\\|4|\\One\\0\\0\\0\\0\\\\Two\\2\\0\\0\\0|', []],
    ['~L||\\DES\\Text|', []],
  ])('%j: %j', async (text, expected) => {
    expect(await oddities(text)).toEqual(expected)
  })

  test('is a record that is too long, which is kept as far as it was read', async () => {
    const { entries, log } = await read(`~V||\n~T|A|${'x'.repeat(RECORD_CHARS_MAX)}|\n~T|B|b|`, 65_536)
    expect(log.kept.map(({ line, code }) => `${line} ${code}`)).toEqual(['2 RECORD_TOO_LONG'])
    expect(entries.map(({ letter }) => letter)).toEqual(['V', 'raw', 'T'])
    expect(entries[1]).toMatchObject({ of: 'T', isCut: true, fields: [['A']] })
  })

  test('may concern the whole file', async () => {
    const { log } = await read('some words\n~C|A|kg|Bars|1|||\n')
    expect(log.kept).toEqual([
      { line: 1, code: 'TEXT_BEFORE_FIRST_RECORD', message: '"some words" is ignored, by the standard' },
      { line: 2, code: 'NO_VERSION', message: 'the file begins with ~C, expected ~V' },
    ])
  })

  test('is counted beyond the number of kept diagnostics', async () => {
    const { log } = await read(`~V||||\n${'~Z|\n'.repeat(250)}~T|A|\n`, 1_000)
    expect(Object.fromEntries(log.counts)).toEqual({ UNKNOWN_LETTER: 250, MISSING_FIELD: 1 })
    expect(log.kept).toHaveLength(101)
    expect(log.leftOut).toBe(150)
  })

  test('keeps unread texts beside the entry', async () => {
    expect(await readOne('~C|A|kg|Bars|1\\cheap\\||3|x|\\|')).toMatchObject({
      prices: ['1'],
      type: '3',
      unread: [{ field: 3, subfield: 1, text: 'cheap' }],
      rest: [['x']],
    })
    expect(await readOne('~D|A|B\\much\\2\\|')).toMatchObject({
      lines: [{ code: 'B', factor: null, yield: '2' }],
      unread: [{ field: 1, subfield: 1, text: 'much' }],
    })
    expect(await readOne('~D|A|B\\1\\2\\|C\\1\\2\\%\\|')).toMatchObject({
      lines: [{ code: 'C', percentages: ['%'] }],
      plainLines: [{ code: 'B' }],
    })
    expect(await readOne('~D|A|C\\1\\2\\|C\\1\\2\\%\\|')).not.toHaveProperty('plainLines')
  })
})

describe('the entries of a file', () => {
  const head = (charset: string) => `~V|Ours|FIEBDC-3/2016|catalog||${charset}|\r\n`
  const concept = '~C|Ñ1|m|Tubería de hormigón según cálculo, Ø 30|1.20|0126|3|\r\n'

  test.each([
    ['', 'cp850', { declared: null, used: 'cp850' }],
    ['', 'win1252', { declared: null, used: 'windows-1252' }],
    ['', 'utf8', { declared: null, used: 'utf-8' }],
    ['ANSI', 'win1252', { declared: 'ANSI', used: 'windows-1252' }],
    ['ANSI', 'utf8', { declared: 'ANSI', used: 'utf-8' }],
    ['437', 'win1252', { declared: '437', used: 'windows-1252' }],
    ['UTF-8', 'win1252', { declared: 'UTF-8', used: 'windows-1252' }],
  ])('declared as %j are read in %s', async (declared, encoding, report) => {
    const log = new DiagnosticLog()
    const bytes = iconv.encode(head(declared) + concept, encoding)
    const file = await openBc3(inPieces('f.bc3', bytes, 9), { log })
    const entries: Bc3Entry[] = []
    for await (const batch of file.entries) entries.push(...batch)
    expect(file.encoding).toEqual(report)
    expect(entries[1]).toMatchObject({ code: 'Ñ1', summary: 'Tubería de hormigón según cálculo, Ø 30' })
    expect(log.kept).toEqual([])
  })

  test('do not depend on the pieces, and exist for any text', async () => {
    const letters = fc.constantFrom('~', '~C|', '~D|', '~M|', '~L|', '~X|', '~V|', '|', '\\', '#', ';', '%', '\r\n')
    const others = fc.constantFrom(' ', '\0', 'A', '1', '.5', 'ñ', '\u00a0', '\ufffd', '-', '\u001a')
    const text = fc.array(fc.oneof(letters, others), { maxLength: 60 }).map((parts) => parts.join(''))
    await fc.assert(
      fc.asyncProperty(text, fc.integer({ min: 1, max: 30 }), async (text, length) => {
        const whole = await read(text, 1_000)
        expect(await read(text, length)).toEqual(whole)
        for (const { line } of whole.entries) expect(line).toBeGreaterThan(0)
      }),
    )
  })

  test('take linear time, in one record or many', async () => {
    const one = `~D|A|${'B\\1\\2\\'.repeat(50_000)}|`
    const blank = `~L|A|${'\\'.repeat(500_000)}|`
    const open = `~T|A|${'~'.repeat(500_000)}`
    const spaces = `~T|${' '.repeat(500_000)}A|${'\n \n'.repeat(100_000)}.|`
    const many = '~C|A|kg|Bars|1|0126|3|\n'.repeat(20_000)
    for (const text of [one, blank, open, spaces, many]) {
      const begun = performance.now()
      await read(text, 65_536)
      // Each takes some 30 ms on a quiet machine; quadratic time would take minutes.
      expect(performance.now() - begun).toBeLessThan(5_000)
    }
  })
})

test('a single record ignores the labels of its file', async () => {
  for await (const [record] of bc3Records(textInPieces('~C|A|kg|Bars|1\\2\\|||'))) {
    expect(readEntry(record as NonNullable<typeof record>).diagnostics).toEqual([])
  }
})
