import { readFile, stat } from 'node:fs/promises'
import { Incident } from '@catalog/api/contract/contract.ts'
import { z } from 'zod'

/** Incidents that the operator writes into a file of JSON, which needs no database. */
export type Incidents = () => Promise<readonly Incident[]>

const BYTES_MAX = 262_144
const INCIDENTS_MAX = 200
/** Of a status. */
const SHOWN_MAX = 20

const IncidentsFile = z.array(Incident).max(INCIDENTS_MAX, `expected at most ${INCIDENTS_MAX} incidents`)

/**
 * Reads the file again when it changed. Without a file there are no incidents; one that cannot be read as incidents is told to
 * `onProblem`, once, and the last good one stays.
 */
export function openIncidents(file: string, onProblem: (problem: string) => void): Incidents {
  let read: { readonly mark: string; readonly incidents: readonly Incident[] } = { mark: '', incidents: [] }
  return async () => {
    const found = await stat(file).catch((error: NodeJS.ErrnoException) => error)
    if (found instanceof Error) {
      const isAbsent = found.code === 'ENOENT'
      if (!isAbsent && read.mark !== found.message) onProblem(found.message)
      read = { mark: found.message, incidents: isAbsent ? [] : read.incidents }
      return read.incidents
    }
    const mark = `${found.mtimeMs} ${found.size} ${found.ino}`
    if (mark === read.mark) return read.incidents
    read = { ...read, mark }
    const problem =
      found.isFile() && found.size <= BYTES_MAX ? undefined : `${file}: expected a file of at most ${BYTES_MAX} bytes`
    try {
      if (problem !== undefined) throw new Error(problem)
      const incidents = incidentsIn(await readFile(file, 'utf8'), file)
      read = { mark, incidents }
    } catch (error) {
      onProblem((error as Error).message)
    }
    return read.incidents
  }
}

/** The incidents of a file, open and newest first. Throws an error that names the place, the value and the expectation. */
export function incidentsIn(text: string, file: string): readonly Incident[] {
  let json: unknown
  try {
    json = JSON.parse(text.replace(/^\ufeff/, ''))
  } catch (cause) {
    throw new Error(`${file}: expected JSON: ${(cause as Error).message}`, { cause })
  }
  const { data, error } = IncidentsFile.safeParse(json)
  if (error !== undefined) {
    const [issue] = error.issues
    throw new Error(`${file}: ${issue?.path.join('.') || 'the file'}: ${issue?.message}`)
  }
  return data
    .toSorted(
      (a, b) =>
        Number(b.ended_at === null) - Number(a.ended_at === null) || Date.parse(b.began_at) - Date.parse(a.began_at),
    )
    .slice(0, SHOWN_MAX)
}
