import { SIGNATURE_TOLERANCE_SECONDS, signWebhook, verifyWebhook } from '#contract/api/signature.ts';
import { comparePayload } from './compare-payload.ts';
import { formatLongDuration } from './format-long-duration.ts';

/** Spec: Signature */
const HEADER_FORM = 't=1767225600,v1=64 hexadecimal digits';

/** Returns the value of a header that may have been copied with its name. */
const headerValue = (pasted: string): string => pasted.replace(/^\s*service-signature\s*:/i, '').trim();

function headerProblem(header: string): string {
  if (header === '') return 'Enter the value of Service-Signature.';
  const pairs = header.split(',').map((pair) => pair.trim().split('='));
  const valuesOf = (name: string) => pairs.flatMap(([key, value = '']) => (key === name ? [value] : []));
  const [seconds, ...more] = valuesOf('t');
  const [signature] = valuesOf('v1');
  if (seconds === undefined && signature === undefined) return 'Missing t (timestamp) and v1 (signature).';
  if (seconds === undefined) return 'Missing t (timestamp).';
  if (more.length > 0) return 't appears more than once.';
  if (!/^\d{1,12}$/.test(seconds)) return clockProblem(seconds);
  return signature === undefined ? 'Missing v1 (signature).' : signatureProblem(signature);
}

function clockProblem(seconds: string): string {
  if (/^\d{13}$/.test(seconds)) return 't is in milliseconds. It must be in whole seconds.';
  return `t is “${truncate(seconds)}”, which is not a Unix time in whole seconds.`;
}

function signatureProblem(signature: string): string {
  if (/^[0-9a-f]*$/i.test(signature)) return `v1 has ${signature.length} digits instead of 64.`;
  return 'v1 is not hexadecimal. Only 0–9 and a–f are allowed.';
}

const truncate = (text: string) => (text.length > 24 ? `${text.slice(0, 24)}…` : text);

export interface SignatureInput {
  body: string;
  header: string;
  secret: string;
}

interface SignatureCheckOptions {
  now: Date;
  /** The payload of the delivery, if known. Without it a changed body looks like a wrong secret. */
  payload?: object | undefined;
}

export const SIGNATURE_PARTS = ['header', 'clock', 'secret', 'body'] as const;
export type SignaturePart = (typeof SIGNATURE_PARTS)[number];

/** The result for one part; `unknown` if it could not be checked. */
export interface SignatureFinding {
  state: 'good' | 'bad' | 'unknown';
  sentence: string;
  /** The expected value, if it is safe to show. */
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

export const isSignatureAccepted = (verdict: SignatureVerdict): boolean =>
  SIGNATURE_PARTS.every((part) => verdict[part].state === 'good');

/** Checks a delivery part by part and explains each problem. Nothing is sent over the network. Spec: Signature */
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
  const missing = { secret: secretProblem(secret), body: body === '' ? 'Enter the request body.' : undefined };
  const common = { header: goodFinding('The format is valid.'), clock: checkClock(age_seconds ?? 0) };
  if (problem === 'header' || missing.body || secret.trim() === '') {
    const toFinding = (missingMessage: string | undefined) =>
      missingMessage ? badFinding(missingMessage) : unknownFinding('Not checked: other fields are missing or invalid.');
    return {
      ...common,
      ...(problem === 'header'
        ? {
            header: badFinding(headerProblem(value), HEADER_FORM),
            clock: unknownFinding('Not checked: the header is not valid.'),
          }
        : {}),
      secret: toFinding(missing.secret),
      body: toFinding(missing.body),
    };
  }
  const matched = await checkMatch({ body, header: value, secret }, options.payload);
  return { ...common, ...matched };
}

function checkClock(ageSeconds: number): SignatureFinding {
  const age = formatLongDuration(ageSeconds);
  if (Math.abs(ageSeconds) <= SIGNATURE_TOLERANCE_SECONDS)
    return goodFinding(ageSeconds < 0 ? `Signed ${age} in the future, within the tolerance.` : `Signed ${age} ago.`);
  const expected = 'within 5 minutes of the receiver’s clock';
  return ageSeconds > 0
    ? badFinding(`Signed ${age} ago, which is too old for a receiver to accept.`, expected)
    : badFinding(`Signed ${age} in the future by this device’s clock. One of the two clocks is wrong.`, expected);
}

type MatchFindings = Pick<SignatureVerdict, 'secret' | 'body'>;

const VALID_FINDINGS: MatchFindings = {
  secret: goodFinding('Signed with this secret.'),
  body: goodFinding('Matches the signed body exactly.'),
};
const WRONG_SECRET_MESSAGE =
  'Not signed with this secret. It belongs to another endpoint or was rotated, or a link in the body was changed.';
const MISMATCH_MESSAGE =
  'Does not match this body. Either the secret belongs to another endpoint or the body was changed.';
const COMPARE_HINT = 'To find out whether the body was changed, open the delivery and verify its signature from there.';

async function checkMatch(pasted: SignatureInput, payload: object | undefined): Promise<MatchFindings> {
  const { header } = pasted;
  const matches = async (secret: string, body: string) =>
    (await verifyWebhook({ secret, header, body })).signature_matches === true;
  for (const secret of secretVariants(pasted.secret))
    for (const body of bodyVariants(pasted.body))
      if (await matches(secret.text, body.text))
        return {
          secret: secret.hint ? badFinding(secret.hint) : VALID_FINDINGS.secret,
          body: body.hint ? badFinding(body.hint) : VALID_FINDINGS.body,
        };
  const problem = secretProblem(pasted.secret);
  if (problem) return { secret: badFinding(problem), body: unknownFinding('Not checked: the secret is not valid.') };
  const prefixes = await signaturePrefixes(pasted);
  if (payload === undefined)
    return { secret: unknownFinding(MISMATCH_MESSAGE), body: { ...unknownFinding(COMPARE_HINT), expected: prefixes } };
  const { difference, sent } = comparePayload(pasted.body, payload);
  if (await matches(pasted.secret, sent))
    return { secret: VALID_FINDINGS.secret, body: badFinding(difference ?? RESERIALIZED_MESSAGE, prefixes) };
  return difference === null
    ? { secret: badFinding(WRONG_SECRET_MESSAGE, prefixes), body: goodFinding('Matches the sent content.') }
    : { secret: unknownFinding('Not checked: the body does not match.'), body: badFinding(difference, prefixes) };
}

const RESERIALIZED_MESSAGE = 'The content matches, but it was serialized again. Verify the raw body before parsing it.';
/** Enough to tell two signatures apart. A whole signature could be used to forge a delivery. */
const SHOWN_DIGITS = 12;

async function signaturePrefixes({ secret, body, header }: SignatureInput): Promise<string> {
  const seconds = Number(/(?:^|,)\s*t=(\d+)/.exec(header)?.[1]);
  const expected = await signWebhook({ secrets: [secret], body, at: new Date(seconds * 1000) });
  const prefixesOf = (text: string) =>
    [...text.matchAll(/v1=([0-9a-f]+)/gi)].map(([, hex = '']) => `v1=${hex.slice(0, SHOWN_DIGITS)}…`);
  return `${prefixesOf(expected).join()} for this body and secret; the header has ${prefixesOf(header).join(' and ')}`;
}

/** Describes an obvious problem with a secret; undefined if there is none. */
function secretProblem(secret: string): string | undefined {
  const text = secret.trim();
  if (text === '') return 'Enter the signing secret.';
  if (text.startsWith('mgs_')) return 'This is an API key. A signing secret starts with whsec_.';
  return text.includes('whsec_') ? undefined : 'Add the whsec_ prefix, which is part of the secret.';
}

/** A possible original of a pasted text, with a hint about the change. The pasted text itself has no hint. */
interface SignatureVariant {
  text: string;
  hint?: string;
}

const uniqueVariants = (pasted: string, variants: readonly SignatureVariant[]): SignatureVariant[] => [
  { text: pasted },
  ...variants.filter(({ text }) => text !== pasted),
];

/** Returns the pasted secret and likely originals. */
function secretVariants(secret: string): SignatureVariant[] {
  const trimmed = secret.trim();
  const bare = trimmed.replace(/^(["'])(.*)\1$/, '$2');
  return uniqueVariants(secret, [
    { text: trimmed, hint: 'Remove the spaces around it.' },
    { text: bare, hint: 'Remove the quotation marks around it.' },
    { text: `whsec_${bare}`, hint: 'Add the whsec_ prefix, which is part of the secret.' },
  ]);
}

const REWRITTEN_HINT =
  'The content is the same, but it was parsed as JSON and serialized again. Verify the raw body before parsing it.';

/** Returns the pasted body and what it may have been before it was rewritten. */
function bodyVariants(body: string): SignatureVariant[] {
  return uniqueVariants(body, [
    { text: body.replace(/\r?\n$/, ''), hint: 'A line break was added at the end.' },
    { text: body.trim(), hint: 'Spaces or line breaks were added around it.' },
    ...reserialize(body).map((text) => ({ text, hint: REWRITTEN_HINT })),
  ]);
}

function reserialize(body: string): string[] {
  try {
    return [JSON.stringify(JSON.parse(body))];
  } catch {
    return [];
  }
}
