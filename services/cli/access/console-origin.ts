import { originOf } from '@catalog/api/http/context.ts'
import type { Terminal } from '@catalog/cli/shared/terminal.ts'
import type { Environment } from '@catalog/runtime/env.ts'

/**
 * The address of the console, with which links in mail begin. Without PUBLIC_BASE_URL it is a guess, of which the terminal is
 * told: the server may listen on another port than this command's environment says.
 */
export function consoleOriginOf(
  { PUBLIC_BASE_URL: given, PORT: port }: Pick<Environment, 'PUBLIC_BASE_URL' | 'PORT'>,
  terminal?: Pick<Terminal, 'note'>,
): string {
  if (given !== undefined) return originOf(given)
  const origin = `http://127.0.0.1:${port}`
  terminal?.note(`links lead to ${origin}: set PUBLIC_BASE_URL, as the server has it, where readers reach it elsewhere`)
  return origin
}
