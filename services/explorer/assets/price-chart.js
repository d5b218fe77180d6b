// A chart with zoom and a cursor in place of the drawing, when the reader asks for it. It draws the figures of the drawing
// and of its table, and shows their texts, so that every value stands as the server wrote it.

/** A vote is near the cursor within so many pixels. */
const NEAR_PX = 10
const ZOOM = 1.6
const DAY_SECONDS = 86_400
/** Steps of the dates below the plot. */
const DAYS = [1, 2, 5, 10, 30, 60, 91, 183, 365, 730, 1_826, 3_652]

const secondsOf = (at) => Date.parse(at) / 1_000

class PriceChart extends HTMLElement {
  connectedCallback() {
    this.drawing = this.querySelector('.drawing')
    this.button = document.createElement('button')
    this.button.type = 'button'
    this.button.className = 'plain'
    this.button.textContent = this.dataset.open
    this.button.addEventListener('click', () => (this.plot === undefined ? this.open() : this.close()))
    this.querySelector('.chart-tools').append(this.button)
  }

  disconnectedCallback() {
    this.close()
    this.button.remove()
  }

  async open() {
    this.button.disabled = true
    try {
      await loaded(this.dataset.library)
      this.build()
      this.button.textContent = this.dataset.close
    } finally {
      this.button.disabled = false
    }
    this.box.focus()
  }

  /** Leads back to the drawing. */
  close() {
    if (this.plot === undefined) return
    this.resized.disconnect()
    this.scheme.removeEventListener('change', this.repaint)
    this.plot.destroy()
    this.box.remove()
    this.plot = undefined
    this.drawing.classList.remove('covered')
    this.button.textContent = this.dataset.open
    this.button.focus()
  }

  build() {
    this.figures = figuresOf(this)
    const { from, to, marks } = this.figures
    this.stops = [...new Set([from, ...marks, to])].filter((at) => at >= from && at <= to).sort((a, b) => a - b)
    this.box = document.createElement('div')
    this.box.className = 'plot'
    this.box.tabIndex = 0
    this.box.setAttribute('role', 'application')
    this.box.setAttribute('aria-label', `${this.drawing.getAttribute('aria-label')} ${this.dataset.keys}`)
    this.box.addEventListener('keydown', (event) => this.press(event))
    this.readout = document.createElement('output')
    this.drawing.after(this.box)
    this.drawing.classList.add('covered')
    this.plot = new window.uPlot(this.options(), [this.stops, this.stops.map(() => null)], this.box)
    this.box.append(this.readout)
    this.point(to)
    this.resized = new ResizeObserver(() => this.plot?.setSize(this.size()))
    this.resized.observe(this.drawing)
    this.repaint = () => this.plot?.redraw()
    this.scheme = matchMedia('(prefers-color-scheme: dark)')
    this.scheme.addEventListener('change', this.repaint)
  }

  size() {
    const { width, height } = this.drawing.getBoundingClientRect()
    return { width, height }
  }

  options() {
    const { from, to, low, high } = this.figures
    const { locale, currency, exponent } = this.dataset
    const digits = { minimumFractionDigits: Number(exponent), maximumFractionDigits: Number(exponent) }
    const figures = currency === '' ? { maximumFractionDigits: 2 } : { style: 'currency', currency, ...digits }
    const money = new Intl.NumberFormat(locale, figures)
    const day = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' })
    const look = {
      font: '13px system-ui, sans-serif',
      stroke: () => styleOf(this.drawing, 'text').fill,
      grid: { stroke: () => styleOf(this.drawing, '.grid').stroke, width: 1 },
      ticks: { show: false },
    }
    return {
      ...this.size(),
      legend: { show: false },
      cursor: { y: false, drag: { x: true, y: false }, points: { show: false } },
      scales: { x: { time: true, min: from, max: to }, y: { range: [low, high] } },
      axes: [
        { ...look, size: 34, space: 110, incrs: DAYS.map((days) => days * DAY_SECONDS), values: (_plot, marks) => marks.map((at) => day.format(at * 1_000)) },
        { ...look, size: 84, space: 45, values: (_plot, marks) => marks.map((cents) => money.format(cents / 10 ** exponent)) },
      ],
      series: [{}, { paths: () => null, points: { show: false } }],
      hooks: { draw: [(plot) => draw(plot, this.figures, this.drawing)], setCursor: [(plot) => this.tell(plot)] },
    }
  }

  /** Moves the cursor to an instant, and the shown span with it where it lies outside. */
  point(at) {
    const { min, max } = this.plot.scales.x
    // A new plot has no span before its first microtask.
    if (typeof min === 'number' && (at < min || at > max)) {
      const shift = at < min ? at - min : at - max
      this.span(min + shift, max + shift)
    }
    this.at = at
    // uPlot applies a new span in a microtask of its own, before this one.
    queueMicrotask(() => {
      this.plot?.setCursor({ left: this.plot.valToPos(at, 'x'), top: 1 })
      if (this.plot !== undefined) this.tell(this.plot, at)
    })
  }

  /** Shows a span within the drawn period, of a day at least. */
  span(min, max) {
    const { from, to } = this.figures
    const width = Math.min(Math.max(max - min, DAY_SECONDS), to - from)
    const start = Math.min(Math.max(min, from), to - width)
    this.plot.setScale('x', { min: start, max: start + width })
  }

  press(event) {
    const { from, to } = this.figures
    const { min, max } = this.plot.scales.x
    const zoom = (factor) => {
      const share = (this.at - min) / (max - min)
      const width = (max - min) / factor
      this.span(this.at - share * width, this.at + (1 - share) * width)
      this.point(this.at)
    }
    const keys = {
      ArrowRight: () => this.point(this.stops.find((at) => at > this.at) ?? to),
      ArrowLeft: () => this.point(this.stops.findLast((at) => at < this.at) ?? from),
      Home: () => this.point(from),
      End: () => this.point(to),
      '+': () => zoom(ZOOM),
      '=': () => zoom(ZOOM),
      '-': () => zoom(1 / ZOOM),
      0: () => this.span(from, to),
      Escape: () => this.close(),
    }
    if (event.ctrlKey || event.metaKey || event.altKey || keys[event.key] === undefined) return
    event.preventDefault()
    keys[event.key]()
  }

  /** Says what holds at the cursor: of each line the step in force, and the votes near it. */
  tell(plot, exact) {
    const { left } = plot.cursor
    if (exact === undefined && (left === undefined || left < 0)) return
    const at = exact ?? plot.posToVal(left, 'x')
    this.at = at
    const { lines, dots } = this.figures
    const inForce = lines.map(({ name, steps }) => {
      const step = steps.findLast((each) => each.at <= at + 1)
      const value = step === undefined ? '—' : `${step.price} (${step.day})`
      return `${name}: ${value}`
    })
    const x = plot.valToPos(at, 'x')
    const near = dots.filter((dot) => Math.abs(plot.valToPos(dot.at, 'x') - x) <= NEAR_PX).map(({ title }) => title)
    // The text stands on the other side of the cursor.
    this.readout.classList.toggle('left', x > plot.over.clientWidth / 2)
    this.readout.textContent = [...inForce, ...near].join('\n')
  }
}

/** The figures of the drawing and its table; instants in seconds, amounts in minor units. */
function figuresOf(element) {
  const { from, to, low, high } = element.dataset
  const lines = [...element.querySelectorAll('table[data-line]')].map((table) => ({
    name: table.caption.textContent,
    mark: `.median.${table.dataset.line}`,
    steps: [...table.tBodies[0].rows].map((row) => ({
      at: secondsOf(row.querySelector('time').dateTime),
      cents: row.dataset.cents === '' ? null : Number(row.dataset.cents),
      day: row.cells[0].textContent,
      price: row.cells[1].textContent,
    })),
  }))
  const dots = [...element.querySelectorAll('.drawing > .wide [data-cents]')].map((dot) => ({
    at: secondsOf(dot.dataset.at),
    cents: Number(dot.dataset.cents),
    mark: dot.classList.contains('excluded') ? '.excluded' : '.vote',
    title: dot.textContent,
  }))
  const { p25, p75, at } = element.querySelector('.drawing > .wide .band')?.dataset ?? {}
  const band = p25 === undefined ? undefined : { p25: Number(p25), p75: Number(p75), at: secondsOf(at) }
  const marks = [...lines.flatMap(({ steps }) => steps.map((step) => step.at)), ...dots.map((dot) => dot.at)]
  return { lines, dots, band, marks, from: secondsOf(from), to: secondsOf(to), low: Number(low), high: Number(high) }
}

const styleOf = (drawing, mark) => getComputedStyle(drawing.querySelector(mark) ?? drawing)

/** Levels and jumps with gaps; between two steps there is no slope. */
function draw(plot, { lines, dots, band, to, low, high }, drawing) {
  const { ctx, bbox } = plot
  const ratio = devicePixelRatio
  const x = (at) => plot.valToPos(at, 'x', true)
  const y = (cents) => plot.valToPos(cents, 'y', true)
  ctx.save()
  ctx.beginPath()
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height)
  ctx.clip()
  if (band !== undefined) {
    ctx.fillStyle = styleOf(drawing, '.band').fill
    const left = Math.min(x(band.at), x(to) - 6 * ratio)
    ctx.fillRect(left, y(band.p75), x(to) - left, y(band.p25) - y(band.p75))
  }
  for (const { steps, mark } of lines) {
    const { stroke, strokeWidth, strokeDasharray } = styleOf(drawing, mark)
    ctx.strokeStyle = stroke
    ctx.lineWidth = Number.parseFloat(strokeWidth) * ratio
    ctx.setLineDash((strokeDasharray.match(/[\d.]+/g) ?? []).map((length) => Number(length) * ratio))
    ctx.beginPath()
    for (const [i, { at, cents }] of steps.entries()) {
      if (cents === null) continue
      const isNew = i === 0 || steps[i - 1].cents === null
      if (isNew) ctx.moveTo(x(at), y(cents))
      else ctx.lineTo(x(at), y(cents))
      ctx.lineTo(x(steps[i + 1]?.at ?? to), y(cents))
    }
    ctx.stroke()
  }
  ctx.setLineDash([])
  for (const { at, cents, mark } of dots) {
    const { fill, stroke, strokeWidth } = styleOf(drawing, mark)
    ctx.fillStyle = fill
    ctx.strokeStyle = stroke
    ctx.lineWidth = Number.parseFloat(strokeWidth) * ratio
    ctx.beginPath()
    if (cents >= low && cents <= high) ctx.arc(x(at), y(cents), 4 * ratio, 0, 2 * Math.PI)
    else atEdge(ctx, { x: x(at), bbox, ratio, isAbove: cents > high })
    ctx.fill()
    ctx.stroke()
  }
  ctx.restore()
}

/** A triangle that points beyond the shown span. */
function atEdge(ctx, { x, bbox, ratio, isAbove }) {
  const tip = isAbove ? bbox.top : bbox.top + bbox.height
  const base = tip + (isAbove ? 8 : -8) * ratio
  ctx.moveTo(x - 5 * ratio, base)
  ctx.lineTo(x + 5 * ratio, base)
  ctx.lineTo(x, tip)
  ctx.closePath()
}

let library

/** Loads uPlot once, from this origin. */
function loaded(path) {
  library ??= new Promise((resolve, reject) => {
    const script = document.createElement('script')
    script.src = path
    script.addEventListener('load', resolve)
    script.addEventListener('error', () => {
      library = undefined
      reject(new Error(`${path} did not load: expected uPlot`))
    })
    document.head.append(script)
  })
  return library
}

customElements.define('price-chart', PriceChart)
