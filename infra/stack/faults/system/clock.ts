import { existsSync, globSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Where Debian's package `faketime` has the library that gives a process another clock. */
const LIBRARY = globSync('/usr/lib/*/faketime/libfaketime.so.1')[0]

/** Null where processes can get another clock here, else the reason. */
export const clockUnavailable = (): string | null =>
  LIBRARY !== undefined && existsSync(LIBRARY) ? null : "no libfaketime: expected Debian's package faketime"

/** A clock for one process: its environment, and how to set it. Timers and the monotonic clock go on. */
export function fakedClock(folder: string, name: string) {
  const file = join(folder, `clock-${name.replace(' ', '-')}`)
  const set = (offsetSeconds: number) =>
    writeFileSync(file, offsetSeconds < 0 ? String(offsetSeconds) : `+${offsetSeconds}`)
  set(0)
  const env = {
    LD_PRELOAD: LIBRARY as string,
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_CACHE_DURATION: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  }
  return { env, set }
}
