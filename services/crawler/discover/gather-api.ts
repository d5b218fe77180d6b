import { readFile } from 'node:fs/promises'
import { sha256Hex } from '@catalog/core/digest.ts'
import type { EntryPoint, Paging } from '@catalog/crawler/sources/sources-file.ts'
import { jsonOrUndefined } from '@catalog/formats/bytes/sound-json.ts'
import { JSON_CHARS_MAX, readJson } from '@catalog/formats/tables/json.ts'
import { settledFormat } from './document-format.ts'
import type { Body, FetchOutcome, Frontier, FrontierRequest } from './frontier.ts'
import { secured } from './gather-pages.ts'

type Api = Extract<EntryPoint, { kind: 'api' }>

/** The longest page that the JSON reader takes. An API with pages has some thousand records on each. */
const API_BYTES_MAX = JSON_CHARS_MAX

/**
 * Fetches the pages of a JSON API in order, since each page leads to the next. `conditions` apply to the first page,
 * whose outcome is returned.
 *
 * Without `paging`, the headers of an answer lead to the next page: Link, or a number of pages.
 *
 * The chain ends when it leads back to an earlier page, or repeats its bytes or its records: many APIs answer with their last
 * page beyond their end, under the requested number. With a counted parameter that is a normal end, as is a 404. Otherwise
 * pages are missing.
 */
export async function gatherApi(
  { url: address, records, paging }: Api,
  { conditions, frontier }: Readonly<{ conditions: Omit<FrontierRequest, 'bytesMax'>; frontier: Frontier }>,
): Promise<FetchOutcome> {
  const isCounted = paging?.kind === 'page'
  const requested = new Set<string>()
  const digests = new Set<string>()
  let first: FetchOutcome | null = null
  let url: URL | null = isCounted ? withParameter(address, paging.parameter, paging.from) : new URL(address)
  while (url !== null && !requested.has(url.href) && frontier.admit(url.href)) {
    requested.add(url.href)
    const outcome = await frontier.fetch(url.href, { bytesMax: API_BYTES_MAX, ...(first === null && conditions) })
    const isFirst = first === null
    first ??= outcome
    if (outcome.status === 'gone' && (isFirst || !isCounted)) frontier.reportIncomplete('GONE', outcome.sentence)
    if (outcome.status === 'missed') frontier.markIncomplete()
    if (outcome.status !== 'fetched') return first
    const { body } = outcome
    const text = (await readFile(body.file, 'utf8')).replace(/^\ufeff/, '')
    const page = jsonOrUndefined(text)
    const content = contentDigest(page, records) ?? body.sha256
    if (digests.has(content)) {
      const detail = `${url.href}: the same records as an earlier page, expected others`
      if (isCounted) frontier.report('PAGES_REPEAT', detail)
      else frontier.reportIncomplete('PAGES_REPEAT', detail)
      await frontier.discard(body, { isSettled: false })
      return first
    }
    digests.add(content)
    if (isCounted && !isFirst && page !== undefined && !(await hasRecords(text, records))) {
      await frontier.discard(body, { isSettled: true })
      return first
    }
    const format = page === undefined ? await settledFormat(body, { format: 'json', frontier }) : 'json'
    await frontier.keep(body, { kept: 'document', format, records: format === 'json' ? (records ?? null) : null })
    frontier.reportProgress(0)
    if (paging === undefined) {
      url = linkedFrom(body, { url, frontier })
      continue
    }
    if (page === undefined) {
      frontier.reportIncomplete('NOT_JSON', `${url.href}: expected JSON with the place of the next page`)
      return first
    }
    url = nextOf(page, { paging, url, body, frontier })
  }
  if (url !== null && requested.has(url.href)) {
    frontier.reportIncomplete('PAGES_REPEAT', `${url.href}: was fetched before, expected the address of another page`)
  }
  // The first page may be unchanged while a later one changes: such a chain has no validators.
  return first === null || (paging === undefined && digests.size > 1) ? { status: 'settled' } : first
}

/** The next page by the headers, which need no `paging`; null after the last page. */
function linkedFrom({ url: address, nextLink }: Body, { url, frontier }: { url: URL; frontier: Frontier }): URL | null {
  return nextLink === null ? null : sameHost(nextLink, { from: new URL(address), url, frontier })
}

type Reached = Readonly<{ paging: Paging; url: URL; body: Body; frontier: Frontier }>

/** Null after the last page. */
function nextOf(page: unknown, { paging, url, body, frontier }: Reached): URL | null {
  if (paging.kind === 'page') {
    const last = Number(url.searchParams.get(paging.parameter))
    return withParameter(url.href, paging.parameter, last + paging.step)
  }
  const value = valueAt(page, paging.path)
  if (value === undefined || value === null || value === '' || value === false) return null
  if (paging.kind === 'cursor') {
    if (typeof value === 'string' || typeof value === 'number') return withParameter(url.href, paging.parameter, value)
    frontier.reportIncomplete(
      'BAD_NEXT',
      `${url.href}: '${paging.path}' is ${typeof value}, expected a text or a number`,
    )
    return null
  }
  const from = new URL(body.url)
  if (typeof value !== 'string' || !URL.canParse(value, body.url)) {
    frontier.reportIncomplete(
      'BAD_NEXT',
      `${url.href}: '${paging.path}' is ${JSON.stringify(value).slice(0, 200)}, expected an address`,
    )
    return null
  }
  return sameHost(value, { from, url, frontier })
}

function sameHost(
  value: string,
  { from, url, frontier }: Readonly<{ from: URL; url: URL; frontier: Frontier }>,
): URL | null {
  if (!URL.canParse(value, from.href)) return null
  const next = secured(value, from)
  next.hash = ''
  if (next.host === from.host) return next
  frontier.reportIncomplete('OTHER_HOST', `${url.href}: the next page is ${next.href}, expected one of ${from.host}`)
  return null
}

function withParameter(address: string, parameter: string, value: string | number): URL {
  const url = new URL(address)
  url.searchParams.set(parameter, String(value))
  return url
}

/** The value at a path of keys and array indexes, such as links.next; undefined where there is none. */
function valueAt(page: unknown, path: string): unknown {
  return path.split('.').reduce((at, key) => (isObject(at) && Object.hasOwn(at, key) ? at[key] : undefined), page)
}

/**
 * The digest of a page's records, at the first list of their path; without a path, of all lists of the page. Leaves out the
 * numbers and addresses around them, which differ from page to page. Null without records, and for a page that is nested too
 * deep.
 */
function contentDigest(page: unknown, records: string | undefined): string | null {
  const [path = '.'] = records?.split('[*]') ?? []
  try {
    const found = records === undefined ? listsIn(page) : path === '.' || path === '' ? page : valueAt(page, path)
    const text = JSON.stringify(found ?? null)
    return NO_RECORDS.has(text) ? null : sha256Hex(text)
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}
const NO_RECORDS: ReadonlySet<string> = new Set(['null', '[]', '{}'])

/** The lists of a document with their keys; null without any. */
function listsIn(value: unknown): unknown {
  if (!isObject(value)) return null
  if (Array.isArray(value)) return value.length === 0 ? null : value
  const lists = Object.entries(value).map(([key, one]) => [key, listsIn(one)] as const)
  const found = lists.filter(([, list]) => list !== null)
  return found.length === 0 ? null : found
}
const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/** Applies the rule of the JSON reader; a broken record counts. */
async function hasRecords(text: string, records: string | undefined): Promise<boolean> {
  const pieces = async function* () {
    yield text
  }
  for await (const batch of readJson(pieces(), { name: '', records })) {
    if (batch.some((record) => !('endsFile' in record))) return true
  }
  return false
}
