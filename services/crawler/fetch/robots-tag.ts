/** Whether a page asks crawlers not to index it, or not to follow its links. */
export type RobotsTag = Readonly<{ noindex: boolean; nofollow: boolean }>

/** Rules with a value after a colon, where other rules have a crawler's name before it. */
const VALUED = new Set(['unavailable_after', 'max-snippet', 'max-image-preview', 'max-video-preview'])

/**
 * Reads X-Robots-Tag for everybody or for `product`; `lines` are the header's values. A line may begin with its
 * crawler, as in "otherbot: noindex, nofollow". Ignores unknown tags.
 */
export function readRobotsTag(lines: string | null, product: string): RobotsTag {
  const rules = new Set<string>()
  for (const line of (lines ?? '').toLowerCase().split('\n')) {
    let isForUs = true
    for (const part of line.split(',')) {
      const [, name, rest] = /^\s*([\w-]+)\s*:(.*)$/.exec(part) ?? []
      const isNamed = name !== undefined && !VALUED.has(name)
      if (isNamed) isForUs = name === product || name === 'robots'
      if (isForUs) rules.add((isNamed ? (rest ?? '') : part).trim())
    }
  }
  const asks = (rule: string) => rules.has(rule) || rules.has('none')
  return { noindex: asks('noindex'), nofollow: asks('nofollow') }
}
