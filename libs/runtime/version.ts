import { readFileSync } from 'node:fs'

/** Of the repository, and of the published package. */
export const { version: VERSION } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
) as { version: string }
