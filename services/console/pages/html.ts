import { CATALOG, frame, html, type Markup } from '@catalog/pages/markup.ts'
import { type Field, field } from '@catalog/pages/parts.ts'
import { STYLE } from '@catalog/pages/style.ts'
import type { FastifyReply } from 'fastify'

/** Pages of the console. A page has no script but one of this site that it names, and works without it. */

export type Page = Readonly<{
  /** Heading of the page and title of the browser tab. */
  title: string
  body: Markup
  /** Links beside the heading, as to the pages of a workspace. */
  nav?: readonly Readonly<{ href: string; text: string; isCurrent?: boolean }>[]
  /** What the links are of; default: a workspace. */
  navLabel?: string
  /** The path of a script of this site. */
  script?: string
  /** Further origins or schemes that a form of the page may reach by redirects. */
  formTargets?: readonly string[]
}>

/** Sends a page whose header names the signed-in person. */
export function sendPage(reply: FastifyReply, page: Page, status = 200): FastifyReply {
  return keepPrivate(reply)
    .code(status)
    .type('text/html; charset=utf-8')
    .header('content-security-policy', policyOf(page.formTargets ?? [], page.script !== undefined))
    .send(pageOf(page, reply.request.session?.email))
}

/** Replaces API headers by private ones: answers to people are for this browser and site only. */
export function keepPrivate(reply: FastifyReply): FastifyReply {
  return reply
    .removeHeader('access-control-allow-origin')
    .removeHeader('access-control-expose-headers')
    .headers({
      'cache-control': 'no-store',
      'content-security-policy': policyOf([]),
      'cross-origin-resource-policy': 'same-origin',
      // With no-referrer, browsers send "Origin: null" with forms, which looks like a cross-origin request.
      'referrer-policy': 'same-origin',
      // For browsers without frame-ancestors.
      'x-frame-options': 'DENY',
      'x-robots-tag': 'noindex',
    })
}

/** Throws on text that could end the directive. */
function policyOf(formTargets: readonly string[], hasScript = false): string {
  for (const target of formTargets) {
    if (!/^[a-z][a-z0-9+.-]*:[a-z0-9.:[\]/*-]*$/i.test(target)) {
      throw new Error(`form target ${JSON.stringify(target)}: expected an origin or a scheme with its colon`)
    }
  }
  const formAction = ["'self'", ...formTargets].join(' ')
  const script = hasScript ? "script-src 'self'; " : ''
  return `default-src 'none'; ${script}style-src 'unsafe-inline'; form-action ${formAction}; frame-ancestors 'none'; base-uri 'none'`
}

/** The page as text, for other kinds of answers; `email` names the signed-in person. */
export function pageOf(
  { title, body, nav = [], navLabel = 'Workspace', script }: Page,
  email: string | undefined,
): Markup {
  return frame({
    title: `${title} · ${CATALOG}`,
    style: STYLE,
    head: script === undefined ? '' : html`<script src="${script}" type="module"></script>`,
    body: html`<a class="skip" href="#content">Skip to content</a>
<header>
  <a class="home" href="/console">${CATALOG}</a>
  !${email === undefined ? '' : accountMenu(email)}
</header>
<main id="content" tabindex="-1">
<h1>${title}</h1>
!${nav.length === 0 ? '' : navOf(nav, navLabel)}
!${body}
</main>`,
  })
}

function accountMenu(email: string): Markup {
  return html`<div class="person">
    <a href="/console/account">${email}</a>
    <form method="post" action="/console/sign-out"><button class="plain">Sign out</button></form>
  </div>`
}

function navOf(nav: NonNullable<Page['nav']>, label: string): Markup {
  const links = nav.map(
    ({ href, text, isCurrent }) =>
      html`<li><a href="${href}"!${isCurrent ? ' aria-current="page"' : ''}>${text}</a></li>`,
  )
  return html`<nav aria-label="${label}"><ul>!${links}</ul></nav>`
}

type Typed = Pick<Field, 'value' | 'hint' | 'error' | 'isReadOnly' | 'maxLength'> &
  Partial<Pick<Field, 'label' | 'autocomplete'>>

export const emailField = (options: Typed): Markup =>
  field({ name: 'email', label: 'E-mail', type: 'email', autocomplete: 'username', ...options })

/** Asks for the password that the person has. */
export const passwordField = (options: Typed = {}): Markup =>
  field({ name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password', ...options })

/** The account's e-mail, read-only, which tells password managers whose password this is. */
export const emailOfAccountField = (email: string): Markup => emailField({ value: email, isReadOnly: true })
