import { readFileSync } from 'node:fs'

/**
 * The codes of the Common Procurement Vocabulary (Regulation (EC) 213/2008) without their check digits, from the eForms SDK of the
 * Publications Office of the European Union (NOTICE).
 */
let codes: ReadonlySet<string> | null = null

/** Whether the vocabulary has this code, with or without a check digit: "44111200" or "44111200-3". */
export function isCpvCode(code: string): boolean {
  codes ??= new Set(
    readFileSync(new URL('cpv-codes.txt', import.meta.url), 'utf8')
      .trim()
      .split('\n'),
  )
  return codes.has(code.slice(0, 8))
}
