import type { FastifyRequest } from 'fastify'
import { z } from 'zod'

/** What was typed into a form: the text of a field without blanks around it, '' where there is none or several. */
export function formText(request: FastifyRequest, name: string): string {
  return textIn(request.body, name).trim()
}

/** As it was typed, blanks too. */
export const formPassword = (request: FastifyRequest, name = 'password'): string => textIn(request.body, name)

/** A parameter of the address. */
export const queryText = (request: FastifyRequest, name: string): string => textIn(request.query, name)

function textIn(given: unknown, name: string): string {
  const value = Object(given)[name] as unknown
  // U+0000 is the one character that Postgres cannot take.
  return typeof value === 'string' ? value.replaceAll('\0', '\ufffd') : ''
}

/** The longest that a mail server takes (RFC 5321 §4.5.3.1.3). */
export const EMAIL_CHARS_MAX = 254

/** Why it can be nobody's e-mail; undefined when it can. */
export function emailProblem(email: string): string | undefined {
  if (email.length > EMAIL_CHARS_MAX || !z.email().safeParse(email).success)
    return 'Enter an e-mail address, as you@example.org.'
  return undefined
}

export const NAME_CHARS_MAX = 80

/** Why a workspace or a key cannot be called so; undefined when it can. One line of text that shows. */
export function nameProblem(name: string): string | undefined {
  if (name === '' || [...name].length > NAME_CHARS_MAX) return `Enter a name of 1 to ${NAME_CHARS_MAX} characters.`
  if (/[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/u.test(name)) return 'Enter a name without control characters.'
  return undefined
}
