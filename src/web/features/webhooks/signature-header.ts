/** How a header has to look. Spec: Signature */
export const HEADER_FORM = 't=1767225600,v1=64 hexadecimal digits';

/** The header's value, where its name was copied along. */
export const headerValue = (pasted: string): string => pasted.replace(/^\s*service-signature\s*:/i, '').trim();

/** Why a header that can't be read can't be read. */
export function headerProblem(header: string): string {
  if (header === '') return 'There is no header. Paste the value of Service-Signature.';
  const pairs = header.split(',').map((pair) => pair.trim().split('='));
  const valuesOf = (name: string) => pairs.flatMap(([key, value = '']) => (key === name ? [value] : []));
  const [seconds, ...more] = valuesOf('t');
  const [signature] = valuesOf('v1');
  if (seconds === undefined && signature === undefined) return 'It holds neither t, a time, nor v1, a signature.';
  if (seconds === undefined) return 'It lacks t, the time at which it was signed.';
  if (more.length > 0) return 'It holds t more than once.';
  if (!/^\d{1,12}$/.test(seconds)) return clockProblem(seconds);
  return signature === undefined ? 'It lacks v1, the signature.' : signatureProblem(signature);
}

function clockProblem(seconds: string): string {
  if (/^\d{13}$/.test(seconds)) return 'Its t is in milliseconds. It has to be in whole seconds.';
  return `Its t is “${truncate(seconds)}”, which is no time in whole seconds since 1970.`;
}

function signatureProblem(signature: string): string {
  if (/^[0-9a-f]*$/i.test(signature)) return `Its v1 has ${signature.length} digits instead of 64.`;
  return 'Its v1 is not hexadecimal: only the digits 0 to 9 and the letters a to f belong there.';
}

const truncate = (text: string) => (text.length > 24 ? `${text.slice(0, 24)}…` : text);
