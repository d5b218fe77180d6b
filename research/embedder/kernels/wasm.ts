/**
 * As much of a WebAssembly assembler as the loops of kernels.ts need: functions of i32 and f32 parameters over one
 * imported memory, with counted loops and vectors of four f32. Instructions are written as nested calls, operands
 * first, as WebAssembly's text format nests them.
 */
export type Code = readonly number[]

export type ValueType = 'i32' | 'f32' | 'v128'
export type Local = Readonly<{ get: Code; set: (value: Code) => Code; index: number }>

/** What a function's body is written with: its parameters by name, and locals made as they are needed. */
export type Body = Readonly<{
  param: (name: string) => Code
  local: (type: ValueType) => Local
  /**
   * Runs `body` for a counter that begins at `from` and grows by `step` while it is below `to` (signed); `to` is
   * evaluated anew each time.
   */
  loop: (range: { from: Code; to: Code; step: number }, body: (counter: Code) => Code) => Code
}>

export type Kernel = Readonly<{
  name: string
  params: Readonly<Record<string, 'i32' | 'f32'>>
  body: (build: Body) => Code
}>

/**
 * Compiles the kernels over a memory of their own, of at least `bytes`, zero at first; each is exported by its name as a
 * function of its parameters in their order.
 */
export function instantiate<Exports>(kernels: readonly Kernel[], { bytes }: { bytes: number }): Instance<Exports> {
  const memory = new WebAssembly.Memory({ initial: Math.ceil(bytes / PAGE_BYTES) })
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(assemble(kernels)), { env: { memory } })
  return { memory: memory.buffer, kernels: exports as Exports }
}
export type Instance<Exports> = Readonly<{ memory: ArrayBuffer; kernels: Exports }>

/** As much of the standard interface as is used; TypeScript declares it only together with the browser's. */
declare const WebAssembly: Readonly<{
  Memory: new (size: { initial: number }) => { readonly buffer: ArrayBuffer }
  Module: new (bytes: Uint8Array) => object
  Instance: new (module: object, imports: object) => { readonly exports: unknown }
}>
const PAGE_BYTES = 65_536

/** The bytes of a module that imports a memory as `env.memory` and exports the kernels by their names. */
function assemble(kernels: readonly Kernel[]): Uint8Array<ArrayBuffer> {
  const types = kernels.map(({ params }) => [
    0x60,
    ...vector(Object.values(params).map((type) => [TYPE[type]])),
    ...vector([]),
  ])
  const imported = [...text('env'), ...text('memory'), MEMORY, 0x00, ...unsigned(0)]
  return Uint8Array.from([
    0x00,
    0x61,
    0x73,
    0x6d,
    0x01,
    0x00,
    0x00,
    0x00,
    ...section(SECTION.types, vector(types)),
    ...section(SECTION.imports, vector([imported])),
    ...section(SECTION.functions, vector(kernels.map((_, i) => unsigned(i)))),
    ...section(SECTION.exports, vector(kernels.map(({ name }, i) => [...text(name), 0x00, ...unsigned(i)]))),
    ...section(SECTION.code, vector(kernels.map(codeOf))),
  ])
}

const TYPE: Readonly<Record<ValueType, number>> = { i32: 0x7f, f32: 0x7d, v128: 0x7b }
const SECTION = { types: 1, imports: 2, functions: 3, exports: 7, code: 10 } as const
const MEMORY = 0x02

function codeOf({ params, body }: Kernel): Code {
  const names = Object.keys(params)
  const locals: ValueType[] = []
  const local = (type: ValueType): Local => {
    locals.push(type)
    const index = names.length + locals.length - 1
    const get = [0x20, ...unsigned(index)]
    return { index, get, set: (value) => [...value, 0x21, ...unsigned(index)] }
  }
  const code = body({
    param(name) {
      const index = names.indexOf(name)
      if (index < 0) throw new Error(`no parameter '${name}': expected one of ${names}`)
      return [0x20, ...unsigned(index)]
    },
    local,
    loop({ from, to, step }, inner) {
      const counter = local('i32')
      const isOver = [...counter.get, ...to, 0x4e]
      const next = counter.set(i32.add(counter.get, i32.of(step)))
      // block loop (br_if block isOver) ... (br loop) end end
      return [
        ...counter.set(from),
        0x02,
        0x40,
        0x03,
        0x40,
        ...isOver,
        0x0d,
        0x01,
        ...inner(counter.get),
        ...next,
        0x0c,
        0x00,
        0x0b,
        0x0b,
      ]
    },
  })
  const declared = vector(locals.map((type) => [...unsigned(1), TYPE[type]]))
  const bytes = [...declared, ...code, 0x0b]
  return [...unsigned(bytes.length), ...bytes]
}

export const i32 = {
  of: (value: number): Code => [0x41, ...signed(value)],
  add: (a: Code, b: Code): Code => [...a, ...b, 0x6a],
  mul: (a: Code, b: Code): Code => [...a, ...b, 0x6c],
  load: (at: Code, offset = 0): Code => [...at, 0x28, 0x02, ...unsigned(offset)],
}

export const f32 = {
  add: (a: Code, b: Code): Code => [...a, ...b, 0x92],
  load: (at: Code, offset = 0): Code => [...at, 0x2a, 0x02, ...unsigned(offset)],
  store: (at: Code, value: Code, offset = 0): Code => [...at, ...value, 0x38, 0x02, ...unsigned(offset)],
}

/** Four f32 side by side; addresses need no alignment. */
export const f32x4 = {
  zero: [0xfd, 0x0c, ...Array<number>(16).fill(0)] as Code,
  load: (at: Code, offset = 0): Code => [...at, 0xfd, 0x00, 0x02, ...unsigned(offset)],
  store: (at: Code, value: Code, offset = 0): Code => [...at, ...value, 0xfd, 0x0b, 0x02, ...unsigned(offset)],
  splat: (value: Code): Code => [...value, 0xfd, 0x13],
  lane: (value: Code, lane: 0 | 1 | 2 | 3): Code => [...value, 0xfd, 0x1f, lane],
  sqrt: (value: Code): Code => [...value, 0xfd, ...unsigned(0xe3)],
  add: (a: Code, b: Code): Code => [...a, ...b, 0xfd, ...unsigned(0xe4)],
  sub: (a: Code, b: Code): Code => [...a, ...b, 0xfd, ...unsigned(0xe5)],
  mul: (a: Code, b: Code): Code => [...a, ...b, 0xfd, ...unsigned(0xe6)],
  div: (a: Code, b: Code): Code => [...a, ...b, 0xfd, ...unsigned(0xe7)],
}

function section(id: number, bytes: Code): Code {
  return [id, ...unsigned(bytes.length), ...bytes]
}

function vector(items: readonly Code[]): Code {
  return [...unsigned(items.length), ...items.flat()]
}

function text(value: string): Code {
  const bytes = new TextEncoder().encode(value)
  return [...unsigned(bytes.length), ...bytes]
}

/** LEB128: seven bits a byte, lowest first, the high bit says that more follow. */
function unsigned(value: number): Code {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)]
}

function signed(value: number): Code {
  const low = value & 0x7f
  const rest = value >> 7
  const isLast = (rest === 0 && (low & 0x40) === 0) || (rest === -1 && (low & 0x40) !== 0)
  return isLast ? [low] : [low | 0x80, ...signed(rest)]
}
