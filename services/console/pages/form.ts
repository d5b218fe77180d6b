import type { FastifyRequest } from 'fastify'
import { z } from 'zod'

/**
 * Text of a form field without surrounding blanks; '' for a missing or repeated field. Control characters, which paste from
 * other programs and which no event may hold, become blanks.
 */
export function formText(request: FastifyRequest, name: string): string {
  return textIn(request.body, name).replace(CONTROLS, ' ').trim()
}
const CONTROLS = /[^\P{Cc}\n\t]|[\ufffe\uffff]|\p{Cs}/gu

/** Password exactly as typed, with blanks. */
export const formPassword = (request: FastifyRequest, name = 'password'): string => textIn(request.body, name)

/** Query parameter of the address. */
export const queryText = (request: FastifyRequest, name: string): string => textIn(request.query, name)

function textIn(given: unknown, name: string): string {
  const value = Object(given)[name] as unknown
  // PostgreSQL cannot store U+0000.
  return typeof value === 'string' ? value.replaceAll('\0', '\ufffd') : ''
}

/** The longest address that a mail server accepts (RFC 5321 §4.5.3.1.3). */
export const EMAIL_CHARS_MAX = 254

/** Why this is no e-mail address; undefined when it is one. */
export function emailProblem(email: string): string | undefined {
  if (email.length > EMAIL_CHARS_MAX || !z.email().safeParse(email).success)
    return 'Enter an e-mail address, as you@example.org.'
  return undefined
}

export const NAME_CHARS_MAX = 80

/** Why this is no name for a workspace or key; undefined when it is one. A name is one visible line. */
export function nameProblem(name: string): string | undefined {
  if (name === '' || [...name].length > NAME_CHARS_MAX) return `Enter a name of 1 to ${NAME_CHARS_MAX} characters.`
  if (/[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/u.test(name)) return 'Enter a name without control characters.'
  return undefined
}
