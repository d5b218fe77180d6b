// Suggestions while the reader types, and a market that is sent when it is chosen. Every page works without this file.

const form = document.querySelector('form.search')
const input = form?.querySelector('input[type=search]')
const market = form?.querySelector('select')

/** Long enough for a fast typist, short enough to feel immediate. */
const PAUSE_MS = 180
const SUGGESTIONS = 6

let timer
let asked

function suggest() {
  clearTimeout(timer)
  asked?.abort()
  const question = input.value.trim()
  if (question.length < 2) return close()
  timer = setTimeout(() => ask(question), PAUSE_MS)
}

async function ask(question) {
  asked = new AbortController()
  const parameters = new URLSearchParams(new FormData(form))
  parameters.set('q', question)
  parameters.set('limit', String(SUGGESTIONS))
  try {
    const answer = await fetch(`/search/suggestions?${parameters}`, { signal: asked.signal })
    if (!answer.ok) return close()
    show(await answer.text())
  } catch {
    // Another letter was typed, or the network is away: the form still works.
  }
}

/** The server escapes the names, as it does for pages. */
function show(markup) {
  close()
  form.insertAdjacentHTML('beforeend', markup)
}

function close() {
  for (const part of form.querySelectorAll('.suggestions, [role=status]')) part.remove()
}

function move(event) {
  const links = [...form.querySelectorAll('.suggestions a')]
  if (event.key === 'Escape') {
    close()
    input.focus()
  }
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
  if (links.length === 0) return
  event.preventDefault()
  const at = links.indexOf(document.activeElement) + (event.key === 'ArrowDown' ? 1 : -1)
  const next = links[at] ?? input
  next.focus()
}

if (form !== null && input !== null) {
  input.addEventListener('input', suggest)
  form.addEventListener('keydown', move)
  document.addEventListener('click', (event) => {
    if (!form.contains(event.target)) close()
  })
  market?.addEventListener('change', () => {
    if (input.value.trim().length >= 2) return form.requestSubmit()
    const address = new URL(location.href)
    address.searchParams.set('price_region', market.value)
    if (market.value === '') address.searchParams.delete('price_region')
    location.assign(address)
  })
}

// The priced bill: each choice is sent as the form does, and answered in place. Keys work on the buttons of its lines alone.

const priced = document.querySelector('#bill-priced')
const said = document.querySelector('#bill-said')

async function reprice(event) {
  const { submitter, target } = event
  if (submitter?.name === 'download') return
  event.preventDefault()
  if (priced.ariaBusy === 'true') return
  priced.ariaBusy = 'true'
  try {
    const answer = await fetch(target.action, { method: 'POST', body: new FormData(target, submitter) })
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
    const next = page.querySelector('#bill-priced') ?? page.querySelector('main')
    priced.replaceChildren(...next.childNodes)
  } catch {
    // The network is away: the same button asks again.
  }
  priced.ariaBusy = 'false'
  said.textContent = priced.querySelector('.price, .note')?.textContent
  const { hash } = new URL(submitter?.formAction ?? location.href)
  const line = hash === '' ? null : priced.querySelector(hash)
  ;(line ?? priced.querySelector('.take, .undo'))?.focus()
}

function walk(event) {
  if (!event.target.matches('.take, .undo')) return
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  const buttons = [...priced.querySelectorAll('.take, .undo')]
  if (step !== undefined) {
    event.preventDefault()
    buttons[buttons.indexOf(event.target) + step]?.focus()
  } else if (event.key === 'u') priced.querySelector(`[name=undo][value="${priced.dataset.last}"]`)?.click()
}

priced?.addEventListener('submit', (event) => {
  if (event.submitter?.name === 'take') priced.dataset.last = Number.parseInt(event.submitter.value, 10)
  return reprice(event)
})
priced?.addEventListener('keydown', walk)
priced?.querySelector('.take')?.focus({ preventScroll: true })
