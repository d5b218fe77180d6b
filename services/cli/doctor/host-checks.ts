import { once } from 'node:events'
import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { connect as connectTcp } from 'node:net'
import { dirname, resolve } from 'node:path'
import { connect as connectTls } from 'node:tls'
import { DAY_MS } from '@catalog/core/time.ts'
import type { Environment } from '@catalog/runtime/env.ts'
import { attempt, bad, type Finding, fine, inTurn } from './finding.ts'

/** What the machine and the environment give the catalog. */

const NODE_MAJOR_MIN = 24
const GB = 1e9
/** Free space below which a night may not end, and below which one looks for more. */
const DISK_BYTES = { error: GB, warning: 5 * GB }
const CERTIFICATE_DAYS = { error: 3, warning: 21 }
const ANSWER_MS = 5_000

export async function hostChecks(env: Environment, now: Date): Promise<readonly Finding[]> {
  const folder = resolve(env.CATALOG_DATA)
  return inTurn([
    async () => [nodeCheck(process.versions.node)],
    async () => [folderCheck(folder)],
    async () => secretFileChecks(env),
    () => attempt('disk', 'look at the folder that CATALOG_DATA names', () => diskCheck(folder)),
    async () => addressChecks(env),
    () => certificateCheck(env, now),
    () => mailCheck(env),
  ])
}

export function nodeCheck(version: string): Finding {
  if (Number(version.split('.')[0]) >= NODE_MAJOR_MIN) return fine('node', version)
  const remedy = 'run catalog by npx or from node_modules/.bin, which bring their own Node'
  return bad('node', 'error', { found: `${version}, expected ${NODE_MAJOR_MIN} or later`, remedy })
}

export const FOLDER = 'data folder'

function folderCheck(folder: string): Finding {
  if (!existsSync(folder)) {
    const remedy = 'nothing, if this catalog is new; else name its folder with --data or CATALOG_DATA'
    return bad(FOLDER, 'warning', { found: `${folder} does not exist yet`, remedy })
  }
  const found = statSync(folder)
  if (!found.isDirectory()) {
    const remedy = 'name a folder with --data or CATALOG_DATA'
    return bad(FOLDER, 'error', { found: `${folder} is a file, expected a folder`, remedy })
  }
  const { uid, mode } = found
  const [own, rights] = [process.geteuid?.(), (mode & 0o777).toString(8)]
  if (own !== undefined && uid !== own) {
    const remedy = `run as that user, or: chown -R ${own} '${folder}'`
    return bad(FOLDER, 'error', { found: `${folder} belongs to user ${uid}, and this is user ${own}`, remedy })
  }
  if (!isWritable(folder)) {
    const remedy = `let this user write there: chmod u+rwx '${folder}', or mount its file system for writing`
    return bad(FOLDER, 'error', { found: `${folder} takes no writes`, remedy })
  }
  if ((mode & 0o077) === 0) return fine(FOLDER, `${folder}, ${rights}`)
  const remedy = `any command that opens it makes it private; now: chmod 700 '${folder}'`
  return bad(FOLDER, 'warning', { found: `${folder} is open to others (${rights})`, remedy })
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Files of secrets that others on this machine can read. Those of another user, as mounted ones, are that user's affair. */
function secretFileChecks(env: Environment): readonly Finding[] {
  return env.secretFiles.flatMap(({ name, path }) => {
    const { uid, mode } = statSync(path)
    if (uid !== process.geteuid?.() || (mode & 0o077) === 0) return []
    const rights = (mode & 0o777).toString(8)
    return bad('secret files', 'warning', {
      found: `${path} of ${name} is open to others (${rights})`,
      remedy: `chmod 600 '${path}'`,
    })
  })
}

async function diskCheck(folder: string): Promise<Finding> {
  let place = folder
  while (!existsSync(place)) place = dirname(place)
  const { bavail, bsize } = await statfs(place)
  const free = bavail * bsize
  const found = `${(free / GB).toFixed(1)} GB free at ${place}`
  const state = free < DISK_BYTES.error ? 'error' : free < DISK_BYTES.warning ? 'warning' : undefined
  if (state === undefined) return fine('disk', found)
  return bad('disk', state, { found, remedy: 'make room, or move CATALOG_DATA; docs/capacity.md says what grows' })
}

function addressChecks({ PUBLIC_BASE_URL: given, TRUSTED_PROXIES: proxies }: Environment): readonly Finding[] {
  if (given === undefined) {
    const remedy = 'set PUBLIC_BASE_URL to the address by which readers reach this catalog'
    return [bad('address', 'warning', { found: 'every link leads to 127.0.0.1', remedy })]
  }
  const { protocol, hostname } = new URL(given)
  const isHere = hostname === 'localhost' || hostname.startsWith('127.') || hostname === '[::1]'
  if (protocol !== 'https:' && !isHere) {
    const remedy = 'put a proxy with TLS before it, and name its https address in PUBLIC_BASE_URL'
    return [bad('address', 'error', { found: `${given}: without https nobody can sign in at /console`, remedy })]
  }
  if (isHere || proxies.length > 0) return [fine('address', given)]
  const remedy = 'name the networks of your proxies in TRUSTED_PROXIES'
  return [bad('address', 'warning', { found: `${given}: behind a proxy all readers count as one`, remedy })]
}

/** Empty where the address has no certificate. */
async function certificateCheck({ PUBLIC_BASE_URL: given }: Environment, now: Date): Promise<readonly Finding[]> {
  const url = new URL(given ?? 'http://127.0.0.1')
  if (url.protocol !== 'https:') return []
  return attempt('certificate', `see that ${url.origin} answers, with a certificate that readers trust`, async () => {
    const host = url.hostname.replace(/^\[|\]$/g, '')
    const socket = connectTls({ host, port: Number(url.port || 443), servername: host })
    try {
      await once(socket, 'secureConnect', { signal: AbortSignal.timeout(ANSWER_MS) })
      const { valid_to: until } = socket.getPeerCertificate()
      const days = Math.floor((Date.parse(until) - now.getTime()) / DAY_MS)
      const found = `of ${url.host}, valid for ${days} days`
      const state = days < CERTIFICATE_DAYS.error ? 'error' : days < CERTIFICATE_DAYS.warning ? 'warning' : undefined
      return state === undefined
        ? fine('certificate', found)
        : bad('certificate', state, { found, remedy: 'renew it; see why that does not happen by itself' })
    } finally {
      socket.destroy()
    }
  })
}

async function mailCheck({ SMTP_URL: given }: Environment): Promise<readonly Finding[]> {
  if (given === undefined) {
    const remedy = 'set SMTP_URL and MAIL_FROM, or hand the files over yourself'
    return [bad('mail', 'warning', { found: 'mail becomes files in the folder mail of the data folder', remedy })]
  }
  const { protocol, hostname: host, port } = new URL(given)
  return attempt('mail', 'see that the server of SMTP_URL runs and can be reached from here', async () => {
    const socket = connectTcp({ host, port: Number(port || (protocol === 'smtps:' ? 465 : 587)) })
    try {
      await once(socket, 'connect', { signal: AbortSignal.timeout(ANSWER_MS) })
      return fine('mail', `${host} answers`)
    } finally {
      socket.destroy()
    }
  })
}
