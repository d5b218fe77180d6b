/** Thrown anywhere below a route of /console; its error handler alone turns it into a page. */
export class PageError extends Error {
  override name = 'PageError'
  readonly status: number
  readonly title: string
  readonly retryAfterSeconds: number | undefined

  /** The message is for a person: what is wrong, and what to do about it. It holds no secret. */
  constructor(status: number, title: string, message: string, more: { retryAfterSeconds?: number } = {}) {
    super(message)
    this.status = status
    this.title = title
    this.retryAfterSeconds = more.retryAfterSeconds
  }
}

/** Thrown to send the browser elsewhere: the page that it asked for needs something first. */
export class Redirect extends Error {
  override name = 'Elsewhere'
  /** A path of ours. */
  readonly path: string

  constructor(path: string) {
    super(path)
    this.path = path
  }
}

export const notFound = (message = 'The page is not there, or not for you.') => new PageError(404, 'Not found', message)
