/** Quantised vectors at half a byte a component: the scale of the row times -7 to 7. */
export type Rows = Readonly<{
  count: number
  /** Adds a weighted row to a sum of `dims` components. */
  addTo: (sum: Float32Array, row: number, weight: number) => void
}>

const STEPS = 7
/** Stores -7 to 7 as 1 to 15. */
const ZERO = 8
const SCALE_BYTES = 2

/**
 * Packs a table of rows: two components a byte, the even one in the low half, all rows; then the rows' scales as
 * little-endian f16. A row of zeros has the scale 0.
 */
export function packRows(table: Float32Array, dims: number): Uint8Array {
  const count = table.length / dims
  const bytes = new Uint8Array(count * (dims / 2 + SCALE_BYTES))
  const scales = new DataView(bytes.buffer, (count * dims) / 2)
  for (let row = 0; row < count; row++) {
    const components = table.subarray(row * dims, (row + 1) * dims)
    const most = components.reduce((largest, component) => Math.max(largest, Math.abs(component)), 0)
    // Quantise by the stored scale, so that its rounding adds no error.
    const scale = Math.f16round(most / STEPS)
    scales.setFloat16(row * SCALE_BYTES, scale, true)
    const stepsOf = (component: number) =>
      scale === 0 ? ZERO : ZERO + Math.max(-STEPS, Math.min(STEPS, Math.round(component / scale)))
    for (let d = 0; d < dims; d += 2) {
      bytes[(row * dims + d) / 2] = stepsOf(components[d] as number) | (stepsOf(components[d + 1] as number) << 4)
    }
  }
  return bytes
}

/** Opens packed rows; throws unless the bytes are `count` rows or, without `count`, a whole number of rows. */
export function openRows(bytes: Uint8Array, { dims, count }: { dims: number; count?: number }): Rows {
  const rowBytes = dims / 2 + SCALE_BYTES
  const rows = count ?? Math.floor(bytes.length / rowBytes)
  if (bytes.length !== rows * rowBytes) {
    throw new Error(`rows of ${bytes.length} bytes: expected ${rows} of ${rowBytes} bytes each`)
  }
  const end = (rows * dims) / 2
  const view = new DataView(bytes.buffer, bytes.byteOffset + end)
  const scales = Float32Array.from({ length: rows }, (_, row) => view.getFloat16(row * SCALE_BYTES, true))
  return {
    count: rows,
    addTo(sum, row, weight) {
      const scale = (scales[row] as number) * weight
      const from = (row * dims) / 2
      for (let d = 0; d < dims; d += 2) {
        const pair = bytes[from + d / 2] as number
        sum[d] = (sum[d] as number) + scale * ((pair & 15) - ZERO)
        sum[d + 1] = (sum[d + 1] as number) + scale * ((pair >> 4) - ZERO)
      }
    },
  }
}
