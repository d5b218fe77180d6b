import { readDataFile } from '@catalog/core/data-file.ts'

/** Thrown below any route of /console; only its error handler renders the page. */
export class PageError extends Error {
  override name = 'PageError'
  readonly status: number
  readonly title: string
  readonly retryAfterSeconds: number | undefined

  /** The message tells a person what is wrong and what to do. It holds no secret. */
  constructor(status: number, title: string, message: string, more: { retryAfterSeconds?: number } = {}) {
    super(message)
    this.status = status
    this.title = title
    this.retryAfterSeconds = more.retryAfterSeconds
  }
}

const REFUSALS = readDataFile(import.meta.url, 'errors.yaml') as Readonly<
  Record<string, readonly [status: number, title: string, message: string]>
>

/** The page of errors.yaml of this name or status, with `value` in place of what its message leaves open. */
export function refusal(name: string, value: string | number = ''): PageError {
  const [status, title, message] = (REFUSALS[name] ?? REFUSALS.unexpected) as (typeof REFUSALS)[string]
  return new PageError(
    status,
    title,
    message.replace(/\{\w+\}/, () => String(value)),
  )
}

/** Thrown to redirect the browser because another page must come first. */
export class Redirect extends Error {
  override name = 'Redirect'
  /** A path of this site. */
  readonly path: string

  constructor(path: string) {
    super(path)
    this.path = path
  }
}

export const notFound = (message = 'The page does not exist, or you may not see it.') =>
  new PageError(404, 'Not found', message)
