import { readDataFile } from '@catalog/core/data-file.ts'
import iconv from 'iconv-lite'

/** The plain text of Rich Text Format, as GAEB 2000 carries it. */

const { silent, spoken } = readDataFile(import.meta.url, 'rtf.yaml') as Readonly<{
  silent: readonly string[]
  spoken: Readonly<Record<string, string>>
}>
const SILENT = new Set(silent)
const SPOKEN = new Map(Object.entries(spoken))

export const isRtf = (text: string) => /^\s*\{\\rtf/.test(text)

const TOKEN =
  /\\'(?<byte>[0-9a-f]{2})|\\(?<word>[a-z]{1,32})(?<number>-?\d{1,10})?(?:\r?\n| )?|\\(?<sign>[^a-z])|(?<brace>[{}])|(?<plain>[^\\{}]+)/gi

/**
 * The text of an RTF document: bytes in windows-1252, Unicode by \u. A line end in the source is a blank behind text, where programs
 * wrapped it, and nothing behind a group. Takes linear time.
 */
export function rtfText(rtf: string): string {
  let text = ''
  /** Of each open group: whether its text counts, and how many characters follow a \u for old readers. */
  const groups = [{ isSilent: false, fallback: 1 }]
  let skipped = 0
  let isBehindText = false
  for (const { groups: token = {} } of rtf.matchAll(TOKEN)) {
    const group = groups.at(-1) as (typeof groups)[number]
    const { byte, word, number = '1', sign, brace, plain } = token
    let said = ''
    if (brace === '{') groups.push({ ...group })
    else if (brace === '}' && groups.length > 1) groups.pop()
    else if (byte !== undefined) said = iconv.decode(Buffer.from([Number.parseInt(byte, 16)]), 'windows-1252')
    else if (sign === '*' || SILENT.has(word ?? '')) group.isSilent = true
    else if (sign !== undefined) said = SPOKEN.get(sign) ?? sign
    else if (word === 'uc') group.fallback = Math.min(Number(number), 10)
    else if (word !== undefined && word !== 'u') said = SPOKEN.get(word) ?? ''
    else if (plain !== undefined) said = plain.replace(/^\s*\n\s*/, isBehindText ? ' ' : '').replace(/\s*\n\s*/g, ' ')
    const kept = said.slice(skipped)
    skipped = Math.max(0, skipped - said.length)
    if (word === 'u') skipped = group.fallback
    if (!group.isSilent) text += word === 'u' ? String.fromCharCode(Number(number) & 0xffff) : kept
    isBehindText = plain !== undefined || byte !== undefined
  }
  return text
}
