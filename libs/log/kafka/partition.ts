/**
 * The partition of a key among `count`, as Kafka's own clients choose it: murmur2 of the bytes, without its sign. Every client
 * of a log must use this one, or records of one key would come into two partitions and lose their order.
 */
export function partitionOf(key: string, count: number): number {
  return (murmur2(Buffer.from(key)) & 0x7f_ff_ff_ff) % count
}

const SEED = 0x97_47_b2_8c
const FACTOR = 0x5b_d1_e9_95

function murmur2(data: Buffer): number {
  const whole = data.length - (data.length % 4)
  let hash = SEED ^ data.length
  for (let at = 0; at < whole; at += 4) {
    let word = Math.imul(data.readInt32LE(at), FACTOR)
    word = Math.imul(word ^ (word >>> 24), FACTOR)
    hash = Math.imul(hash, FACTOR) ^ word
  }
  if (whole < data.length) {
    hash = Math.imul(hash ^ data.readUIntLE(whole, data.length - whole), FACTOR)
  }
  hash = Math.imul(hash ^ (hash >>> 13), FACTOR)
  return hash ^ (hash >>> 15)
}
