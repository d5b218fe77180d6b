import { MicrodataReader } from './microdata.ts'
import { type Attributes, walkPage, webAddress } from './page.ts'
import { RdfaReader } from './rdfa.ts'
import type { Thing } from './schema-org.ts'

/** The parts of a page that offers are read from. */
export type PageParts = Readonly<{
  /** The canonical address of the page, else the fetched one; null without either. */
  address: string | null
  base: string | undefined
  lang: string
  scripts: readonly string[]
  /** Of microdata and RDFa. */
  microdata: readonly Thing[]
  /** Contents of meta elements by property or name, in lower case. */
  metas: ReadonlyMap<string, readonly string[]>
}>

/** Throws PageTooDeep and MicrodataTooLarge. */
export function partsOf(html: string, fetchedFrom: string | undefined): PageParts {
  const microdata = new MicrodataReader()
  const rdfa = new RdfaReader()
  const scripts: string[] = []
  const metas = new Map<string, string[]>()
  let [lang, base, canonical]: [string, string | undefined, string | null] = ['', fetchedFrom, null]
  let script: string[] | null = null
  walkPage(html, {
    open(name, attributes: Attributes) {
      microdata.open(name, attributes)
      rdfa.open(name, attributes)
      if (name === 'html') lang ||= attributes.lang ?? attributes['xml:lang'] ?? ''
      if (name === 'base') base = webAddress(attributes.href ?? '', fetchedFrom) ?? base
      if (name === 'link' && /(^|\s)canonical(\s|$)/i.test(attributes.rel ?? '')) {
        canonical ??= webAddress(attributes.href ?? '', base)
      }
      if (name === 'script' && /^\s*application\/ld\+json\b/i.test(attributes.type ?? '')) script = []
      const key = (name === 'meta' && (attributes.property ?? attributes.name))?.toString().toLowerCase()
      const content = attributes.content?.trim() ?? ''
      if (key === undefined || !/^(og|product):/.test(key) || content === '') return
      const known = metas.get(key)
      if (known === undefined) metas.set(key, [content])
      else known.push(content)
    },
    text(text) {
      if (script !== null) script.push(text)
      else {
        microdata.text(text)
        rdfa.text(text)
      }
    },
    close(name) {
      microdata.close()
      rdfa.close()
      if (name !== 'script' || script === null) return
      const whole = script.join('')
      if (whole.trim() !== '' && scripts.length < SCRIPTS_MAX) scripts.push(whole)
      script = null
    },
  })
  const address = canonical ?? (fetchedFrom === undefined ? null : webAddress(fetchedFrom))
  return {
    address,
    base: base ?? canonical ?? undefined,
    lang,
    scripts,
    microdata: [...microdata.things(), ...rdfa.things()],
    metas,
  }
}
/** Scripts read of one page. */
const SCRIPTS_MAX = 200
