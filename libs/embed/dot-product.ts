/** Dot product of a vector and the components of `rows` from `at` on. */
export function dotProduct(vector: Float32Array, rows: Float32Array, at: number): number {
  const dims = vector.length
  // Four independent sums are twice as fast as one.
  let a = 0
  let b = 0
  let c = 0
  let d = 0
  let i = 0
  for (; i + 3 < dims; i += 4) {
    a += (vector[i] as number) * (rows[at + i] as number)
    b += (vector[i + 1] as number) * (rows[at + i + 1] as number)
    c += (vector[i + 2] as number) * (rows[at + i + 2] as number)
    d += (vector[i + 3] as number) * (rows[at + i + 3] as number)
  }
  for (; i < dims; i++) a += (vector[i] as number) * (rows[at + i] as number)
  return a + b + c + d
}
