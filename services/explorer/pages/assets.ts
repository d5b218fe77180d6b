import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

/** A file that pages load: its path changes with its bytes, so that browsers keep it for a year. */
export type Asset = Readonly<{ path: string; type: string; bytes: Buffer }>

function asset(file: string, type: string): Asset {
  const bytes = readFileSync(new URL(`../assets/${file}`, import.meta.url))
  const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 12)
  const [name, extension] = file.split('.')
  return { path: `/assets/${name}-${hash}.${extension}`, type: `${type}; charset=utf-8`, bytes }
}

export const ASSETS = {
  style: asset('explorer.css', 'text/css'),
  script: asset('explorer.js', 'text/javascript'),
  exampleBill: asset('example-bill.csv', 'text/csv'),
}
