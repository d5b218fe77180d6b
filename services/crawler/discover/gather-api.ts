import { readFile } from 'node:fs/promises'
import type { EntryPoint, Paging } from '@catalog/crawler/sources/sources-file.ts'
import { JSON_CHARS_MAX, readJson } from '@catalog/formats/tables/json.ts'
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
 * The chain ends when it leads back to an earlier page or repeats the same bytes. With a counted parameter that is a
 * normal end, as is a 404. Otherwise pages are missing.
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
    if (digests.has(body.sha256)) {
      const detail = `${url.href}: the same bytes as an earlier page, expected others`
      if (isCounted) frontier.report('PAGES_REPEAT', detail)
      else frontier.reportIncomplete('PAGES_REPEAT', detail)
      await frontier.discard(body, { isSettled: false })
      return first
    }
    digests.add(body.sha256)
    const text = (await readFile(body.file, 'utf8')).replace(/^\ufeff/, '')
    const page = paging === undefined ? undefined : jsonOf(text)
    if (isCounted && !isFirst && page !== undefined && !(await hasRecords(text, records))) {
      await frontier.discard(body, { isSettled: true })
      return first
    }
    await frontier.keep(body, { kept: 'document', format: 'json', records: records ?? null })
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
const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

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
