/** A request body that no browser sends, and what is odd about it. */
export interface OddForm {
  odd: string;
  /** `multipart/form-data` with the boundary by default. */
  contentType?: string | null;
  body: Buffer;
}

const BOUNDARY = 'b0undary';
export const FORM_TYPE = `multipart/form-data; boundary=${BOUNDARY}`;
const NAMED = 'Content-Disposition: form-data; name="prompt"';
const FILE = 'Content-Disposition: form-data; name="file"; filename="a.png"';

const part = (head: string, content = 'x') => `--${BOUNDARY}\r\n${head}\r\n\r\n${content}\r\n`;
const form = (...parts: string[]) => Buffer.from(`${parts.join('')}--${BOUNDARY}--\r\n`, 'latin1');
const raw = (body: string) => Buffer.from(body, 'latin1');
const disposition = (parameters: string) => form(part(`Content-Disposition: form-data${parameters}`), part(FILE));
const ofType = (contentType: string | null) => ({ contentType, body: form(part(NAMED), part(FILE)) });
const nested = form(
  part(
    'Content-Disposition: form-data; name="files"\r\nContent-Type: multipart/mixed; boundary=in',
    '--in\r\nContent-Disposition: file; filename="a.png"\r\n\r\nx\r\n--in--',
  ),
);

/** Parts that no handler can tell from others; each is 400 everywhere. */
export const NAMELESS_FORMS: readonly OddForm[] = [
  { odd: 'a text without a name', body: form(part('Content-Disposition: form-data')) },
  { odd: 'a text without a name, with other parameters', body: disposition('; size=3') },
  { odd: 'a file without a name', body: disposition('; filename="a.png"') },
  {
    odd: 'bytes without a name',
    body: form(part('Content-Disposition: form-data\r\nContent-Type: application/octet-stream')),
  },
  { odd: 'an empty name', body: disposition('; name=""') },
  { odd: 'a name without a value', body: disposition('; name') },
  { odd: 'a name with an equals sign alone', body: disposition('; name=') },
  { odd: 'an empty text without a name', body: form(part('Content-Disposition: form-data', '')) },
  { odd: 'a part without a name at the end', body: form(part(FILE), part('Content-Disposition: form-data')) },
  { odd: 'a long name', body: disposition(`; name="${'n'.repeat(70_000)}"`) },
];

const DISPOSITIONS = {
  'name* alone': "; name*=UTF-8''a",
  'name* in an unknown charset': "; name*=x-none''%ff",
  'a name twice': '; name="a"; name="b"',
  'a name in single quotes': "; name='a'",
  'an open quote': '; name="a',
  'an escaped quote': '; name="a\\"b"',
  'a backslash at the end': '; name="a\\',
  'NUL in the name': '; name="a\0b"',
  'bytes that are no UTF-8': '; name="\xff\xfe"',
  'a control character': '; name="a\x07"',
  'a prototype as the name': '; name="__proto__"',
  'a constructor as the name': '; name="constructor"',
  'a file name twice': '; name="file"; filename="a.png"; filename="b.png"',
  'filename* alone': '; name="file"; filename*=UTF-8\'\'a%2e.png',
  'filename* with a broken escape': '; name="file"; filename*=UTF-8\'\'%zz%',
  'filename* without a charset': '; name="file"; filename*=a.png',
  'filename* in UTF-16': '; name="file"; filename*=utf-16le\'\'%00%d8',
  'an empty file name': '; name="file"; filename=""',
  'a file name of dots': '; name="file"; filename="../.."',
  'a long file name': `; name="file"; filename="${'f'.repeat(60_000)}"`,
  'NUL in the file name': '; name="file"; filename="\0.png"',
  'semicolons alone': ';;;;',
  'equals signs alone': '; ==; *=; =',
};
const HEADS = {
  'no disposition': 'Content-Type: text/plain',
  'no header': '',
  'another disposition': 'Content-Disposition: attachment; name="a"',
  'an empty disposition': 'Content-Disposition:',
  'a disposition twice': `${NAMED}\r\nContent-Disposition: form-data`,
  'a header without a colon': `${NAMED}\r\nnonsense`,
  'a header without a name': `${NAMED}\r\n: x`,
  'a folded header': 'Content-Disposition: form-data;\r\n name="prompt"',
  'a lone line feed in a header': 'Content-Disposition: form-data;\n name="prompt"',
  'an empty content type': `${NAMED}\r\nContent-Type:`,
  'an unknown charset': `${NAMED}\r\nContent-Type: text/plain; charset=x-none`,
  'an empty charset': `${NAMED}\r\nContent-Type: text/plain; charset=`,
  'a charset of UTF-16': `${NAMED}\r\nContent-Type: text/plain; charset=utf-16le`,
  base64: `${NAMED}\r\nContent-Transfer-Encoding: base64`,
  '3,000 headers': `${NAMED}\r\n${'a: b\r\n'.repeat(3_000)}c: d`,
  'a header of 100 kB': `${NAMED}\r\na: ${'b'.repeat(100_000)}`,
};
const TYPES = {
  'no boundary': 'multipart/form-data',
  'a boundary without a value': 'multipart/form-data; boundary',
  'an empty boundary': 'multipart/form-data; boundary=',
  'an empty quoted boundary': 'multipart/form-data; boundary=""',
  'a boundary with an open quote': 'multipart/form-data; boundary="b0undary',
  'a boundary twice': `${FORM_TYPE}; boundary=other`,
  'another boundary': 'multipart/form-data; boundary=other',
  'a boundary of 5,000 characters': `multipart/form-data; boundary=${'b'.repeat(5_000)}`,
  'multipart/mixed': `multipart/mixed; boundary=${BOUNDARY}`,
  'a comma between': `multipart/form-data, boundary=${BOUNDARY}`,
  'parameters without a type': `; boundary=${BOUNDARY}`,
  'a form that is not multipart': 'application/x-www-form-urlencoded',
  'an unknown type': 'nonsense',
};

export const ODD_FORMS: readonly OddForm[] = [
  ...NAMELESS_FORMS,
  ...Object.entries(DISPOSITIONS).map(([odd, parameters]) => ({ odd, body: disposition(parameters) })),
  ...Object.entries(HEADS).map(([odd, head]) => ({ odd, body: form(part(head), part(FILE)) })),
  ...Object.entries(TYPES).map(([odd, type]) => ({ odd, ...ofType(type) })),
  { odd: 'no content type', ...ofType(null) },
  { odd: 'no byte', body: raw('') },
  { odd: 'the end alone', body: raw(`--${BOUNDARY}--\r\n`) },
  { odd: 'a boundary alone', body: raw(`--${BOUNDARY}`) },
  { odd: 'a header alone', body: raw(`--${BOUNDARY}\r\n${NAMED}`) },
  { odd: 'headers alone', body: raw(`--${BOUNDARY}\r\n${NAMED}\r\n\r\n`) },
  {
    odd: 'text before the first boundary',
    body: raw(`${'x'.repeat(70_000)}\r\n${form(part(NAMED)).toString('latin1')}`),
  },
  { odd: 'text after the end', body: raw(`${form(part(NAMED)).toString('latin1')}${'x'.repeat(70_000)}`) },
  { odd: 'no boundary at all', body: raw('x'.repeat(100_000)) },
  { odd: 'line feeds alone', body: raw(form(part(NAMED)).toString('latin1').replaceAll('\r', '')) },
  { odd: 'a form in a form', body: nested },
  { odd: 'two of each', body: form(part(NAMED), part(NAMED), part(FILE), part(FILE)) },
  { odd: '101 parts', body: form(...Array.from({ length: 101 }, () => part(NAMED))) },
  { odd: 'a text of 2 MB', body: form(part(NAMED, 'x'.repeat(2_000_000))) },
  { odd: 'an empty file', body: form(part(FILE, '')) },
  { odd: 'large and ignored', body: form(part('X: y', 'x'.repeat(140_000))) },
  { odd: 'large, ignored and cut', body: raw(part('X: y', 'x'.repeat(140_000))) },
];

/** A small form, cut after each of its bytes. */
export function cutForms(): OddForm[] {
  const whole = form(part(NAMED), part(FILE));
  return Array.from(whole, (_byte, at) => ({ odd: `cut after ${at} bytes`, body: whole.subarray(0, at) }));
}
