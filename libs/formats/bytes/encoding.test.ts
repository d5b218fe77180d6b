import { inPieces } from '@catalog/stack/testing/archives.ts'
import fc from 'fast-check'
import iconv from 'iconv-lite'
import { describe, expect, test } from 'vitest'
import { decodeStream, detectEncoding, encodingNamed, SAMPLE_BYTES } from './encoding.ts'

const spanish = 'Código;Descripción\nA1;Hormigón en masa, árido nº 2, dosificación según cálculo, muñón\n'

async function decoded(bytes: Uint8Array, hints: Parameters<typeof decodeStream>[1] = {}, length = 5) {
  const { report, text } = decodeStream(inPieces('x', bytes, length).open(), hints)
  let whole = ''
  for await (const piece of text) whole += piece
  return { whole, report }
}

describe('the encoding of a text', () => {
  test.each(['windows-1252', 'cp850', 'utf-8'] as const)('is detected from accents: %s', async (encoding) => {
    const { whole, report } = await decoded(iconv.encode(spanish, encoding))
    expect(report).toEqual({ declared: null, used: encoding })
    expect(whole).toBe(spanish)
  })

  test.each([
    ['German', 'Dämmplatte für Außenwände, Größe 60 × 40, Stück'],
    ['French', 'Béton prêt à l’emploi, gâche, façade, où, élément préfabriqué'.replace('’', "'")],
    ['Portuguese', 'Betão, fundação, vão, tijolo cerâmico, não incluído, peças'],
    ['Italian', 'Calcestruzzo qualità, più, città, è compreso, metà'],
    ['Spanish capitals', 'HORMIGÓN ÁRIDO EXCAVACIÓN CAÑERÍA Ø 20 ALBAÑILERÍA'],
  ])('is detected in %s too, under both code pages', (_language, text) => {
    for (const encoding of ['windows-1252', 'cp850'] as const) {
      expect(detectEncoding(iconv.encode(text, encoding), { cut: false }).used).toBe(encoding)
    }
  })

  test('is UTF-16 by its mark, else by its zeros', async () => {
    for (const [encoding, used] of [
      ['utf16-le', 'utf-16le'],
      ['utf16-be', 'utf-16be'],
    ] as const) {
      for (const addBOM of [true, false]) {
        const { whole, report } = await decoded(iconv.encode(spanish, encoding, { addBOM }))
        expect(report.used).toBe(used)
        expect(whole.replace('\ufeff', '')).toBe(spanish)
      }
    }
  })

  test('is UTF-8 when valid, whatever the declaration', () => {
    const report = detectEncoding(Buffer.from('Almería'), { declared: 'ANSI', cut: false })
    expect(report).toEqual({ declared: 'ANSI', used: 'utf-8' })
  })

  test('is the declared code page when one pair of letters looks like UTF-8 by chance', () => {
    for (const declared of ['ANSI', undefined]) {
      const report = detectEncoding(iconv.encode('CAÑ²', 'win1252'), { declared, cut: false })
      expect(report.used).toBe(declared === undefined ? 'utf-8' : 'windows-1252')
    }
  })

  test.each([
    ['windows-1251', 'Цемент М500'],
    ['cp1251', 'Цемент М500'],
    ['windows-1250', 'Žluťoučký kůň'],
    ['ISO-8859-2', 'łata drewniana'],
    ['windows-1254', 'çimento ağır işçilik'],
    ['Shift_JIS', 'セメント'],
    ['gbk', '水泥'],
  ])(
    'is the declared %s of another language, unless the bytes are UTF-8 or the operator says otherwise',
    (label, text) => {
      const declared = detectEncoding(iconv.encode(text, label), { declared: label, cut: false })
      expect(iconv.decode(iconv.encode(text, label), declared.used)).toBe(text)
      expect(detectEncoding(Buffer.from(text), { declared: label, cut: false }).used).toBe('utf-8')
      const marked = iconv.encode('price', 'utf-8', { addBOM: true })
      expect(detectEncoding(marked, { declared: label, cut: false }).used).toBe('utf-8')
      const given = detectEncoding(iconv.encode(text, label), { declared: label, given: 'cp437', cut: false })
      expect(given.used).toBe('cp437')
    },
  )

  test('is no declared charset that lacks characters for the bytes', () => {
    const bytes = iconv.encode('Hormigón armado según memoria, sección tipo', 'win1252')
    expect(detectEncoding(bytes, { declared: 'euc-kr', cut: false }).used).toBe('windows-1252')
  })

  test("is the declared one when the bytes allow it, and the operator's choice overrides it", () => {
    const bytes = Buffer.from([0x82, 0x82])
    expect(detectEncoding(bytes, { declared: '437', cut: false }).used).toBe('cp437')
    expect(detectEncoding(bytes, { declared: '437', given: 'windows-1252', cut: false }).used).toBe('windows-1252')
    expect(detectEncoding(bytes, { declared: 'utf-8', cut: false }).used).toBe('cp850')
  })

  test('overrules a declaration when the letters clearly contradict it', () => {
    const text = 'Hormigón en masa, árido número 2, dosificación según cálculo'
    for (const [label, encoding] of [
      ['ANSI', 'cp850'],
      ['850', 'windows-1252'],
      ['437', 'windows-1252'],
    ] as const) {
      const report = detectEncoding(iconv.encode(text, encoding), { declared: label, cut: false })
      expect(report).toEqual({ declared: label, used: encoding })
    }
    // One letter is too little evidence.
    expect(detectEncoding(iconv.encode('hormigón', 'cp850'), { declared: 'ANSI', cut: false }).used).toBe(
      'windows-1252',
    )
  })

  test.each([
    ['Tubo Ø 20 a 3,50 €', 'windows-1252'],
    ['Tubo Ø 20 · 3 m²', 'windows-1252'],
    ['Nº 3, 1ª fase, m² y m³', 'windows-1252'],
    ['Nº 3, 1ª fase, m² y m³', 'cp850'],
    ['Tubería de Ø 30', 'cp850'],
  ] as const)('is detected from signs too: %s in %s', (text, encoding) => {
    expect(detectEncoding(iconv.encode(text, encoding), { cut: false }).used).toBe(encoding)
  })

  test('is UTF-8 despite a few broken bytes, and a code page when most are broken', () => {
    const lines = Buffer.from('Hormigón según cálculo\n'.repeat(10))
    const patched = Buffer.concat([lines, Buffer.from([0x6e, 0xf3, 0x6e, 0x0a])])
    expect(detectEncoding(patched, { declared: 'ANSI', cut: false }).used).toBe('utf-8')
    // In windows-1252, Ã and a sign after it look like one character of UTF-8.
    const other = Buffer.concat([iconv.encode('Hormigón según cálculo ', 'win1252'), Buffer.from('ó')])
    expect(detectEncoding(other, { cut: false }).used).toBe('windows-1252')
  })

  test('survives a character split by the sample', () => {
    const bytes = Buffer.from('ñañ')
    expect(detectEncoding(bytes.subarray(0, 4), { cut: true }).used).toBe('utf-8')
    expect(detectEncoding(bytes.subarray(0, 4), { cut: false }).used).not.toBe('utf-8')
  })

  test('is decided at the first accent, however late', async () => {
    const text = `${'plain text without accents;1\n'.repeat(SAMPLE_BYTES / 20)}Hormigón según cálculo\n`
    const { whole, report } = await decoded(iconv.encode(text, 'cp850'), {}, 1 << 16)
    expect(report.used).toBe('cp850')
    expect(whole).toBe(text)
  })

  test('ignores the boundaries of pieces, and reads any bytes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), fc.integer({ min: 1, max: 40 }), async (bytes, length) => {
        const inOne = await decoded(bytes, {}, 1000)
        expect(await decoded(bytes, {}, length)).toEqual(inOne)
      }),
    )
  })
})

test.each([
  ['ANSI', 'windows-1252'],
  ['850', 'cp850'],
  ['CP437', 'cp437'],
  ['ISO-8859-1', 'windows-1252'],
  ['UTF8', 'utf-8'],
  ['EBCDIC', null],
])('the label %s means %s', (label, encoding) => {
  expect(encodingNamed(label)).toBe(encoding)
})
