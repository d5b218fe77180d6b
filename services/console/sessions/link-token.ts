import { refusal } from '@catalog/console/pages/page-error.ts'
import { tokenSha } from '@catalog/console/pages/token.ts'
import { instant } from '@catalog/core/time.ts'
import { findLink, type LinkRow, redeemLink } from '@catalog/store/accounts/people.ts'
import type { Queryable } from '@catalog/store/db.ts'

/**
 * Single-use links in mail. Opening one changes nothing, because mail scanners open links too; submitting the page's
 * form does.
 */

type LinkOf<P extends LinkRow['purpose']> = Extract<LinkRow, { purpose: P }> | (LinkRow & { purpose: P })

/** Looks up a link; throws a page when it has another purpose, was used or has expired. */
export async function verifyLink<P extends LinkRow['purpose']>(
  db: Queryable,
  { token, purpose, now }: { token: string; purpose: P; now: () => Date },
): Promise<LinkOf<P>> {
  const linkSha = tokenSha(token)
  const link = linkSha && (await findLink(db, { linkSha, at: instant(now()) }))
  return checked(link, purpose)
}

/** Does the same as {@link verifyLink} and consumes the link. Only one of concurrent callers succeeds. */
export async function consumeLink<P extends LinkRow['purpose']>(
  tx: Queryable,
  { token, purpose, at }: { token: string; purpose: P; at: string },
): Promise<LinkOf<P>> {
  const linkSha = tokenSha(token)
  const link = linkSha && (await redeemLink(tx, { linkSha, at }))
  return checked(link, purpose)
}

function checked<P extends LinkRow['purpose']>(link: LinkRow | undefined, purpose: P): LinkOf<P> {
  if (link?.purpose === purpose) return link as LinkOf<P>
  throw refusal('link_ended')
}
