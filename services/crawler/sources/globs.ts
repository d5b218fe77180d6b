import { normalisedEncoding } from '@catalog/crawler/fetch/robots.ts'

// Matches the path of an address on one host:
//   * anything but "/"
//   ** anything; "**/" after a "/" may be empty, so that "/a/**/b" matches "/a/b" Every other character matches itself.
//   A glob with a "?" matches path and query, any other glob the path alone. It must match the whole path, in any
//   spelling of the percent-encoding. Case matters, as it does to servers.
export function matchesGlob(glob: string, url: URL): boolean {
  const text = normalised(glob.includes('?') ? url.pathname + url.search : url.pathname)
  const pattern = normalised(glob)
  // A page may have ten thousand addresses, and beginning or end rule out most of them.
  const [first = '', ...others] = pattern.split('*')
  if (!text.startsWith(first) || !text.endsWith(others.at(-1) ?? '')) return false
  // Whether the tokens so far can end before each character. Without backtracking, no path is slow.
  let ends = Array.from({ length: text.length + 1 }, (_, at) => at === 0)
  for (const [token] of pattern.matchAll(TOKENS)) ends = step(ends, text, token)
  return ends[text.length] as boolean
}
const TOKENS = /(?<=^|\/)\*\*\/|\*{2,}|\*|[^*]+/g

function step(ends: readonly boolean[], text: string, token: string): boolean[] {
  let isOpen = false
  switch (token) {
    case '*':
      return ends.map((isEnd, at) => {
        isOpen = isEnd || (isOpen && text[at - 1] !== '/')
        return isOpen
      })
    case '**/':
      return ends.map((isEnd, at) => {
        const isHere = isEnd || (isOpen && text[at - 1] === '/')
        isOpen ||= isEnd
        return isHere
      })
    default:
      if (!token.startsWith('**')) return ends.map((_, at) => endsWith(ends, text, { token, at }))
      return ends.map((isEnd) => {
        isOpen ||= isEnd
        return isOpen
      })
  }
}

function endsWith(ends: readonly boolean[], text: string, { token, at }: { token: string; at: number }): boolean {
  const from = at - token.length
  return from >= 0 && ends[from] === true && text.startsWith(token, from)
}

const normalised = (path: string) => normalisedEncoding(path, /[\w.~-]/)

const GLOB_CHARS_MAX = 500

/** A sentence about the mistake in a glob; null for a valid one. */
export function globProblem(glob: string): string | null {
  // Every path begins with "/", so any other glob would silently match nothing.
  const isWhole = glob.startsWith('/') || glob.startsWith('**')
  if (!isWhole) return 'expected a path that begins with / or **, such as /products/*'
  if (/[\s#]/.test(glob)) return 'expected a path without blanks and #'
  return glob.length > GLOB_CHARS_MAX ? `expected at most ${GLOB_CHARS_MAX} characters` : null
}
