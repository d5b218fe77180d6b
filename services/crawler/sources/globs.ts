import { plain } from '@catalog/crawler/fetch/robots.ts'

// Addresses of one host by the form of their path:
//   *     anything but "/"
//   **    anything; "**/" behind a "/" may be nothing as well, so that "/a/**/b" is "/a/b" too
// Every other character is itself. A glob with a "?" speaks of path and query, any other one of the path alone. The whole
// of it has to match, in any spelling of its percent-encoding; case matters, as it does to servers.
export function matchesGlob(glob: string, url: URL): boolean {
  const text = spelled(glob.includes('?') ? url.pathname + url.search : url.pathname)
  const pattern = spelled(glob)
  // Most addresses are told by how they begin or end, and a page may have ten thousand.
  const [first = '', ...others] = pattern.split('*')
  if (!text.startsWith(first) || !text.endsWith(others.at(-1) ?? '')) return false
  // Whether what was read of the glob so far can end before this character: no way back, so that no path makes it slow.
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

const spelled = (path: string) => plain(path, /[\w.~-]/)

const GLOB_CHARS_MAX = 500

/** What is wrong with a glob as it is written; null when nothing is. */
export function globProblem(glob: string): string | null {
  // A path begins with "/": without it a glob would match nothing, and nobody would be told.
  const isWhole = glob.startsWith('/') || glob.startsWith('**')
  if (!isWhole) return 'expected a path that begins with / or **, such as /products/*'
  if (/[\s#]/.test(glob)) return 'expected a path without blanks and #'
  return glob.length > GLOB_CHARS_MAX ? `expected at most ${GLOB_CHARS_MAX} characters` : null
}
