import { SAMPLE_BYTES } from '@catalog/formats/bytes/encoding.ts'
import { inPieces } from '@catalog/stack/testing/archives.ts'
import fc from 'fast-check'
import iconv from 'iconv-lite'
import { describe, expect, test } from 'vitest'
import { child, children, textOf } from './element.ts'
import { RECORD_ELEMENTS_MAX, XML_DEPTH_MAX, type XmlFound } from './record-cutter.ts'
import { xmlRecords } from './records.ts'

type Options = Parameters<typeof xmlRecords>[1]
const items: Options = { isRecord: (name) => name === 'i', isKept: (name, path) => name === 'h' && path.length === 1 }

async function cut(document: string | Uint8Array, options: Options = items, length = 1 << 20): Promise<XmlFound[]> {
  const found: XmlFound[] = []
  const bytes = typeof document === 'string' ? Buffer.from(document) : document
  for await (const batch of xmlRecords(inPieces('f.xml', bytes, length), options)) found.push(...batch)
  return found
}

/**
 * Findings in a document that comes in such pieces. A long comment before it settles the encoding, until which the
 * decoder holds everything.
 */
async function cutBehindHead(document: string | Uint8Array, options: Options, length: number): Promise<XmlFound[]> {
  const found: XmlFound[] = []
  const head = Buffer.from(`<!--ñ${'x'.repeat(SAMPLE_BYTES)}-->`)
  const rest = inPieces('f.xml', Buffer.from(document), length)
  const source = {
    ...rest,
    async *open() {
      yield head
      yield* rest.open()
    },
  }
  for await (const batch of xmlRecords(source, options)) found.push(...batch)
  return found
}

/** Findings in short form: records by their text, broken ones by their reason. */
async function told(document: string | Uint8Array, options: Options = items): Promise<string[]> {
  const found = await cut(document, options)
  return found.map((one) =>
    one.kind === 'broken' ? `${one.number} ${one.reason}` : `${one.number} ${one.element.text}`,
  )
}

test('a record is the tree of its element, with raw markup and decoded text', async () => {
  const raw = '<i n="1 &amp; 2" n="3"><g:p a=\'x"y\'>1 &lt; 2&#x20AC;</g:p><e/>own <![CDATA[<b>&amp;</b>]]> text</i>'
  const [found] = await cut(`<?xml version="1.0"?><r>\n<!-- <i>no</i> -->${raw}<?i no?></r>`)
  expect(found).toEqual({
    kind: 'record',
    number: 1,
    raw,
    element: {
      name: 'i',
      attributes: { n: '1 & 2' },
      text: 'own <b>&amp;</b> text',
      children: [
        { name: 'g:p', attributes: { a: 'x"y' }, text: '1 < 2€', children: [] },
        { name: 'e', attributes: {}, text: '', children: [] },
      ],
    },
  })
})

test('selects records by their name and the names of their ancestors', async () => {
  const paths: string[] = []
  const isRecord = (name: string, path: readonly string[]) => {
    paths.push([...path, name].join('/'))
    return name === 'i' && path.at(-1) === 'b'
  }
  const found = await cut('<r><a><i>no</i></a><b><i>yes<i2/></i></b></r>', { isRecord })
  expect(found.map((one) => one.kind === 'record' && one.element.text)).toEqual(['yes'])
  expect(paths).toEqual(['r', 'r/a', 'r/a/i', 'r/b', 'r/b/i'])
})

test('yields kept elements in order between the records', async () => {
  const found = await cut('<r><i>1</i><h>head<x>y</x></h><i>2</i><z><h>no</h></z></r>')
  expect(found.map(({ kind, number }) => [kind, number])).toEqual([
    ['record', 1],
    ['kept', 1],
    ['record', 2],
  ])
})

describe('a document type', () => {
  test.each([
    '<!DOCTYPE r SYSTEM "http://127.0.0.1:1/r.dtd">',
    '<!doctype r [<!ENTITY e "<r><i>no</i></r>"><!ENTITY f SYSTEM \'file:///etc/passwd\'> <!-- ]> <i>no</i> " --> <?p ]> \' ?>]>',
    '<!DOCTYPE r [ <!ELEMENT r (i)> ] >',
  ])('is skipped whole, and its entities stay as written: %s', async (type) => {
    for (const length of [1, 2, 3, 1000]) {
      const document = `\ufeff<?xml version="1.0"?>\n<!-- > -->${type}<!-- > --><r><i>&e;&f;&nbsp;</i></r>`
      for (const found of [await cut(document, items, length), await cutBehindHead(document, items, length)]) {
        expect(found).toMatchObject([{ kind: 'record', element: { text: '&e;&f;&nbsp;' } }])
      }
    }
  })

  test('does not expand entities within entities', async () => {
    const levels = Array.from({ length: 30 }, (_, n) => `<!ENTITY e${n + 1} "&e${n};&e${n};">`).join('')
    expect(await told(`<!DOCTYPE r [<!ENTITY e0 "x">${levels}]><r><i>&e30;</i></r>`)).toEqual(['1 &e30;'])
  })
})

test.each([
  ['&amp;lt;', '&lt;'],
  ['AT&T & Co', 'AT&T & Co'],
  ['AT&T &amps', 'AT&T &amps'],
  ['&lt &amp;#65; &bogus; &#99999999;&gt;', '&lt &#65; &bogus; &#99999999;>'],
  ['&#65;&#x1F600;', 'A😀'],
  ['&#0;&#xD800;&#x110000;', '\ufffd\ufffd\ufffd'],
  ['&<!-- -->lt;', '&lt;'],
  ['a\r\nb\rc', 'a\nb\nc'],
  ['2 < 3 &lt; 4', '2 < 3 < 4'],
])('the text %j reads as %j', async (written, read) => {
  expect(await told(`<r><i>${written}</i></r>`)).toEqual([`1 ${read}`])
})

describe('the encoding', () => {
  const document = (declared: string) => `<?xml version='1.0' encoding="${declared}"?><r><i>Ñandú ½ €</i></r>`
  test.each([
    ['ISO-8859-1', 'windows-1252'],
    ['UTF-8', 'utf8'],
    ['UTF-16', 'utf16-le'],
    ['UTF-16', 'utf16-be'],
  ])('that the document declares as %s is read as %s', async (declared, encoding) => {
    const bytes = iconv.encode(document(declared), encoding, { addBOM: declared === 'UTF-16' })
    expect(await told(bytes)).toEqual(['1 Ñandú ½ €'])
  })

  test('is reported', async () => {
    const reports: unknown[] = []
    await cut(iconv.encode(document('latin1'), 'windows-1252'), {
      ...items,
      onEncoding: (report) => reports.push(report),
    })
    expect(reports).toEqual([{ declared: 'latin1', used: 'windows-1252' }])
  })

  test('defaults to UTF-8, and a byte order mark overrides a declaration', async () => {
    expect(await told('<r><i>Ñandú</i></r>')).toEqual(['1 Ñandú'])
    expect(await told(`\ufeff${document('ISO-8859-1')}`)).toEqual(['1 Ñandú ½ €'])
  })

  test('is the declared one when the letters are ambiguous', async () => {
    const bytes = (declared: string) => iconv.encode(`<?xml version="1.0"${declared}?><r><i>Ã±</i></r>`, 'windows-1252')
    expect(await told(bytes(' encoding="cp850"'))).toEqual([`1 ${iconv.decode(Buffer.from([0xc3, 0xb1]), 'utf8')}`])
    expect(await told(bytes(''), { ...items, encoding: 'windows-1252' })).toEqual(['1 Ã±'])
  })
})

describe('a damaged document', () => {
  test.each([
    ['inside a record', '<r><i>1</i><i>2', ['1 1', '2 UNEXPECTED_END']],
    ['inside a tag', '<r><i>1</i><i', ['1 1', '1 UNEXPECTED_END']],
    ['between records', '<r><i>1</i>', ['1 1', '1 UNEXPECTED_END']],
    ['inside a comment', '<r><i>1</i><!-- </r>', ['1 1', '1 UNEXPECTED_END']],
    ['before it began', '<?xml version="1.0"?><!-- -->', ['0 UNEXPECTED_END']],
    ['because it is none', 'id;price\n1;2', ['0 UNEXPECTED_END']],
    ['because it is empty', '', ['0 UNEXPECTED_END']],
  ])('breaks off %s', async (_where, document, expected) => {
    expect(await told(document)).toEqual(expected)
    expect((await cut(document)).at(-1)).toMatchObject({ endsFile: true })
  })

  test('loses only the record whose tags do not nest', async () => {
    const records = ['<i><a></i>', '<i></a></i>', '<i><a><b></a></b></i>', '<i>whole</i>']
    expect(await told(`<r>${records.join('')}</r>`)).toEqual(['1 BAD_XML', '2 BAD_XML', '3 BAD_XML', '4 whole'])
  })

  test('loses no record after an unclosed one', async () => {
    const found = await cut('<r><i>1<a><i>2</i><i>3</i></r>')
    expect(found.map((one) => (one.kind === 'broken' ? one.raw : one.element.text))).toEqual(['<i>1<a>', '2', '3'])
  })

  test('reports once that tags outside records do not nest', async () => {
    expect(await told('<r></x><s><i>1</i></y><i>2</i></r>')).toEqual(['0 BAD_XML', '1 1', '2 2'])
  })
})

describe('a record has limits', () => {
  const deep = '<i>'.concat('<a>'.repeat(XML_DEPTH_MAX), '</a>'.repeat(XML_DEPTH_MAX), '</i>')
  const unclosed = `<i>${'<a>'.repeat(XML_DEPTH_MAX * 2)}</i>`
  const wide = `<i>${'<a/>'.repeat(RECORD_ELEMENTS_MAX)}</i>`
  test.each([
    ['in depth', deep],
    ['in depth that is never left', unclosed],
    ['in elements', wide],
  ])('%s, and the next record is read', async (_in, record) => {
    expect(await told(`<r>${record}<i>next</i></r>`)).toEqual(['1 RECORD_TOO_LONG', '2 next'])
  })

  test.each([
    ['text', (long: string) => `<i>${long}</i>`],
    ['an attribute', (long: string) => `<i a="${long}"/>`],
    ['a CDATA section', (long: string) => `<i><![CDATA[${long}]]></i>`],
    ['a name', (long: string) => `<i><${long}/></i>`],
    ['a comment', (long: string) => `<i><!--${long}--></i>`],
  ])('in the characters of %s', async (_of, record) => {
    const options = { ...items, recordCharsMax: 100 }
    for (const length of [7, 100_000]) {
      const found = await cut(`<r>${record('x'.repeat(200_000))}<i>next</i></r>`, options, length)
      expect(found).toMatchObject([{ reason: 'RECORD_TOO_LONG' }, { element: { text: 'next' } }])
      expect((found[0] as { raw: string }).raw).toHaveLength(100)
    }
  })

  test('a record of exactly the maximum length is read', async () => {
    const options = { ...items, recordCharsMax: 107 }
    expect(await told(`<r><i>${'x'.repeat(100)}</i><i>${'x'.repeat(101)}</i></r>`, options)).toEqual([
      `1 ${'x'.repeat(100)}`,
      '2 RECORD_TOO_LONG',
    ])
  })
})

describe('for any pieces of the bytes', () => {
  test('a record of exactly the maximum length ends where the next one begins', async () => {
    const text = `<r><i>${'x'.repeat(57)}<i>y</i></r>`
    const options = { ...items, recordCharsMax: 60 }
    const whole = await cut(text, options)
    expect(whole.map((found) => 'reason' in found && found.reason)).toEqual(['BAD_XML', false])
    expect(await cutBehindHead(text, options, 1)).toEqual(whole)
  })

  const part = fc.constantFrom(
    '<i>',
    '</i>',
    '<i a="1&amp;2">',
    '<h>',
    '</h>',
    '<a>',
    '</a>',
    '<b/>',
    '<!-- <i> -->',
    '<![CDATA[<i>&lt;]]]>',
    '&lt;',
    '&#8364;',
    '&e;',
    'ñ€',
    '\r',
    '\n',
    ' ',
    '<',
    '>',
    '"',
    '<?p <i>?>',
    'x'.repeat(30),
  )
  const document = fc
    .array(part, { maxLength: 40 })
    .map((parts) => `<!DOCTYPE r [<!ENTITY e "]>">]><r>${parts.join('')}</r>`)

  test('the findings are equal', async () => {
    const property = fc.asyncProperty(document, fc.integer({ min: 1, max: 30 }), async (text, length) => {
      const options = { ...items, recordCharsMax: 60 }
      expect(await cutBehindHead(text, options, length)).toEqual(await cut(text, options))
    })
    await fc.assert(property, { numRuns: 300 })
  })

  test('any bytes are read without throwing', async () => {
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 200 }),
      document.map((text) => Buffer.from(text).subarray(3, -2)),
    )
    const property = fc.asyncProperty(bytes, fc.integer({ min: 1, max: 30 }), async (any, length) => {
      expect(await cutBehindHead(any, items, length)).toEqual(await cutBehindHead(any, items, 1 << 20))
    })
    await fc.assert(property, { numRuns: 200 })
  })
})

test('closes its source when the reader stops early', async () => {
  let isOpen = true
  const source = {
    ...inPieces('f.xml', Buffer.alloc(0), 1),
    async *open() {
      try {
        yield Buffer.from('<r>')
        for (;;) yield Buffer.from('<i>1</i>')
      } finally {
        isOpen = false
      }
    },
  }
  for await (const _batch of xmlRecords(source, items)) break
  expect(isOpen).toBe(false)
})

test('finds children by their name as written, else without its prefix', async () => {
  const [found] = await cut('<r><i><p:a>1</p:a><a>2<b><p:c>3</p:c></b></a></i></r>')
  const { element } = found as Extract<XmlFound, { kind: 'record' }>
  expect(child(element, 'a')?.text).toBe('2')
  expect(children(element, 'a').map(({ text }) => text)).toEqual(['1', '2'])
  expect(textOf(element, 'a', 'b', 'c')).toBe('3')
  expect(textOf(element, 'a', 'x', 'c')).toBe('')
})
