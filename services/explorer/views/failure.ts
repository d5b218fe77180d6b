import type { Page } from '@catalog/explorer/pages/frame.ts'
import { linkTo, type View } from '@catalog/explorer/pages/view.ts'
import { html } from '@catalog/pages/markup.ts'

export type Failure = Readonly<{
  status: number
  code: string
  /** The value, its place and the expectation. */
  details: string
  retryAfterSeconds: number | undefined
  requestId: string
}>

/** Waits of a page that loads by itself: at most an hour. */
const REFRESH_MAX_SECONDS = 3_600
/** Where the server names no wait. */
const RETRY_SECONDS = 10

/** What went wrong, and what the reader can do. */
export function failurePage(view: View, { status, code, details, retryAfterSeconds, requestId }: Failure): Page {
  const { say } = view
  const home = html`<p><a href="${linkTo(view, '/')}">${say('home')}</a></p>`
  if (status === 429 || status === 503) {
    const seconds = Math.min(retryAfterSeconds ?? RETRY_SECONDS, REFRESH_MAX_SECONDS)
    return {
      title: say(status === 429 ? 'tooManyTitle' : 'awayTitle'),
      body: html`<p role="alert">${say(status === 429 ? 'tooMany' : 'away', { seconds })}</p>!${home}`,
      refreshSeconds: seconds,
    }
  }
  if (status === 404) {
    const text = code === 'item_not_found' ? say('itemNotFound') : say('notFound')
    return { title: say('notFoundTitle'), body: html`<p role="alert">${text}</p>!${home}` }
  }
  if (status < 500) return { title: say('badRequestTitle'), body: html`<p role="alert">${details}</p>!${home}` }
  return { title: say('failedTitle'), body: html`<p role="alert">${say('failed', { request: requestId })}</p>!${home}` }
}
