import type { FastifyReply } from 'fastify'
import { html } from 'ghtml'
import { STYLE } from './style.ts'

/**
 * Pages and their parts. `html` makes markup: it escapes every `${}` and inserts existing markup by `!${}`. Attributes
 * are always quoted. A page has no script but one of this site that it names, and works without it.
 */

export type Markup = string

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

/** An error page for answers without a Fastify reply. */
export const errorPage = (title: string, message: string): Markup =>
  pageOf({ title, body: html`<p role="alert">${message}</p>` }, undefined)

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
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Construction Cost Catalog</title>
<style>!${STYLE}</style>
!${script === undefined ? '' : html`<script src="${script}" type="module"></script>`}
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header>
  <a class="home" href="/console">Construction Cost Catalog</a>
  !${email === undefined ? '' : accountMenu(email)}
</header>
<main id="content" tabindex="-1">
<h1>${title}</h1>
!${nav.length === 0 ? '' : navOf(nav, navLabel)}
!${body}
</main>
</body>
</html>
`
}

function accountMenu(email: string): Markup {
  return html`<div class="person">
    <a href="/console/account">${email}</a>
    <form method="post" action="/console/sign-out"><button class="plain">Sign out</button></form>
  </div>`
}

function navOf(nav: NonNullable<Page['nav']>, label: string): Markup {
  const links = nav.map(({ href, text, isCurrent = false }) =>
    isCurrent
      ? html`<li><a href="${href}" aria-current="page">${text}</a></li>`
      : html`<li><a href="${href}">${text}</a></li>`,
  )
  return html`<nav aria-label="${label}"><ul>!${links}</ul></nav>`
}

// Parts of pages ------------------------------------------------------------------------------------------------------

/** Screen readers announce an 'error' at once. */
export function notice(kind: 'done' | 'info' | 'error', text: string): Markup {
  return html`<p class="notice ${kind}" role="${kind === 'error' ? 'alert' : 'status'}">${text}</p>`
}

export type Field = Readonly<{
  name: string
  label: string
  type?: 'text' | 'email' | 'password'
  /** The typed value; never set for passwords. */
  value?: string
  /** The browser's autocomplete token: 'email', 'current-password', 'new-password', 'off' ... */
  autocomplete: string
  hint?: string | undefined
  /** The problem with the typed value. */
  error?: string | undefined
  minLength?: number
  maxLength?: number
  isReadOnly?: boolean
}>

/** A required field. Its name is its id, so a page has each name once. */
export function field({ name, label, type = 'text', value = '', autocomplete, ...more }: Field): Markup {
  const { hint, error, minLength, maxLength, isReadOnly = false } = more
  const described = [...(hint === undefined ? [] : [`${name}-hint`]), ...(error === undefined ? [] : [`${name}-error`])]
  const attributes = [
    described.length > 0 ? html` aria-describedby="${described.join(' ')}"` : '',
    error === undefined ? '' : ' aria-invalid="true"',
    isReadOnly ? ' readonly' : '',
    minLength === undefined ? '' : html` minlength="${minLength}"`,
    maxLength === undefined ? '' : html` maxlength="${maxLength}"`,
  ]
  return html`<div class="field">
    <label for="${name}">${label}</label>
    !${hint === undefined ? '' : html`<p class="hint" id="${name}-hint">${hint}</p>`}
    <input id="${name}" name="${name}" type="${type}" value="${type === 'password' ? '' : value}"
      autocomplete="${autocomplete}" required!${attributes.join('')}>
    !${error === undefined ? '' : html`<p class="error" id="${name}-error" role="alert">${error}</p>`}
  </div>`
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

export type Choice = Readonly<{
  name: string
  label: string
  options: readonly Readonly<{ value: string; text: string }>[]
  value?: string
  /** For pages with several fields of one name. */
  id?: string
}>

export function choice({ name, label, options, value, id = name }: Choice): Markup {
  const shown = options.map((option) =>
    option.value === value
      ? html`<option value="${option.value}" selected>${option.text}</option>`
      : html`<option value="${option.value}">${option.text}</option>`,
  )
  return html`<div class="field"><label for="${id}">${label}</label><select id="${id}" name="${name}">!${shown}</select></div>`
}

export type Form = Readonly<{
  /** A path of this site. */
  action: string
  /** Label of the button. */
  submit: string
  fields?: Markup
  hidden?: Readonly<Record<string, string>>
  /** Marks an action that cannot be undone. */
  isDangerous?: boolean
  /** Marks a secondary button. */
  isPlain?: boolean
  /** For screen readers: the subject of this button among several with the same label. */
  about?: string
}>

export function form({
  action,
  submit,
  fields = '',
  hidden = {},
  isDangerous = false,
  isPlain = false,
  about,
}: Form): Markup {
  const kept = Object.entries(hidden).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )
  const label = about === undefined ? '' : html` <span class="unseen">${about}</span>`
  return html`<form method="post" action="${action}">
    !${kept}!${fields}
    <button class="${isDangerous ? 'danger' : isPlain ? 'plain' : 'main'}">${submit}!${label}</button>
  </form>`
}

export type Table = Readonly<{
  caption: string
  columns: readonly string[]
  /** One cell for each column; the first cell names the row. */
  rows: readonly (readonly Markup[])[]
}>

/** On a phone every row becomes a card. */
export function table({ caption, columns, rows }: Table): Markup {
  const heads = columns.map((column) => html`<th role="columnheader" scope="col">${column}</th>`)
  const lines = rows.map((row) => {
    const cells = row.map((cell, i) =>
      i === 0
        ? html`<th role="rowheader" scope="row" data-label="${columns[i]}"><div>!${cell}</div></th>`
        : html`<td role="cell" data-label="${columns[i]}"><div>!${cell}</div></td>`,
    )
    return html`<tr role="row">!${cells}</tr>`
  })
  // Browsers drop table semantics from the card layout; the roles restore them.
  return html`<table role="table">
    <caption>${caption}</caption>
    <thead role="rowgroup"><tr role="row">!${heads}</tr></thead>
    <tbody role="rowgroup">!${lines}</tbody>
  </table>`
}

/** A value shown only once; one click selects all of it. */
export function copyField(label: string, value: string): Markup {
  return html`<p class="secret"><span>${label}</span> <code>${value}</code></p>`
}

const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })

/** An instant in UTC for people; `otherwise` when there is none. */
export function timeElement(at: string | null, otherwise = 'never'): Markup {
  if (at === null) return html`${otherwise}`
  return html`<time datetime="${at}">${DAY.format(new Date(at))} UTC</time>`
}
