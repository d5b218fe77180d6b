import { expect, test } from 'vitest'
import { frame, html } from './markup.ts'
import { choice, copyField, field, form, notice, timeElement } from './parts.ts'
import { table } from './table.ts'

const NASTY = `"><script>alert('x')</script>&amp;\``

/** Fails where a browser would begin a tag or end an attribute. */
const isHarmless = (markup: string) => {
  expect(markup).not.toContain('<script')
  expect(markup).not.toContain(`"><`.concat('script'))
  expect(markup).toContain('&#60;script&#62;')
}

test('every part of a page escapes its text', () => {
  isHarmless(field({ name: 'a', label: NASTY, autocomplete: 'off' }))
  isHarmless(field({ name: 'a', label: 'A', autocomplete: 'off', value: NASTY }))
  isHarmless(field({ name: 'a', label: 'A', autocomplete: 'off', hint: NASTY }))
  isHarmless(field({ name: 'a', label: 'A', autocomplete: 'off', error: NASTY }))
  isHarmless(choice({ name: 'a', label: NASTY, options: [{ value: 'a', text: 'A' }] }))
  isHarmless(choice({ name: 'a', label: 'A', options: [{ value: NASTY, text: 'A' }], value: NASTY }))
  isHarmless(choice({ name: 'a', label: 'A', options: [{ value: 'a', text: NASTY }] }))
  isHarmless(form({ action: NASTY, submit: 'Go' }))
  isHarmless(form({ action: '/console', submit: NASTY }))
  isHarmless(form({ action: '/console', submit: 'Go', about: NASTY }))
  isHarmless(form({ action: '/console', submit: 'Go', hidden: { a: NASTY } }))
  isHarmless(notice('error', NASTY))
  isHarmless(copyField('Key', NASTY))
  isHarmless(timeElement(null, NASTY))
  isHarmless(table({ caption: NASTY, columns: ['A'], rows: [] }))
  isHarmless(table({ caption: 'A', columns: [NASTY], rows: [[html`a`]] }))
  isHarmless(frame({ title: NASTY, body: '' }))
  isHarmless(frame({ title: 'x', body: notice('error', NASTY) }))
})

test('a typed password is never shown again', () => {
  const markup = field({ name: 'p', label: 'P', type: 'password', autocomplete: 'off', value: 'three green ladders' })
  expect(markup).not.toContain('three green')
})

test('a field is described by its hint and its error', () => {
  const markup = field({ name: 'a', label: 'A', autocomplete: 'off', hint: 'Twelve', error: 'Eleven' })
  expect(markup).toContain('aria-describedby="a-hint a-error"')
  expect(markup).toContain('aria-invalid="true"')
  expect(markup).toContain('<p class="error" id="a-error" role="alert">Eleven</p>')
  expect(field({ name: 'a', label: 'A', autocomplete: 'off' })).not.toMatch(/aria-|role/)
})

test('an instant is shown in UTC', () => {
  expect(timeElement('2026-11-20T23:30:00Z')).toBe(
    '<time datetime="2026-11-20T23:30:00Z">20 Nov 2026, 23:30 UTC</time>',
  )
  expect(timeElement(null)).toBe('never')
})
