import { PageError } from '@catalog/console/pages/page-error.ts'
import { shaOf } from '@catalog/console/pages/token.ts'
import { instant } from '@catalog/core/time.ts'
import { findLink, type LinkRow, takeLink } from '@catalog/store/accounts/people.ts'
import type { Queryable } from '@catalog/store/db.ts'

/** Links that mail carries. Opening one does nothing: scanners of mail open them too. The form of its page does. */

type Of<P extends LinkRow['purpose']> = Extract<LinkRow, { purpose: P }> | (LinkRow & { purpose: P })

/** What the link is for; throws a page when it is no such link, was used or has ended. */
export async function openLink<P extends LinkRow['purpose']>(
  db: Queryable,
  { token, purpose, now }: { token: string; purpose: P; now: () => Date },
): Promise<Of<P>> {
  const linkSha = shaOf(token)
  const link = linkSha && (await findLink(db, { linkSha, at: instant(now()) }))
  return checked(link, purpose)
}

/** As {@link openLink}, and the link is used with it. Of all who use it at once one gets it. */
export async function useLink<P extends LinkRow['purpose']>(
  tx: Queryable,
  { token, purpose, at }: { token: string; purpose: P; at: string },
): Promise<Of<P>> {
  const linkSha = shaOf(token)
  const link = linkSha && (await takeLink(tx, { linkSha, at }))
  return checked(link, purpose)
}

function checked<P extends LinkRow['purpose']>(link: LinkRow | undefined, purpose: P): Of<P> {
  if (link?.purpose === purpose) return link as Of<P>
  throw new PageError(
    404,
    'The link does not work',
    'It was used before, has ended or is not complete. Ask for another one.',
  )
}
