import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { readdir, rename, rm, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { CACHE_DIR, inFetchFolder } from './cache.ts'

/**
 * Test servers come from Maven Central by the installed `mvn`, so that the machine's own settings (mirror, proxy)
 * apply. Downloads stay outside the tree and are used only with the digest that our source names.
 */
const DEPENDENCY_PLUGIN = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1'
/** The largest download has some 100 MB, and cold mirrors are slow. */
const FETCH_TIMEOUT_MS = 600_000
/** Maven states the failure in its last lines. */
const ERROR_CHARS_MAX = 2_000

/** One artifact of Maven Central. */
export type Artifact = Readonly<{ group: string; artifact: string; version: string }>

/**
 * The path of an artifact's file, fetched unless cached. Throws when the download has another digest (`sha512`: 128 hex
 * digits) or Maven fails.
 */
export async function fetchArtifact({
  group,
  artifact,
  version,
  extension,
  sha512,
}: Artifact & { extension: string; sha512: string }): Promise<string> {
  const name = `${artifact}-${version}.${extension}`
  const path = join(CACHE_DIR, name)
  if (existsSync(path) && (await fileDigest(path, 'sha512')) === sha512) return path
  return inFetchFolder(async (folder) => {
    const coordinates = `${group}:${artifact}:${version}:${extension}`
    await maven(folder, [`${DEPENDENCY_PLUGIN}:copy`, `-Dartifact=${coordinates}`, `-DoutputDirectory=${folder}`])
    const fetched = join(folder, name)
    expectDigest(coordinates, { found: await fileDigest(fetched, 'sha512'), expected: sha512 })
    await rename(fetched, path)
    return path
  })
}

/**
 * A folder with the jars of the artifacts and their run-time dependencies, fetched unless cached. `sha256` pins the
 * whole set: the SHA-256 of its lines "SHA-256 of the file, two spaces, name", sorted. Throws when the download has
 * another digest or Maven fails.
 */
export async function fetchClasspath({ name, artifacts, sha256 }: Classpath): Promise<string> {
  const path = classpathFolder({ name, sha256 })
  if (existsSync(path) && (await folderDigest(path)) === sha256) return path
  return inFetchFolder(async (folder) => {
    await writeFile(join(folder, 'pom.xml'), pom(artifacts))
    const jars = join(folder, 'jars')
    const choice = [`-DoutputDirectory=${jars}`, '-DincludeScope=runtime']
    await maven(folder, [`${DEPENDENCY_PLUGIN}:copy-dependencies`, ...choice])
    expectDigest(`the jars of ${name}`, { found: await folderDigest(jars), expected: sha256 })
    // Another process may have put the same jars there and be running on them.
    if (existsSync(path) && (await folderDigest(path)) === sha256) return path
    await rm(path, { recursive: true, force: true })
    await rename(jars, path)
    return path
  })
}

/** The jars that start a server: the named artifacts, and the digest of the set with their dependencies. */
export type Classpath = Readonly<{ name: string; artifacts: readonly Artifact[]; sha256: string }>

/** Whether `mvn` is in PATH; without it only cached files are usable. */
export function mavenInstalled(): boolean {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, 'mvn')))
}

/** Whether {@link fetchClasspath} finds these jars in the cache; their digest is checked on use. */
export function classpathCached(classpath: Classpath): boolean {
  return existsSync(classpathFolder(classpath))
}

function classpathFolder({ name, sha256 }: Pick<Classpath, 'name' | 'sha256'>): string {
  return join(CACHE_DIR, `${name}-${sha256.slice(0, 12)}`)
}

async function maven(folder: string, args: readonly string[]): Promise<void> {
  const command = ['--batch-mode', '--no-transfer-progress', ...args]
  try {
    await promisify(execFile)('mvn', command, { cwd: folder, timeout: FETCH_TIMEOUT_MS, maxBuffer: 64 * 1024 * 1024 })
  } catch (cause) {
    const { stdout = '', stderr = '' } = cause as { stdout?: string; stderr?: string }
    const said = `${stdout}${stderr}`.trim().slice(-ERROR_CHARS_MAX)
    throw new Error(`mvn ${command.join(' ')}: ${said || (cause as Error).message}`, { cause })
  }
}

/** The smallest project that depends on the artifacts. */
function pom(artifacts: readonly Artifact[]): string {
  const dependencies = artifacts.map(
    ({ group, artifact, version }) =>
      `<dependency><groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>${version}</version></dependency>`,
  )
  return `<project>
  <modelVersion>4.0.0</modelVersion>
  <groupId>catalog</groupId><artifactId>fetched</artifactId><version>1</version><packaging>pom</packaging>
  <dependencies>${dependencies.join('')}</dependencies>
</project>
`
}

async function fileDigest(path: string, algorithm: 'sha256' | 'sha512'): Promise<string> {
  const running = createHash(algorithm)
  for await (const chunk of createReadStream(path)) running.update(chunk)
  return running.digest('hex')
}

async function folderDigest(folder: string): Promise<string> {
  const running = createHash('sha256')
  const lines: string[] = []
  for (const name of await readdir(folder)) lines.push(`${await fileDigest(join(folder, name), 'sha256')}  ${name}\n`)
  return running.update(lines.sort().join('')).digest('hex')
}

function expectDigest(what: string, { found, expected }: { found: string; expected: string }): void {
  if (found !== expected) throw new Error(`${what}: found digest ${found}, expected ${expected}`)
}
