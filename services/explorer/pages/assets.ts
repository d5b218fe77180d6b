import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

/** A file that pages load: its path changes with its bytes, so that browsers keep it for a year. */
export type Asset = Readonly<{ path: string; type: string; bytes: Buffer }>

type Extension = keyof typeof TYPES
const TYPES = { css: 'text/css', csv: 'text/csv', js: 'text/javascript' } as const

function asset(name: string, extension: Extension, bytes: Buffer): Asset {
  const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 12)
  return { path: `/assets/${name}-${hash}.${extension}`, type: `${TYPES[extension]}; charset=utf-8`, bytes }
}

const own = (file: string) => readFileSync(new URL(`../assets/${file}`, import.meta.url))

export const ASSETS = {
  style: asset('explorer', 'css', own('explorer.css')),
  script: asset('explorer', 'js', own('explorer.js')),
  exampleBill: asset('example-bill', 'csv', own('example-bill.csv')),
}
