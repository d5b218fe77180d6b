/** Globs for names of files in an archive and of sheets. */

/**
 * Whether a glob matches a name: `*` is any text without "/", `?` one character. A glob without "/" also matches the last part of
 * a path. Case and the composition of accents do not matter. Takes time linear in the product of both lengths.
 */
export function matchesName(glob: string, name: string): boolean {
  const pattern = folded(glob)
  const path = folded(name)
  return matches(pattern, path) || (!pattern.includes('/') && matches(pattern, path.slice(path.lastIndexOf('/') + 1)))
}

/** Whether a text has a sign of a glob. */
export function isGlob(text: string): boolean {
  return /[*?]/.test(text)
}

const folded = (text: string) => text.normalize('NFC').toLowerCase()

/** Remembers the last `*` alone: a later one never needs more text for an earlier one. */
function matches(glob: string, text: string): boolean {
  let [at, from] = [0, 0]
  let star: { glob: number; text: number } | null = null
  while (from < text.length) {
    if (glob[at] === '*') star = { glob: ++at, text: from }
    else if (at < glob.length && (glob[at] === '?' || glob[at] === text[from])) {
      at++
      from++
    } else if (star !== null && text[star.text] !== '/') {
      star = { glob: star.glob, text: star.text + 1 }
      at = star.glob
      from = star.text
    } else return false
  }
  while (glob[at] === '*') at++
  return at === glob.length
}
