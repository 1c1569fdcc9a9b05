/** Counts like the contract, without allocating an array per key press. */
export function countCodePoints(text: string): number {
  let pairs = 0;
  for (let at = 0; at < text.length - 1; at += 1) {
    const high = text.charCodeAt(at) & 0xfc00;
    if (high === 0xd800 && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00) {
      pairs += 1;
      at += 1;
    }
  }
  return text.length - pairs;
}
