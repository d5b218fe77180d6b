import { type Crawled, summaryOf } from './crawl-shop.ts'

/** What a crawl made of a behaviour, in one line, by the names that the tables use. */

const requestsOf = ({ visits }: Crawled) => visits.filter(({ path }) => !path.startsWith('/robots'))
const distinct = (texts: readonly (string | undefined)[]) => [...new Set(texts)].join()
const codesOf = ({ report }: Crawled) => report.problems.map(({ code }) => code).join()
const sentenceOf = ({ report }: Crawled) => report.problems[0]?.detail ?? ''

/** Control, bidirectional, zero-width and tag characters, which nobody sees. */
const UNSEEN = /[\p{Cc}\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/u
const textsOf = ({ observations, parked }: Crawled) => [
  ...observations.flatMap(({ name, description = '' }) => [name, description]),
  ...parked.map(({ detail }) => detail),
]

/** The least seconds between two requests after robots.txt. */
function spacing({ visits }: Crawled): string {
  const times = visits.slice(1).map(({ atMs }) => atMs)
  const gaps = times.slice(1).map((atMs, n) => atMs - (times[n] as number))
  return `${gaps.length + 1} requests, ${Math.round(Math.min(...gaps) / 1000)} s apart`
}

/** The wait before the second request, in whole seconds. */
function wait(crawled: Crawled): string {
  const [first, second] = requestsOf(crawled)
  const seconds = first && second ? Math.floor((second.atMs - first.atMs) / 1000) : 0
  return `${summaryOf(crawled)}; waited ${seconds} s`
}

/** How many requests reached the operator's own network. */
function inner(crawled: Crawled): string {
  const isRefused = crawled.report.problems.some(({ detail }) =>
    detail.includes('expected an address of the public internet'),
  )
  return `${isRefused ? 'refused as not public' : summaryOf(crawled)}, ${crawled.innerVisits.length} inner requests`
}

function prototype(crawled: Crawled): string {
  const isWhole = Object.keys(Object.prototype).length === 0 && !('polluted' in {})
  return `${summaryOf(crawled)}, ${isWhole ? 'prototype whole' : 'prototype changed'}`
}

function anotherHost(crawled: Crawled): string {
  const paths = crawled.visits.filter(({ host }) => host.startsWith('other.')).map(({ path }) => path)
  return [summaryOf(crawled), ...paths].join('; ')
}

export const FINDINGS: Readonly<Record<string, (crawled: Crawled) => string>> = {
  summary: summaryOf,
  requests: (crawled) => `${summaryOf(crawled)}; ${requestsOf(crawled).length} requests`,
  'requests of another host': anotherHost,
  'requests of the own network': inner,
  pages: ({ visits }) =>
    visits
      .map(({ path }) => path)
      .filter((path) => path.startsWith('/p'))
      .join() || 'no page',
  'pages and problems': (crawled) => `${requestsOf(crawled).length} pages, ${codesOf(crawled)}`,
  spacing,
  wait,
  resumed: ({ visits, report }) =>
    `${report.read} read, ${visits.filter(({ headers }) => headers['if-range'] === '"1"').length} resumed`,
  names: ({ observations }) => observations.map(({ name }) => name).join() || 'nothing',
  'unseen characters': (crawled) =>
    `${summaryOf(crawled)}, ${textsOf(crawled).some((text) => UNSEEN.test(text)) ? 'with' : 'without'} unseen characters`,
  prototype,
  'records and outcome': ({ observations, report }) => `${observations.length} records, ${report.outcome}`,
  'records and dead letters': ({ observations, parked }) =>
    `${observations.length} records, ${parked.map(({ reason }) => reason).join()}`,
  challenge: (crawled) => /a challenge of Cloudflare/.exec(sentenceOf(crawled))?.[0] ?? 'nothing',
  'length of the sentence': (crawled) =>
    `${summaryOf(crawled)}, ${sentenceOf(crawled).length <= 500 ? 'short' : 'long'} sentence`,
  /** Each request with the cookies that it sent. */
  cookies: ({ visits }) =>
    visits.map(({ host, path, headers }) => `${host.split('.')[0]}${path} ${headers.cookie ?? '-'}`).join(', '),
  'number of cookies': (crawled) =>
    `${summaryOf(crawled)}; ${crawled.visits.filter(({ headers }) => 'cookie' in headers).length} cookies`,
  methods: (crawled) => `${summaryOf(crawled)}; ${distinct(crawled.visits.map(({ method }) => method))}`,
  'user agents': ({ visits }) => distinct(visits.map(({ headers }) => headers['user-agent'])),
}
