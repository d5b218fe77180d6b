import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { compose, type Mail, type Mailer, MailerUnavailable, type Sender } from './mail.ts'

/** Newest mails to keep: the folder replaces a mail server, it is not an archive. */
export const FILES_MAX = 1_000
const UNFINISHED = '.unfinished-'

export type FilesLog = Readonly<{ info(fields: object, message: string): void }>

/**
 * Mail without a mail server: writes each mail atomically to a file that mail programs open and people can read, with
 * access for its owner only. The log names the file, so that an operator can forward it.
 */
export async function openMailFolder({
  dir,
  from,
  log,
}: {
  dir: string
  from: Sender
  log: FilesLog
}): Promise<Mailer> {
  await mkdir(dir, { recursive: true, mode: 0o700 })
  return {
    async send(mail) {
      const message = readableMessage(await compose(mail, from), mail)
      const file = join(dir, nameOf(mail))
      try {
        const unfinished = join(dir, `${UNFINISHED}${nameOf(mail)}`)
        // A file that a killed process left would keep its mode.
        await rm(unfinished, { force: true })
        await writeFile(unfinished, message, { mode: 0o600, flush: true })
        await rename(unfinished, file)
        await removeOld(dir)
      } catch (cause) {
        throw new MailerUnavailable(`no mail can be written to ${dir}: ${(cause as NodeJS.ErrnoException).code}`, {
          cause,
        })
      }
      log.info({ file }, 'a mail was written')
    },
    async [Symbol.asyncDispose]() {},
  }
}

/** Sorts by creation; a mail that is sent again keeps its name. */
const nameOf = ({ id, createdAt }: Mail) => `${createdAt.replace(/[^0-9TZ]/g, '')}-${id.replace(/[^\w.-]/g, '_')}.eml`

/** Keeps links unbroken: replaces the encoded text, which no server transmits here, by the plain one. */
function readableMessage(message: Buffer, { body }: Mail): string {
  const head = message.toString('latin1', 0, message.indexOf('\r\n\r\n'))
  const readable = head.replace(/^Content-Transfer-Encoding: .*$/m, 'Content-Transfer-Encoding: 8bit')
  return `${readable}\r\n\r\n${body.replace(/\r\n|\r|\n/g, '\r\n')}`
}

async function removeOld(dir: string): Promise<void> {
  const names = (await readdir(dir)).filter((name) => name.endsWith('.eml') && !name.startsWith(UNFINISHED)).sort()
  for (const name of names.slice(0, -FILES_MAX)) await rm(join(dir, name), { force: true })
}
