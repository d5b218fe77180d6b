import { ROTATION_OVERLAP_MS } from '@catalog/access/keys.ts'
import { NAME_CHARS_MAX } from '@catalog/console/pages/form.ts'
import type { Page } from '@catalog/console/pages/html.ts'
import {
  confirmation,
  formatCount,
  isAtLeast,
  type Membership,
  workspaceNav,
  workspacePath,
} from '@catalog/console/sessions/membership.ts'
import { HOUR_MS } from '@catalog/core/time.ts'
import { html, type Markup } from '@catalog/pages/markup.ts'
import { copyField, field, form, notice, timeElement } from '@catalog/pages/parts.ts'
import { table } from '@catalog/pages/table.ts'
import type { KeyRow } from '@catalog/store/accounts/accounts.ts'
import type { MembershipRow } from '@catalog/store/accounts/members.ts'

/** Pages of organization keys: the list with usage, and a new key, which is shown once. */

const OVERLAP_HOURS = ROTATION_OVERLAP_MS / HOUR_MS
export const FREE_PLAN_NOTE =
  'It has no organization keys: they come with a paid plan, which the operator of this catalog sets. Agents may be connected.'

type KeyList = Readonly<{
  keys: readonly KeyRow[]
  /** Ascending, 'YYYY-MM'. */
  months: readonly string[]
  /** Requests by 'KEY_ID MONTH'. */
  used: ReadonlyMap<string, number>
  now: Date
  done?: string
  problem?: string
  name?: string
}>

export function keyListPage(
  workspace: MembershipRow,
  { keys, months, used, now, done, problem, name = '' }: KeyList,
): Page {
  const path = workspacePath(workspace)
  const mayChange = isAtLeast(workspace.role, 'admin')
  const mayIssue = mayChange && workspace.plan === 'paid'
  return {
    title: 'Keys',
    nav: workspaceNav(workspace, 'Keys'),
    body: html`
<p>Programs call the API with keys of the workspace ${workspace.name}. Each is shown once, when it is issued.</p>
!${done === 'revoked' ? notice('done', 'The key is revoked. It is refused within 30 seconds.') : ''}
!${workspace.plan === 'free' ? html`<p>This workspace is on the free plan. ${FREE_PLAN_NOTE}</p>` : ''}
!${keys.length === 0 ? html`<p>There are no keys.</p>` : keyTable(keys, { months, used, now, path, mayChange, mayIssue })}
!${mayIssue ? issueForm(path, { problem, name }) : ''}
!${mayChange ? '' : html`<p>Owners and admins issue, rotate and revoke keys.</p>`}`,
  }
}

type TableOptions = Pick<KeyList, 'months' | 'used' | 'now'> &
  Readonly<{ path: string; mayChange: boolean; mayIssue: boolean }>

function keyTable(keys: readonly KeyRow[], { months, used, now, path, mayChange, mayIssue }: TableOptions): Markup {
  const columns = ['Key', 'State', 'Issued', 'Last used', ...months.toReversed().map(monthName)]
  return table({
    caption: 'Keys and their requests',
    columns: mayChange ? [...columns, 'Action'] : columns,
    rows: keys.map((key) => [
      html`${key.name ?? ''}<br><code>${key.display_prefix}…</code>`,
      stateOf(key, now),
      timeElement(key.created_at),
      timeElement(key.last_used_at),
      ...months.toReversed().map((month) => html`${formatCount(used.get(`${key.key_id} ${month}`) ?? 0)}`),
      ...(mayChange ? [actions(key, { now, path, mayIssue })] : []),
    ]),
  })
}

const monthName = (month: string) =>
  new Date(`${month}-01T00:00:00Z`).toLocaleString('en-GB', { month: 'short', year: 'numeric', timeZone: 'UTC' })

const isValid = ({ revoked_at, expires_at }: KeyRow, now: Date) =>
  revoked_at === null && (expires_at === null || Date.parse(expires_at) > now.getTime())

function stateOf(key: KeyRow, now: Date): Markup {
  if (key.revoked_at !== null) return html`revoked !${timeElement(key.revoked_at)}`
  if (key.expires_at === null) return html`valid`
  return html`rotated, ${isValid(key, now) ? 'valid until' : 'ended'} !${timeElement(key.expires_at)}`
}

function actions(key: KeyRow, { now, path, mayIssue }: Pick<TableOptions, 'now' | 'path' | 'mayIssue'>): Markup {
  if (!isValid(key, now)) return html`none`
  const about = `${key.display_prefix} ${key.name ?? ''}`
  const of = `${path}/keys/${key.key_id}`
  const rotate = confirmation(
    'Rotate',
    about,
    html`<p>A new key takes its place. This one stays valid for ${OVERLAP_HOURS} hours.</p>
      !${form({ action: `${of}/rotate`, submit: 'Rotate it', about })}`,
  )
  const revoke = confirmation(
    'Revoke',
    about,
    html`<p>Calls with it are refused permanently, within 30 seconds.</p>
      !${form({ action: `${of}/revoke`, submit: 'Revoke it', about, isDangerous: true })}`,
  )
  return html`!${mayIssue && key.expires_at === null ? rotate : ''}!${revoke}`
}

function issueForm(path: string, { problem, name }: { problem: string | undefined; name: string }): Markup {
  const fields = field({
    name: 'name',
    label: 'Name',
    value: name,
    maxLength: NAME_CHARS_MAX,
    hint: 'The purpose of the key, so that you recognize it.',
    error: problem,
  })
  return html`<h2>Issue a key</h2>!${form({ action: `${path}/keys`, submit: 'Issue', fields })}`
}

type Issued = Readonly<{
  key: string
  name: string
  origin: string
  replaced?: Readonly<{ prefix: string; until: string }>
}>

export function newKeyPage({ workspace }: Membership, { key, name, origin, replaced }: Issued): Page {
  return {
    title: 'New key',
    nav: workspaceNav(workspace, 'Keys'),
    body: html`
!${notice('info', 'Copy the key now: it is shown this once, and only its hash is kept.')}
!${copyField(name, key)}
!${replaced === undefined ? '' : html`<p>It takes the place of <code>${replaced.prefix}…</code>, which is valid until !${timeElement(replaced.until)}.</p>`}
<p>Try it:</p>
!${copyField('Command', curlLine(origin, key))}
<p><a href="${workspacePath(workspace)}/keys">Done, back to the keys</a></p>`,
  }
}

/** A shell command that calls the API with the key. */
export const curlLine = (origin: string, key: string) =>
  `curl -H "Authorization: Bearer ${key}" '${origin}/v1/items?region=ES&price_region=ES&limit=5'`
