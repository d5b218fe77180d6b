/** Words for yes and no in the languages of our vendors, in lower case. */
const YES = 'yes y true 1 si sí s sim oui ja incl included incluido inkl inkl.'
const NO = 'no n false 0 nao não non nein excl excluded zzgl zzgl.'

export const YES_NO: ReadonlyMap<string, boolean> = new Map([
  ...YES.split(' ').map((word) => [word, true] as const),
  ...NO.split(' ').map((word) => [word, false] as const),
])
