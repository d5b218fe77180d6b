import type { ByteSource } from './record.ts'

/** Bytes at the head of a file that show its format: licences precede XML, and lines of JSON are long. */
const HEAD_BYTES = 65_536

/** The head of a file, with one character for each byte. */
export async function headOf(source: ByteSource): Promise<string> {
  let head = ''
  for await (const chunk of source.open()) {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
    head += bytes.toString('latin1', 0, HEAD_BYTES - head.length)
    if (head.length >= HEAD_BYTES) break
  }
  return head
}

/** Compound files, such as workbooks of Excel 97 to 2003, begin with these bytes ([MS-CFB] 2.2). */
const COMPOUND_FILE = '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'

/** Archives that nobody opens here begin with these bytes. */
const SEVEN_ZIP = '7z\xbc\xaf\x27\x1c'
const RAR = 'Rar!\x1a\x07'

/**
 * The format of a file by its head; `xml` is unknown markup, `xls` a workbook before XLSX, `7z` and `rar` are archives. CSV is the
 * default.
 */
export function formatOfHead(head: string) {
  if (head.startsWith(COMPOUND_FILE)) return 'xls'
  if (head.startsWith(SEVEN_ZIP)) return '7z'
  if (head.startsWith(RAR)) return 'rar'
  if (head.startsWith('PK\x03\x04')) return head.includes('[Content_Types].xml') ? 'xlsx' : 'zip'
  if (/^[^|]{0,1000}~[A-Z]\s*\|/.test(head)) return 'bc3'
  const text = textOf(head)
  if (/^\s*</.test(text)) return formatOfMarkup(text)
  if (/^\s*#begin\[GAEB\]/.test(text)) return 'gaeb-2000'
  if (GAEB_90.test(text)) return 'gaeb-90'
  if (/^\s*\{/.test(text)) return isJsonLines(text) ? 'jsonl' : 'json'
  // A table may begin with "[Code];[Price]".
  return /^\s*\[\s*[{}[\]"\d-]/.test(text) ? 'json' : 'csv'
}

/** The bills of tenders in Germany and Austria: GAEB DA XML, GAEB 2000, GAEB 90 and ÖNORM A 2063. */
const TENDER_FORMATS = ['gaeb-xml', 'gaeb-2000', 'gaeb-90', 'onorm'] as const
export type TenderFormat = (typeof TENDER_FORMATS)[number]

export const isTender = (format: string): format is TenderFormat => TENDER_FORMATS.some((one) => one === format)

/** An opening record with its phase and the mask of numbers, behind a block of comments. */
const GAEB_90 = /^\s*(?:T0[\s\S]{0,60000}?\nT9[^\n]*\n)?00.{8}8\d.{50}(?=.{0,8}P)[ \dPI]{9}/

/** The head without a byte order mark, and UTF-16 as if it were ASCII. */
function textOf(head: string): string {
  return head.replaceAll('\0', '').replace(/^(\xef\xbb\xbf|\xff\xfe|\xfe\xff)/, '')
}

/**
 * Whether a line ends one object and the next line begins another, which no JSON document does. One object without a
 * list counts too: it is valid in both formats.
 */
function isJsonLines(text: string): boolean {
  return /^\s*\{[^\n]*\}[\t\r ]*\n\s*\{/.test(text) || /^\s*\{[^\n[]*\}\s*$/.test(text)
}

/** The format of XML and HTML by the first element; a page may have only a document type. */
function formatOfMarkup(text: string) {
  const root = rootOf(text)
  if (root === 'BMECAT') return 'bmecat'
  if (root === 'GAEB') return 'gaeb-xml'
  if (root === 'onlv' || root === 'onlb') return 'onorm'
  if (FEED_ROOTS.has(root)) return 'merchant'
  return /^html$/i.test(root) || /<!doctype\s+html\b/i.test(text) ? 'html' : 'xml'
}

/**
 * RSS 2.0, with or without its outermost element, Atom, and RSS 1.0; feeds of price comparisons: Yandex, Heureka, Ceneo and
 * Skroutz.
 */
const FEED_ROOTS: ReadonlySet<string> = new Set('rss channel feed RDF yml_catalog SHOP offers mywebstore'.split(' '))

/** The first element of a markup, without its prefix; '' when the head has none. */
export function rootOf(head: string): string {
  const text = textOf(head)
  let at = text.indexOf('<')
  while (at !== -1) {
    const skipped = PROLOG.find(({ open }) => text.startsWith(open, at))
    if (skipped === undefined) return /<(?:[\w.-]{1,80}:)?([\w.-]{1,80})/y.exec(text.slice(at))?.[1] ?? ''
    const end = text.indexOf(skipped.close, at)
    at = end === -1 ? -1 : text.indexOf('<', end)
  }
  return ''
}

/** Constructs before the first element. A declaration inside a document type is skipped like the type itself. */
const PROLOG = [
  { open: '<!--', close: '-->' },
  { open: '<?', close: '?>' },
  { open: '<!', close: '>' },
] as const
