import { detectEncoding, encodingNamed } from '@catalog/formats/bytes/encoding.ts'
import type { ByteSource } from '@catalog/formats/bytes/record.ts'
import { Parser } from 'htmlparser2'
import iconv from 'iconv-lite'

/** Text of HTML pages from web servers, and a bounded walk over their tags. */

/** Longest page, in bytes; product pages have some hundred thousand. */
export const PAGE_BYTES_MAX = 8 * 1024 ** 2
/** Elements open at once. Browsers nest no deeper, and each end tag searches all of them. */
export const PAGE_DEPTH_MAX = 512
/** Bytes at the head that may name the charset. The standard has 1,024, which many pages exceed. */
const CHARSET_BYTES_MAX = 4_096

/** All bytes of a page; null for more than {@link PAGE_BYTES_MAX}. */
export async function pageBytes(source: ByteSource): Promise<Buffer | null> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of source.open()) {
    length += chunk.length
    if (length > PAGE_BYTES_MAX) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, length)
}

/**
 * Decodes a page by its byte order mark; else as UTF-8 when the bytes are; else by the charset of the HTTP header
 * (`charset`, or a whole Content-Type), then of its meta element; else as windows-1252. Never throws: undecodable bytes
 * become U+FFFD.
 */
export function pageText(bytes: Uint8Array, { charset }: Readonly<{ charset?: string | undefined }> = {}): string {
  const label = labelIn(charset ?? '') ?? charsetOfMeta(bytes)
  const { used } = detectEncoding(bytes, { declared: label ?? undefined, cut: false })
  const page = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  // Unlike old files, pages never use a DOS code page.
  return iconv.decode(page, /^utf-/.test(used) ? used : codePageOf(label))
}

/** "text/html; charset=iso-8859-2" and "iso-8859-2" → the label; null for an unknown one. */
function labelIn(text: string): string | null {
  const label = /charset\s*=\s*["']?\s*([\w.:-]{1,40})/i.exec(text)?.[1] ?? /^\s*([\w.:-]{1,40})\s*$/.exec(text)?.[1]
  return label !== undefined && (encodingNamed(label) !== null || LABEL.test(label)) ? label : null
}
/** Charsets of pages beyond encoding.ts; the decoder also knows base64 and other labels that are no charsets. */
const LABEL =
  /^(iso-?8859-?\d{1,2}|(windows-?|cp)125\d|koi8-[ru]|shift_jis|euc-(jp|kr)|gb(k|2312|18030)|big5|macintosh)$/i

function charsetOfMeta(bytes: Uint8Array): string | null {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, CHARSET_BYTES_MAX))
  const meta = /<meta\s[^>]{0,200}?charset\s*=\s*["']?\s*[\w.:-]{1,40}/i.exec(head.toString('latin1'))?.[0]
  return meta === undefined ? null : labelIn(meta)
}

function codePageOf(label: string | null): string {
  if (label === null) return 'windows-1252'
  const named = encodingNamed(label)
  return named === null ? label : 'windows-1252'
}

export type Attributes = Readonly<Record<string, string>>

/** Receives the events of a walk in page order. Names are in lower case; entities are decoded. */
export type PageVisitor = Readonly<{
  open(name: string, attributes: Attributes): void
  /** Text between tags, including scripts and styles; one text may come in several pieces. */
  text?(text: string): void
  close?(name: string): void
}>

/** Walks over the tags of a page. Throws PageTooDeep beyond {@link PAGE_DEPTH_MAX}, and errors of the visitor. */
export function walkPage(html: string, visitor: PageVisitor): void {
  let depth = 0
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (++depth > PAGE_DEPTH_MAX) throw new PageTooDeep(`more than ${PAGE_DEPTH_MAX} elements are open at once`)
        visitor.open(name, attributes)
      },
      ontext: (text) => visitor.text?.(text),
      onclosetag(name) {
        depth--
        visitor.close?.(name)
      },
    },
    { xmlMode: false, decodeEntities: true, lowerCaseTags: true, lowerCaseAttributeNames: true },
  )
  parser.end(html)
}

export class PageTooDeep extends Error {
  override name = 'PageTooDeep'
}

/** The text of a value that may be markup, as in many JSON-LD names and descriptions: "R&oslash;r" → "Rør". */
export function textOfMarkup(value: string): string {
  if (!/<\/?[a-z!][^<>]*>|&(#\d{1,7}|#x[\da-f]{1,6}|[a-z]\w{1,30});/i.test(value)) return value
  let text = ''
  let skipped = ''
  try {
    walkPage(value, {
      open(name) {
        if (NOT_TEXT.has(name)) skipped ||= name
        if (BREAKING.has(name)) text += ' '
      },
      text(piece) {
        if (skipped === '') text += piece
      },
      close(name) {
        if (name === skipped) skipped = ''
        if (BREAKING.has(name)) text += ' '
      },
    })
  } catch (error) {
    if (!(error instanceof PageTooDeep)) throw error
  }
  return text
}
export const NOT_TEXT: ReadonlySet<string> = new Set(['script', 'style', 'template', 'noscript'])
const BREAKING: ReadonlySet<string> = new Set(['br', 'p', 'div', 'li', 'ul', 'ol', 'tr', 'td', 'th', 'h1', 'h2', 'h3'])

/** An absolute web address without its fragment; null for anything else (mailto:, javascript:). */
export function webAddress(written: string, base?: string): string | null {
  const text = written.trim()
  if (text === '' || text.length > ADDRESS_CHARS_MAX || !URL.canParse(text, base)) return null
  const url = new URL(text, base)
  if (!/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') return null
  url.hash = ''
  return url.href.length > ADDRESS_CHARS_MAX ? null : url.href
}
/** Longest address; an observation carries no longer one, and sitemaps end at 2,048. */
const ADDRESS_CHARS_MAX = 2_000
