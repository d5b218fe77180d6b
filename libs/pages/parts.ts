import { html, type Markup } from './markup.ts'

/** Parts of pages: notices, forms and times. */

/** Screen readers announce an 'error' at once. */
export function notice(kind: 'done' | 'info' | 'error', text: string): Markup {
  return html`<p class="notice ${kind}" role="${kind === 'error' ? 'alert' : 'status'}">${text}</p>`
}

export type Field = Readonly<{
  name: string
  /** For pages with several fields of one name. */
  id?: string
  label: string
  type?: 'text' | 'email' | 'password'
  /** The typed value; never set for passwords. */
  value?: string
  /** The browser's autocomplete token: 'email', 'current-password', 'new-password' ... */
  autocomplete?: string
  placeholder?: string
  hint?: string | undefined
  /** The problem with the typed value. */
  error?: string | undefined
  minLength?: number
  maxLength?: number
  isReadOnly?: boolean
  isRequired?: boolean
}>

/** A field, which is required unless it says otherwise. */
export function field({ name, id = name, label, type = 'text', value = '', ...more }: Field): Markup {
  const { autocomplete = 'off', hint, error, isReadOnly = false, isRequired = true } = more
  const described = [...(hint === undefined ? [] : [`${id}-hint`]), ...(error === undefined ? [] : [`${id}-error`])]
  const given = { minlength: more.minLength, maxlength: more.maxLength, placeholder: more.placeholder }
  const attributes = [
    described.length > 0 ? html` aria-describedby="${described.join(' ')}"` : '',
    error === undefined ? '' : ' aria-invalid="true"',
    isReadOnly ? ' readonly' : '',
    isRequired ? ' required' : '',
    ...Object.entries(given).map(([key, given]) => (given === undefined ? '' : html` ${key}="${given}"`)),
  ]
  return html`<div class="field">
    <label for="${id}">${label}</label>
    !${hint === undefined ? '' : html`<p class="hint" id="${id}-hint">${hint}</p>`}
    <input id="${id}" name="${name}" type="${type}" value="${type === 'password' ? '' : value}" autocomplete="${autocomplete}"!${attributes}>
    !${error === undefined ? '' : html`<p class="error" id="${id}-error" role="alert">${error}</p>`}
  </div>`
}

export type Choice = Readonly<{
  name: string
  label: string
  options: readonly Readonly<{ value: string; text: string }>[]
  value?: string
  /** For pages with several fields of one name. */
  id?: string
}>

export function choice({ name, label, options, value, id = name }: Choice): Markup {
  const shown = options.map(
    (option) =>
      html`<option value="${option.value}"!${option.value === value ? ' selected' : ''}>${option.text}</option>`,
  )
  return html`<div class="field"><label for="${id}">${label}</label><select id="${id}" name="${name}">!${shown}</select></div>`
}

export const hiddenFields = (values: Readonly<Record<string, string>>): Markup =>
  Object.entries(values)
    .map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)
    .join('')

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
  const label = about === undefined ? '' : html` <span class="unseen">${about}</span>`
  return html`<form method="post" action="${action}">
    !${hiddenFields(hidden)}!${fields}
    <button class="${isDangerous ? 'danger' : isPlain ? 'plain' : 'main'}">${submit}!${label}</button>
  </form>`
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
