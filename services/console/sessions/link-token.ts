import { PageError } from '@catalog/console/pages/page-error.ts'
import { tokenSha } from '@catalog/console/pages/token.ts'
import { instant } from '@catalog/core/time.ts'
import { findLink, type LinkRow, takeLink } from '@catalog/store/accounts/people.ts'
import type { Queryable } from '@catalog/store/db.ts'

/** Links that mail carries. Opening one does nothing: scanners of mail open them too. The form of its page does. */

type LinkOf<P extends LinkRow['purpose']> = Extract<LinkRow, { purpose: P }> | (LinkRow & { purpose: P })

/** What the link is for; throws a page when it is no such link, was used or has ended. */
export async function verifyLink<P extends LinkRow['purpose']>(
  db: Queryable,
  { token, purpose, now }: { token: string; purpose: P; now: () => Date },
): Promise<LinkOf<P>> {
  const linkSha = tokenSha(token)
  const link = linkSha && (await findLink(db, { linkSha, at: instant(now()) }))
  return checked(link, purpose)
}

/** As {@link verifyLink}, and the link is used with it. Of all who use it at once one gets it. */
export async function consumeLink<P extends LinkRow['purpose']>(
  tx: Queryable,
  { token, purpose, at }: { token: string; purpose: P; at: string },
): Promise<LinkOf<P>> {
  const linkSha = tokenSha(token)
  const link = linkSha && (await takeLink(tx, { linkSha, at }))
  return checked(link, purpose)
}

function checked<P extends LinkRow['purpose']>(link: LinkRow | undefined, purpose: P): LinkOf<P> {
  if (link?.purpose === purpose) return link as LinkOf<P>
  throw new PageError(
    404,
    'The link does not work',
    'It was used before, has ended or is not complete. Ask for another one.',
  )
}
