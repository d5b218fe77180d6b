import { chmodSync, lstatSync, mkdirSync, type Stats, statSync } from 'node:fs'

/** The user of this process; undefined where the system has no such numbers. */
const ownUser = (): number | undefined => process.geteuid?.()

/**
 * Makes a folder that its user alone can enter, whoever made it before. Throws for one of another user, who could read and
 * change what this process writes there.
 */
export function makePrivate(folder: string, user = ownUser()): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  claim(folder, statSync(folder), user)
}

/**
 * The same below a folder that everybody can write to, such as the one for temporary files. Throws also for a link, behind
 * which another user may have put anything.
 */
export function makePrivateIn(folder: string, user = ownUser()): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const found = lstatSync(folder)
  if (!found.isDirectory()) throw new Error(`'${folder}' is a link or a file: expected a folder, or nothing. Remove it`)
  claim(folder, found, user)
}

/** Takes others their rights. Throws for a folder of another user. */
function claim(folder: string, { uid, mode }: Stats, user: number | undefined): void {
  if (user === undefined) return
  if (uid !== user)
    throw new Error(
      `'${folder}' belongs to user ${uid}, and this process is user ${user}: expected a folder of its own. Choose another one, or: chown -R ${user} '${folder}'`,
    )
  if ((mode & 0o077) !== 0) chmodSync(folder, 0o700)
}
