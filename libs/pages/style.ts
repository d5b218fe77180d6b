import { readFileSync } from 'node:fs'

/** The stylesheet of the pages that are one response: those of the console, of the API, and reports. */
export const STYLE = `\n${readFileSync(new URL('style.css', import.meta.url), 'utf8')}`
