import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import axe from 'axe-core'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'

/** A browser of the machine, and the faults that it finds in a page. */

const NAMES = ['chromium-headless-shell', 'chromium', 'google-chrome']
/** Outlasts the slowest page on a busy machine. */
const PAGE_TIMEOUT_MS = 15_000
/** A small phone, and a window. */
const PHONE = { width: 360, height: 740 }
const WINDOW = { width: 1440, height: 900 }

function browserPath(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find(existsSync)
}

/** Why no browser can start here, for the name of a skipped suite; null when one can. Throws where CI is true. */
export function unavailable(): string | null {
  if (browserPath() !== undefined) return null
  if (process.env.CI === 'true') throw new Error('no browser: expected chromium in PATH')
  return 'no browser here (expected chromium in PATH): '
}

export async function startBrowser(): Promise<Browser> {
  return await chromium.launch({
    executablePath: browserPath() as string,
    // As root, Chromium starts only without its sandbox.
    chromiumSandbox: process.getuid?.() !== 0,
  })
}

/** A person at the browser with cookies of their own, and the browser's complaints meanwhile. */
export type Person = Readonly<{ page: Page; context: BrowserContext; complaints: string[] }>

export async function openPerson(browser: Browser, origin: string): Promise<Person> {
  const context = await browser.newContext({ viewport: WINDOW, reducedMotion: 'reduce' })
  context.setDefaultTimeout(PAGE_TIMEOUT_MS)
  const complaints: string[] = []
  context.on('console', (message) => {
    // The status of an error page is no fault.
    const isStatus = /^Failed to load resource: .* status of 4\d\d/.test(message.text())
    if (!isStatus) complaints.push(`${message.location().url}: ${message.text()}`)
  })
  context.on('weberror', (error) => complaints.push(error.error().message))
  context.on('request', (request) => {
    if (!request.url().startsWith(`${origin}/`)) complaints.push(`asked for ${request.url()}`)
  })
  return { page: await context.newPage(), context, complaints }
}

/**
 * Faults of the page: accessibility (WCAG 2.2 AA and good practice, by axe) in light and dark with everything expanded,
 * and overflow to the side on a phone.
 */
export async function faultsOf(page: Page): Promise<string[]> {
  const faults: string[] = []
  const judge = async (script: string, where: string) => {
    faults.push(...(await page.evaluate<string[]>(script)).map((fault) => `${where}: ${fault}`))
  }
  await page.evaluate(OPEN_ALL)
  await page.evaluate(axe.source)
  await judge(JUDGE_ALL, 'in a window')
  await judge(DRAWN_CONTRAST, 'in a window')
  await page.emulateMedia({ colorScheme: 'dark' })
  await judge(JUDGE_CONTRAST, 'in the dark')
  await judge(DRAWN_CONTRAST, 'in the dark')
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize(PHONE)
  // What follows the width of the page, as a drawing does, has it two frames later.
  await page.evaluate(TWO_FRAMES)
  await judge(JUDGE_ALL, 'on a phone')
  await judge(STANDS_OUT, 'on a phone')
  await page.setViewportSize(WINDOW)
  await page.evaluate(CLOSE_AGAIN)
  return faults
}

/**
 * Walks through the page by the Tab key: the reached parts in order, each as its name or text. Throws when one of them
 * does not show its focus.
 */
export async function tabThrough(page: Page): Promise<string[]> {
  const reached: string[] = []
  await page.evaluate('document.activeElement?.blur()')
  for (;;) {
    await page.keyboard.press('Tab')
    const part = await page.evaluate<{ text: string; isShown: boolean } | null>(FOCUSED)
    if (part === null) return reached
    if (!part.isShown) throw new Error(`expected to see that '${part.text}' has the focus`)
    reached.push(part.text)
  }
}

const TWO_FRAMES = 'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))'

const OPEN_ALL = `for (const closed of document.querySelectorAll('details:not([open])')) {
  closed.open = true
  closed.dataset.opened = 'yes'
}`
const CLOSE_AGAIN = `for (const opened of document.querySelectorAll('details[data-opened]')) opened.open = false`

const judged = (options: object) => `(async () => {
  const { violations, incomplete } = await axe.run(document, ${JSON.stringify({ preload: false, ...options })})
  // Of text in a drawing it never knows what lies below; DRAWN_CONTRAST does.
  const isDrawn = ({ html }) => html.startsWith('<text')
  const unsure = incomplete
    .filter(({ id }) => id === 'color-contrast')
    .map((rule) => ({ ...rule, nodes: rule.nodes.filter((node) => !isDrawn(node)) }))
  return [...violations, ...unsure].flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html))
})()`
const JUDGE_ALL = judged({})
const JUDGE_CONTRAST = judged({ runOnly: ['color-contrast'] })

/** Text in SVG whose colour is too near to that of the area or background below it (WCAG 2.2, 1.4.3). */
const DRAWN_CONTRAST = `(() => {
  // A mixed colour has channels from 0 to 1.
  const channels = (color) => {
    const [r, g, b, alpha] = (color.match(/[\\d.]+/g) ?? []).map(Number)
    return (color.startsWith('color(') ? [r * 255, g * 255, b * 255] : [r, g, b]).concat(alpha ?? [])
  }
  const luminance = (color) => {
    const [r, g, b] = channels(color).map((value) => value / 255)
    const linear = [r, g, b].map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4))
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
  }
  const backgroundOf = (part) => {
    const { backgroundColor } = getComputedStyle(part)
    const [, , , alpha = 1] = channels(backgroundColor)
    return alpha === 1 || part.parentElement === null ? backgroundColor : backgroundOf(part.parentElement)
  }
  return [...document.querySelectorAll('svg text')].flatMap((part) => {
    // An area that is a link has its text on it.
    const area = part.closest('a')?.querySelector('rect')
    const behind = area ? getComputedStyle(area).fill : backgroundOf(part)
    const [a, b] = [luminance(getComputedStyle(part).fill), luminance(behind)]
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
    return ratio >= 4.5 ? [] : ['contrast ' + ratio.toFixed(2) + ': ' + part.outerHTML]
  })
})()`

const STANDS_OUT = `(() => {
  const { clientWidth, scrollWidth } = document.documentElement
  if (scrollWidth <= clientWidth) return []
  const wide = [...document.querySelectorAll('body *')].filter((part) => part.getBoundingClientRect().right > clientWidth)
  return wide.map((part) => 'stands out to the side: ' + part.outerHTML.slice(0, 200))
})()`

/** Null once the focus has left the page or returned to its start. */
const FOCUSED = `(() => {
  const part = document.activeElement
  if (part === null || part === document.body || part.dataset.reached === 'yes') return null
  part.dataset.reached = 'yes'
  const { outlineStyle, outlineWidth } = getComputedStyle(part)
  const { left, top, width, height } = part.getBoundingClientRect()
  return {
    text: part.getAttribute('name') ?? part.textContent.trim().replace(/\\s+/g, ' '),
    isShown: outlineStyle !== 'none' && outlineWidth !== '0px' && width > 1 && height > 1 && left >= 0 && top >= 0,
  }
})()`
