/** Whether a page asks to be left out, or its links not to be followed. */
export type RobotsTag = Readonly<{ noindex: boolean; nofollow: boolean }>

/** Rules whose value follows behind a colon, where else a crawler is named. */
const VALUED = new Set(['unavailable_after', 'max-snippet', 'max-image-preview', 'max-video-preview'])

/**
 * What X-Robots-Tag says to everybody or to `product`; `lines` are those of the header, one below the other. A line may begin
 * with the crawler that it is for: "noindex", "otherbot: noindex, nofollow". A tag that is not known says nothing.
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
