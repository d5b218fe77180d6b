/** The target of rel=next in a Link header (RFC 8288), as written; null without one. */
export function nextLinkOf(header: string | readonly string[] | undefined): string | null {
  for (const [, target = '', parameters = ''] of [header ?? []].flat().join(', ').matchAll(LINK)) {
    const rel = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,"]+))/i.exec(parameters)
    if ((rel?.[1] ?? rel?.[2] ?? '').toLowerCase().split(/\s+/).includes('next')) return target.trim()
  }
  return null
}
/** `<target>; name="value"; name=value`; a comma within quotes separates no links. */
const LINK = /<([^<>]{1,2000})>((?:\s*;\s*[\w!#$%&'*+.^`|~-]+(?:\s*=\s*(?:"[^"]*"|[^\s;,"]*))?)*)/g
