import { readFileSync, statSync } from 'node:fs'

/** Variables with secrets. Each may also be given by the path of a file, in the variable NAME_FILE, as orchestrators hand over secrets. */
export const SECRETS = [
  'DATABASE_URL',
  'DATABASE_PASSWORD',
  'KAFKA_SASL_PASSWORD',
  'ELASTICSEARCH_URL',
  'ELASTICSEARCH_API_KEY',
  'EMBEDDINGS_KEY',
  'ALERT_WEBHOOK_SECRET',
  'SECRETS_KEY',
  'SMTP_URL',
] as const
/** More than any secret has. */
const SECRET_FILE_BYTES_MAX = 65_536

/** Puts the content of each NAME_FILE in the place of NAME, without the line's end. Returns what is wrong with them. */
export function readSecretFiles(set: Record<string, string | undefined>): string[] {
  const problems: string[] = []
  for (const name of SECRETS) {
    const path = set[`${name}_FILE`]
    if (path === undefined) continue
    if (set[name] !== undefined) problems.push(`${name} and ${name}_FILE are both set: expected one`)
    try {
      set[name] = readSecretFile(path)
    } catch (error) {
      problems.push(`${name}_FILE=${path}: ${(error as Error).message}`)
    }
  }
  return problems
}

/** The content of a file with one secret, without the line's end. Throws what is wrong with the file, never its content. */
export function readSecretFile(path: string): string {
  const { size } = statSync(path)
  if (size > SECRET_FILE_BYTES_MAX) throw new Error(`it has ${size} bytes, expected at most ${SECRET_FILE_BYTES_MAX}`)
  const secret = readFileSync(path, 'utf8').replace(/\r?\n$/, '')
  if (secret === '') throw new Error('it is empty')
  return secret
}
