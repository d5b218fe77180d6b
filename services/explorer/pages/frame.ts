import { LANGUAGES, sayIn } from '@catalog/explorer/languages/language.ts'
import { frame, html, ICON, type Markup } from '@catalog/pages/markup.ts'
import { ASSETS } from './assets.ts'
import { marketOptions } from './parts.ts'
import { FORMS, type PageRecord } from './records.ts'
import { linkTo, type View } from './view.ts'

/** The data of a page in other forms, each an address of the API. */
export type DataLinks = Readonly<{ json: string; feed?: string }>

export type Page = Readonly<{
  /** Heading of the page and title of the browser tab. */
  title: string
  body: Markup
  description?: string
  /** The typed question. */
  query?: string
  data?: DataLinks
  /** What the page lists: its address with `.csv` and `.md` gives the same. */
  records?: readonly PageRecord[]
  /** JSON-LD that search engines read; an object of schema.org. */
  structured?: object
  /** The path of the navigation that the page belongs to. */
  current?: string
  /** A page that the start shows has its heading in its body. */
  hasOwnHeading?: boolean
  /** Seconds after which the browser asks again. */
  refreshSeconds?: number
}>

/** A whole document for one reader. */
export function pageOf(view: View, page: Page): Markup {
  const { say, language } = view
  const { title, body, description = say('tagline'), hasOwnHeading = false } = page
  return frame({
    title: `${title} · ${say('catalog')}`,
    language,
    head: html`<meta name="description" content="${description}">
!${page.refreshSeconds === undefined ? '' : html`<meta http-equiv="refresh" content="${page.refreshSeconds}">`}
<link rel="stylesheet" href="${ASSETS.style.path}">
!${ICON}
!${alternatesOf(view)}
!${page.data?.feed === undefined ? '' : html`<link rel="alternate" type="application/atom+xml" href="${page.data.feed}">`}
!${page.structured === undefined ? '' : `<script type="application/ld+json">${jsonInMarkup(page.structured)}</script>`}
<script src="${ASSETS.script.path}" type="module"></script>`,
    body: html`<a class="skip" href="#content">${say('skip')}</a>
!${headerOf(view, page)}
<main id="content" tabindex="-1">
!${hasOwnHeading ? '' : html`<h1>${title}</h1>`}
!${body}
!${page.data === undefined ? '' : dataOf(view, page)}
</main>
!${footerOf(view)}`,
  })
}

/** The canonical address of the page, and the same page in each language. */
function alternatesOf(view: View): Markup {
  const addressIn = (language: string | undefined) => {
    const url = new URL(view.address)
    if (language === undefined) url.searchParams.delete('lang')
    else url.searchParams.set('lang', language)
    return `${view.origin}${url.pathname}${url.search}`
  }
  const languages = LANGUAGES.map(
    (language) => html`<link rel="alternate" hreflang="${language}" href="${addressIn(language)}">`,
  )
  return html`<link rel="canonical" href="${addressIn(view.isLanguageChosen ? view.language : undefined)}">
!${languages}<link rel="alternate" hreflang="x-default" href="${addressIn(undefined)}">`
}

/** No text can end the script element or begin a comment in it. */
const jsonInMarkup = (value: object) => JSON.stringify(value).replaceAll('<', '\\u003c')

const PAGES = [
  ['/categories', 'categories'],
  ['/changes', 'changes'],
  ['/compare', 'compare'],
  ['/bill', 'bill'],
  ['/sources', 'sources'],
] as const

function headerOf(view: View, { query = '', current }: Page): Markup {
  const { say } = view
  const links = PAGES.map(([path, key]) => {
    const isCurrent = path === current ? ' aria-current="page"' : ''
    return html`<li><a href="${linkTo(view, path)}"!${isCurrent}>${say(key)}</a></li>`
  })
  return html`<header>
<a class="home" href="${linkTo(view, '/')}">${say('catalog')}</a>
<form class="search" action="/search" role="search">
<label class="unseen" for="q">${say('searchLabel')}</label>
<input id="q" name="q" type="search" value="${query}" placeholder="${say('searchHint')}" autocomplete="off" minlength="2" maxlength="256" required>
!${marketChoice(view)}
!${view.isLanguageChosen ? html`<input type="hidden" name="lang" value="${view.language}">` : ''}
<button>${say('search')}</button>
</form>
<nav aria-label="${say('menu')}"><ul>!${links}</ul></nav>
</header>`
}

/** The market of a search; the script sends another choice at once. */
function marketChoice(view: View): Markup {
  return html`<label class="unseen" for="market">${view.say('market')}</label>
<select id="market" name="price_region">!${marketOptions(view)}</select>`
}

function dataOf(view: View, { data, records }: Page): Markup {
  const { say, origin, address } = view
  const { json, feed } = data as DataLinks
  const [, csv, markdown] = FORMS.map((form) =>
    records === undefined ? undefined : `${address.pathname}.${form}${address.search}`,
  )
  const links = [
    [say('asJson'), json],
    // The start page has no name before its suffix.
    [say('asCsv'), address.pathname === '/' ? undefined : csv],
    [say('asMarkdown'), address.pathname === '/' ? undefined : markdown],
    [say('asFeed'), feed],
  ].flatMap(([name, href]) => (href === undefined ? [] : [html`<li><a href="${href}">${name}</a></li>`]))
  return html`<section class="data" aria-labelledby="data"><h2 id="data">${say('data')}</h2>
<ul>!${links}</ul>
<p><span>${say('asCurl')}</span> <code>curl '${new URL(json, origin).href}'</code></p></section>`
}

function footerOf(view: View): Markup {
  const { say, address } = view
  const languages = LANGUAGES.map((language) => {
    const url = new URL(address)
    url.searchParams.set('lang', language)
    const isCurrent = language === view.language ? ' aria-current="true"' : ''
    const name = sayIn(language)('language')
    return html`<li><a href="${url.pathname + url.search}" hreflang="${language}" lang="${language}"!${isCurrent}>${name}</a></li>`
  })
  return html`<footer>
<nav aria-label="${say('languageLabel')}"><ul>!${languages}</ul></nav>
<ul><li><a href="/docs">${say('documentation')}</a></li><li><a href="/plans">${say('plans')}</a></li><li><a href="/console">${say('account')}</a></li></ul>
</footer>`
}
