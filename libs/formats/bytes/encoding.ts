import iconv from 'iconv-lite'

const ENCODINGS = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252', 'cp850', 'cp437'] as const
/** Charsets that nobody detects: a server, a file or an operator names them. */
const NAMED_ENCODINGS = [
  ...([0, 1, 3, 4, 5, 6, 7, 8] as const).map((page) => `windows-125${page}` as const),
  ...([2, 4, 5, 6, 7, 8, 9, 13, 16] as const).map((part) => `iso-8859-${part}` as const),
  ...(['koi8-r', 'koi8-u', 'shift_jis', 'euc-jp', 'euc-kr', 'gbk', 'gb2312', 'gb18030', 'big5'] as const),
]
export type Encoding = (typeof ENCODINGS)[number] | (typeof NAMED_ENCODINGS)[number]

/** The encoding that the input or the operator declared (null for none), and the one in use. */
export type EncodingReport = { declared: string | null; used: Encoding }

/** Bytes that decide the encoding. */
export const SAMPLE_BYTES = 65_536

/**
 * Detects the encoding of a text from its beginning, `sample`. In this order:
 * 1. a byte order mark;
 * 2. the operator's choice (`given`);
 * 3. UTF-16 without a mark;
 * 4. UTF-8, strict or nearly so, with at least one multibyte character: files that declare ANSI often are UTF-8;
 * 5. the declared encoding: one of Western Europe unless its letters are clearly implausible, any other unless it has no
 *    letters for these bytes;
 * 6. the single-byte code page under which accented letters look most like words.
 *
 * A sample of plain ASCII is UTF-8 unless a code page is declared. `cut` means that the text continues after the
 * sample, so a split character at its end is no error.
 */
export function detectEncoding(
  sample: Uint8Array,
  hints: Readonly<{ declared?: string | undefined; given?: Encoding | undefined; cut: boolean }>,
): EncodingReport {
  const declared = hints.declared?.trim() || null
  const named = declared === null ? null : charsetNamed(declared)
  const used =
    byteOrderMark(sample) ??
    hints.given ??
    utf16WithoutMark(sample) ??
    (!isAscii(sample) && (isUtf8(sample, hints.cut) || isNearlyUtf8(sample)) && !isByChance(sample, named)
      ? 'utf-8'
      : null) ??
    // A label of UTF-8 or UTF-16 is wrong here, and a label of a code page may be; the letters decide.
    (isAscii(sample)
      ? isOneByte(named)
        ? named
        : 'utf-8'
      : (furtherCharset(sample, named) ?? likeliestCodePage(sample, named)))
  return { declared: hints.given ?? declared, used }
}

/**
 * The encoding that a label of a file or a person names ("ANSI", "Latin-1", "850", "UTF8"); null for an unknown one.
 */
export function encodingNamed(label: string): Encoding | null {
  const folded = foldedLabel(label)
  if (/^utf8/.test(folded)) return 'utf-8'
  if (/^(utf16be|ucs2be)$/.test(folded)) return 'utf-16be'
  if (/^(utf16|utf16le|ucs2|ucs2le|unicode)$/.test(folded)) return 'utf-16le'
  if (/^(ansi|windows125[24]|win125[24]|cp125[24]|125[24]|latin[19]|iso8859(1|15)|88591)$/.test(folded)) {
    return 'windows-1252'
  }
  if (/^(cp|ibm|oem|dos)?850$/.test(folded)) return 'cp850'
  if (/^(cp|ibm|oem|dos)?437$/.test(folded)) return 'cp437'
  return null
}

/** The same with the charsets of other languages: "windows-1251", "cp1251", "ISO_8859-2", "Shift_JIS". */
export function charsetNamed(label: string): Encoding | null {
  const folded = foldedLabel(label).replace(/^(cp|win)(?=125\d$)/, 'windows')
  return NAMED_ENCODINGS.find((name) => foldedLabel(name) === folded) ?? encodingNamed(label)
}
const foldedLabel = (label: string) => label.toLowerCase().replace(/[^a-z0-9]/g, '')

/** Characters at the end of a sample that its cut may have split. */
const CUT_CHARACTERS_MAX = 2

/** A declared charset of other languages, where it has characters for all bytes. */
function furtherCharset(sample: Uint8Array, named: Encoding | null): Encoding | null {
  if (named === null || !NAMED_ENCODINGS.some((name) => name === named)) return null
  const text = iconv.decode(Buffer.from(sample.buffer, sample.byteOffset, sample.byteLength), named)
  return text.slice(0, -CUT_CHARACTERS_MAX).includes('\ufffd') ? null : named
}

/**
 * Decodes a stream of bytes in pieces; `report` is final after the last piece. Plain ASCII decides nothing, so the
 * sample starts at the first byte beyond it: a late accent counts as much as one at the head. Never throws; undecodable
 * bytes become U+FFFD.
 */
export function decodeStream(
  chunks: AsyncIterable<Uint8Array>,
  hints: Readonly<{ declared?: string | undefined; given?: Encoding | undefined }>,
): { report: EncodingReport; text: AsyncGenerator<string, void, undefined> } {
  const report: EncodingReport = {
    declared: hints.given ?? hints.declared?.trim() ?? null,
    used: hints.given ?? 'utf-8',
  }
  async function* text(): AsyncGenerator<string, void, undefined> {
    let buffered: Uint8Array[] = []
    let bufferedBytes = 0
    let atStart = true
    // An object, because the compiler does not see the assignment in settle().
    const state: { decoder: ReturnType<typeof iconv.getDecoder> | null } = { decoder: null }
    const settle = (cut: boolean): string => {
      const sample = buffered.length === 1 ? (buffered[0] as Uint8Array) : Buffer.concat(buffered)
      Object.assign(
        report,
        detectEncoding(sample.subarray(0, SAMPLE_BYTES), { ...hints, cut: cut || sample.length > SAMPLE_BYTES }),
      )
      const decoder = iconv.getDecoder(report.used)
      state.decoder = decoder
      buffered = []
      return decoder.write(Buffer.from(sample.buffer, sample.byteOffset, sample.byteLength))
    }
    for await (const chunk of chunks) {
      if (chunk.length === 0) continue
      if (state.decoder !== null) {
        yield state.decoder.write(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength))
        continue
      }
      let rest = chunk
      if (bufferedBytes === 0 && !atStart) {
        const first = firstNonAscii(chunk)
        if (first === -1) {
          yield latin1(chunk)
          continue
        }
        if (first > 0) yield latin1(chunk.subarray(0, first))
        rest = chunk.subarray(first)
      }
      buffered.push(rest)
      bufferedBytes += rest.length
      if (bufferedBytes < SAMPLE_BYTES) continue
      // Check the head for a mark and for UTF-16; plain ASCII there decides nothing yet.
      if (atStart && hints.given === undefined) {
        atStart = false
        const head = Buffer.concat(buffered)
        if (byteOrderMark(head) === null && utf16WithoutMark(head) === null) {
          const first = firstNonAscii(head)
          if (first !== 0) {
            yield latin1(first === -1 ? head : head.subarray(0, first))
            buffered = first === -1 ? [] : [head.subarray(first)]
            bufferedBytes = first === -1 ? 0 : head.length - first
            if (bufferedBytes < SAMPLE_BYTES) continue
          }
        }
      }
      yield settle(true)
    }
    if (buffered.length > 0) yield settle(false)
    const last = state.decoder?.end()
    if (last) yield last
  }
  return { report, text: text() }
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
}

function byteOrderMark(bytes: Uint8Array): Encoding | null {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8'
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  return null
}

/** Latin letters in UTF-16 have a zero in every other byte; single-byte texts have none. */
function utf16WithoutMark(bytes: Uint8Array): Encoding | null {
  const pairs = Math.min(bytes.length, 4096) >> 1
  if (pairs < 4) return null
  let evenZeros = 0
  let oddZeros = 0
  for (let i = 0; i < pairs * 2; i += 2) {
    if (bytes[i] === 0) evenZeros++
    if (bytes[i + 1] === 0) oddZeros++
  }
  if (oddZeros > pairs * 0.7 && evenZeros < pairs * 0.1) return 'utf-16le'
  if (evenZeros > pairs * 0.7 && oddZeros < pairs * 0.1) return 'utf-16be'
  return null
}

function firstNonAscii(bytes: Uint8Array): number {
  for (let i = 0; i < bytes.length; i++) if ((bytes[i] as number) > 0x7f) return i
  return -1
}

function isAscii(bytes: Uint8Array): boolean {
  return firstNonAscii(bytes) === -1
}

/** Bytes that a cut may leave of a UTF-8 character. */
const UTF8_TAIL_MAX = 3

function isUtf8(sample: Uint8Array, cut: boolean): boolean {
  for (let tail = 0; tail <= (cut ? UTF8_TAIL_MAX : 0) && tail <= sample.length; tail++) {
    // Only the bytes of an unfinished character may be missing.
    if (tail > 0 && (sample[sample.length - tail] as number) < 0x80) return false
    try {
      new TextDecoder('utf-8', { fatal: true }).decode(sample.subarray(0, sample.length - tail))
      return true
    } catch {}
  }
  return false
}

/** Characters for each broken byte that make a text UTF-8; in a code page, two letters rarely form a character. */
const CHARACTERS_PER_BROKEN_BYTE_MIN = 10

/** Whether a text is UTF-8 with a few broken bytes: joined from two files, or edited by hand. */
function isNearlyUtf8(sample: Uint8Array): boolean {
  let [characters, broken] = [0, 0]
  for (let at = 0; at < sample.length; at++) {
    const byte = sample[at] as number
    if (byte < 0x80) continue
    const further =
      byte >= 0xc2 && byte < 0xe0 ? 1 : byte >= 0xe0 && byte < 0xf0 ? 2 : byte >= 0xf0 && byte < 0xf5 ? 3 : 0
    let continued = 0
    while (continued < further && ((sample[at + continued + 1] ?? 0) & 0xc0) === 0x80) continued++
    if (further > 0 && continued === further) {
      characters++
      at += further
    } else broken++
  }
  return characters > 0 && characters >= broken * CHARACTERS_PER_BROKEN_BYTE_MIN
}

/** Whether a text that declares a code page is valid UTF-8 by chance: `Ñ²` of windows-1252 is one Cyrillic letter. */
function isByChance(sample: Uint8Array, declared: Encoding | null): boolean {
  if (!isOneByte(declared)) return false
  const beyond = new TextDecoder().decode(sample).match(/\P{ASCII}/gu) ?? []
  const isForeign = (character: string) => !/[\u00a0-\u017f\u2000-\u22ff]/.test(character)
  return beyond.length < EVIDENCE_CHARACTERS_MIN && beyond.every(isForeign)
}

const CODE_PAGES = ['windows-1252', 'cp850', 'cp437'] as const
const COMMON_LETTERS = new Set('áéíóúñüçàèìòùâêôîûãõäöëï')
const COMMON_CAPITALS = new Set('ÁÉÍÓÚÑÜÇÀÈÌÒÙÂÊÔÎÛÃÕÄÖËÏ')
const COMMON_SIGNS = new Set('ºª°²³€Ø±µ·½¼¾ßø«»¿¡®')

/** Minimum of characters beyond ASCII, and of their mean plausibility, to overrule a declaration. */
const EVIDENCE_CHARACTERS_MIN = 5
const EVIDENCE_MEAN_MIN = 1

/**
 * The single-byte code page under which the bytes beyond ASCII look most like our vendors' languages: letters inside
 * words, small letters after small letters, signs outside words. FIEBDC's default cp850 wins a tie with cp437. A
 * declared page stays while its letters are plausible on the whole, or no other page's are clearly so.
 */
function likeliestCodePage(sample: Uint8Array, declared: Encoding | null): Encoding {
  let best: { page: Encoding; mean: number } = { page: 'windows-1252', mean: Number.NEGATIVE_INFINITY }
  for (const page of CODE_PAGES) {
    const { mean, characters } = looksLikeWords(sample, page)
    if (page === declared && (mean >= 0 || characters < EVIDENCE_CHARACTERS_MIN)) return page
    if (mean > best.mean) best = { page, mean }
  }
  return isOneByte(declared) && best.mean < EVIDENCE_MEAN_MIN ? declared : best.page
}

function isOneByte(encoding: Encoding | null): encoding is (typeof CODE_PAGES)[number] {
  return CODE_PAGES.some((page) => page === encoding)
}

/** Mean plausibility of the characters beyond ASCII, and their number. */
function looksLikeWords(sample: Uint8Array, page: Encoding): { mean: number; characters: number } {
  const text = iconv.decode(Buffer.from(sample.buffer, sample.byteOffset, sample.byteLength), page)
  let [score, characters] = [0, 0]
  for (let i = 0; i < text.length; i++) {
    if (text.charCodeAt(i) < 0x80) continue
    score += plausibility(text[i] as string, text[i - 1] ?? ' ', text[i + 1] ?? ' ')
    characters++
  }
  return { mean: score / Math.max(1, characters), characters }
}

function plausibility(letter: string, before: string, after: string): number {
  const isAlone = !isLetter(before) && !isLetter(after)
  if (COMMON_LETTERS.has(letter)) return /[A-Z]/.test(before) && /[A-Z]/.test(after) ? -1 : isAlone ? 1 : 3
  // A lone capital is more likely a sign of another page: Ø, € and · of windows-1252 are Ï, Ç and À of cp850.
  if (COMMON_CAPITALS.has(letter)) return /[a-z]/.test(before) ? -2 : isAlone ? 0 : 2
  const insideWord = /[A-Za-z]/.test(before) && /[A-Za-z]/.test(after)
  if (COMMON_SIGNS.has(letter)) return insideWord ? -2 : 1
  return insideWord ? -3 : -2
}

function isLetter(character: string): boolean {
  return /[A-Za-z]/.test(character) || COMMON_LETTERS.has(character) || COMMON_CAPITALS.has(character)
}
