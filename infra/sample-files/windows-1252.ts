/** Bytes 0x80 to 0x9f of windows-1252; all other bytes equal Latin-1. */
const WINDOWS_1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'

export function windows1252(text: string, vendor: string): Uint8Array {
  return Uint8Array.from(text, (letter) => {
    const code = letter.codePointAt(0) as number
    if (code < 0x80 || (code > 0x9f && code < 0x100)) return code
    const at = WINDOWS_1252.indexOf(letter)
    if (at === -1)
      throw new RangeError(`vendor '${vendor}': '${letter}' of '${lineWith(text, letter)}' is not in windows-1252`)
    return 0x80 + at
  })
}

function lineWith(text: string, letter: string): string {
  return text.split(/\r\n/).find((line) => line.includes(letter)) ?? letter
}
