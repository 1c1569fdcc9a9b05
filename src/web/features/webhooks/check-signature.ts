import { SIGNATURE_TOLERANCE_SECONDS, signWebhook, verifyWebhook } from '#contract/signature.ts';
import { comparePayload } from './compare-payload.ts';
import { formatLongDuration } from './format-long-duration.ts';
import { bodyVariants, secretProblem, secretVariants } from './signature-hints.ts';

/** How a header has to look. Spec: Signature */
const HEADER_FORM = 't=1767225600,v1=64 hexadecimal digits';

/** The header's value, where its name was copied along. */
const headerValue = (pasted: string): string => pasted.replace(/^\s*service-signature\s*:/i, '').trim();

/** Why a header that can't be read can't be read. */
function headerProblem(header: string): string {
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

/** What a person pasted. */
export interface SignatureInput {
  body: string;
  header: string;
  secret: string;
}

export interface SignatureCheckOptions {
  now: Date;
  /** The delivery's payload, where the page knows it: only then a changed body and another secret can be told apart. */
  payload?: object | undefined;
}

export const SIGNATURE_PARTS = ['header', 'clock', 'secret', 'body'] as const;
export type SignaturePart = (typeof SIGNATURE_PARTS)[number];

/** What was found about one part. `unknown`: it could not be judged. */
export interface SignatureFinding {
  state: 'good' | 'bad' | 'unknown';
  sentence: string;
  /** What would have been right, where that is safe to show. */
  expected?: string;
}

export type SignatureVerdict = Record<SignaturePart, SignatureFinding>;

const goodFinding = (sentence: string): SignatureFinding => ({ state: 'good', sentence });
const badFinding = (sentence: string, expected?: string): SignatureFinding => ({
  state: 'bad',
  sentence,
  ...(expected === undefined ? {} : { expected }),
});
const unknownFinding = (sentence: string): SignatureFinding => ({ state: 'unknown', sentence });

/** Whether a receiver may accept it. */
export const isSignatureAccepted = (verdict: SignatureVerdict): boolean =>
  SIGNATURE_PARTS.every((part) => verdict[part].state === 'good');

/** Judges a delivery part by part, and names what is wrong as exactly as can be known. Nothing leaves the page. Spec: Signature */
export async function checkSignature(
  { body, header, secret }: SignatureInput,
  options: SignatureCheckOptions,
): Promise<SignatureVerdict> {
  const value = headerValue(header);
  const { problem, age_seconds } = await verifyWebhook({
    secret: secret || 'none',
    header: value,
    body,
    now: options.now,
  });
  const lacking = { secret: secretProblem(secret), body: body === '' ? 'There is no body.' : undefined };
  const judged = { header: goodFinding('It can be read.'), clock: checkClock(age_seconds ?? 0) };
  if (problem === 'header' || lacking.body || secret.trim() === '') {
    const later = (why: string | undefined) =>
      why ? badFinding(why) : unknownFinding('Can be judged once the rest is there.');
    return {
      ...judged,
      ...(problem === 'header'
        ? { header: badFinding(headerProblem(value), HEADER_FORM), clock: unknownFinding('The header tells the time.') }
        : {}),
      secret: later(lacking.secret),
      body: later(lacking.body),
    };
  }
  const matched = await checkMatch({ body, header: value, secret }, options.payload);
  return { ...judged, ...matched };
}

function checkClock(age_seconds: number): SignatureFinding {
  const words = formatLongDuration(age_seconds);
  if (Math.abs(age_seconds) <= SIGNATURE_TOLERANCE_SECONDS)
    return goodFinding(
      age_seconds < 0 ? `It is dated ${words} ahead, which is close enough.` : `It was signed ${words} ago.`,
    );
  const expected = 'at most 5 minutes from the receiver’s clock';
  return age_seconds > 0
    ? badFinding(`It was signed ${words} ago, which is too old for a receiver by now.`, expected)
    : badFinding(`It is dated ${words} ahead of this device: one of the two clocks is wrong.`, expected);
}

type MatchFindings = Pick<SignatureVerdict, 'secret' | 'body'>;

const VALID_FINDINGS: MatchFindings = {
  secret: goodFinding('It is the one that signed this.'),
  body: goodFinding('It is what was signed, to the last character.'),
};
const WRONG_SECRET_MESSAGE =
  'It did not sign this: it belongs to another endpoint, or was changed since. (Or a link in the body was changed.)';
const MISMATCH_MESSAGE = 'It does not fit this body: either it belongs to another endpoint, or the body was changed.';
const COMPARE_HINT = 'To tell whether it was changed, open the delivery in its endpoint and check it from there.';

async function checkMatch(pasted: SignatureInput, payload: object | undefined): Promise<MatchFindings> {
  const { header } = pasted;
  const fits = async (secret: string, body: string) =>
    (await verifyWebhook({ secret, header, body })).signature_matches === true;
  for (const secret of secretVariants(pasted.secret))
    for (const body of bodyVariants(pasted.body))
      if (await fits(secret.text, body.text))
        return {
          secret: secret.hint ? badFinding(secret.hint) : VALID_FINDINGS.secret,
          body: body.hint ? badFinding(body.hint) : VALID_FINDINGS.body,
        };
  const problem = secretProblem(pasted.secret);
  if (problem) return { secret: badFinding(problem), body: unknownFinding('Can be judged with the right secret.') };
  const given = await signaturePrefixes(pasted);
  if (payload === undefined)
    return { secret: unknownFinding(MISMATCH_MESSAGE), body: { ...unknownFinding(COMPARE_HINT), expected: given } };
  const { difference, sent } = comparePayload(pasted.body, payload);
  if (await fits(pasted.secret, sent))
    return { secret: VALID_FINDINGS.secret, body: badFinding(difference ?? RESERIALIZED_MESSAGE, given) };
  return difference === null
    ? { secret: badFinding(WRONG_SECRET_MESSAGE, given), body: goodFinding('It says what was sent.') }
    : { secret: unknownFinding('Can be judged with the body as it was sent.'), body: badFinding(difference, given) };
}

const RESERIALIZED_MESSAGE =
  'The content is what was sent, but it was serialized again. Verify the raw body, before parsing it.';
/** So much of a signature as tells two apart; the whole of it would pass for a delivery. */
const SHOWN_DIGITS = 12;

async function signaturePrefixes({ secret, body, header }: SignatureInput): Promise<string> {
  const seconds = Number(/(?:^|,)\s*t=(\d+)/.exec(header)?.[1]);
  const made = await signWebhook({ secrets: [secret], body, at: new Date(seconds * 1000) });
  const begins = (text: string) =>
    [...text.matchAll(/v1=([0-9a-f]+)/gi)].map(([, hex = '']) => `v1=${hex.slice(0, SHOWN_DIGITS)}…`);
  return `${begins(made).join()} for this body and secret; the header has ${begins(header).join(' and ')}`;
}
