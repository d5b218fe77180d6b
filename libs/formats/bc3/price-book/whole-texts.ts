import { foldText } from '@catalog/core/text.ts'
import type { PriceBook } from '@catalog/formats/bc3/price-book/price-book.ts'
import { withoutEvidence } from './priced-book.ts'

/** Programs cut summaries at 28 characters or more. */
const CUT_CHARS_MIN = 20
/** From this share of concepts on, summaries of one length are cut, and not by chance as long. */
const CUT_SHARE = 0.2

/**
 * Reads the text by which a concept is looked up: its summary, and the long text where there is no summary. Many programs cut
 * summaries off; then the long text that repeats it, or goes on where it ends, is the whole one. Where the file has no long text,
 * the line `isCut`, and may mean several items.
 */
export function wholeTexts(
  book: PriceBook,
): (line: { code: string; text: string }) => { text: string; isCut: boolean } {
  const cutAt = cutLength([...book.concepts.values()].map(({ summary }) => summary.trim()))
  return ({ code, text: summary }) => {
    const text = summary.trim()
    const long = withoutEvidence(book.concepts.get(code)?.text ?? '').trim()
    if (text === '') return { text: long, isCut: false }
    // Cut at a blank, the summary is one shorter.
    const isCut = cutAt !== null && (text.length === cutAt || text.length === cutAt - 1)
    if (!isCut) return { text, isCut }
    const begin = foldText(text).slice(0, CUT_CHARS_MIN)
    if (long.length > text.length && foldText(long).startsWith(begin)) return { text: long, isCut: false }
    if (/^[\p{Ll}\d,;.)/]/u.test(long))
      return { text: `${text}${text.length === cutAt ? '' : ' '}${long}`, isCut: false }
    return { text, isCut }
  }
}

/** The length at which a program cut these texts off; null where none did. */
function cutLength(texts: readonly string[]): number | null {
  const counts = Map.groupBy(texts, ({ length }) => length)
  const [[length, found] = [0, []]] = [...counts].sort(([, a], [, b]) => b.length - a.length)
  return length >= CUT_CHARS_MIN && found.length >= CUT_SHARE * texts.length ? length : null
}
