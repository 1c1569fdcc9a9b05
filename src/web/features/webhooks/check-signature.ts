import { SIGNATURE_TOLERANCE_SECONDS, signWebhook, verifyWebhook } from '#contract/signature.ts';
import { comparePayload } from './compare-payload.ts';
import { durationWords } from './duration-words.ts';
import { HEADER_FORM, headerProblem, headerValue } from './signature-header.ts';
import { bodyVariants, secretProblem, secretVariants } from './signature-slips.ts';

/** What a person pasted. */
export interface Pasted {
  body: string;
  header: string;
  secret: string;
}

export interface CheckOptions {
  now: Date;
  /** The delivery's payload, where the page knows it: only then a changed body and another secret can be told apart. */
  payload?: object | undefined;
}

export const PARTS = ['header', 'clock', 'secret', 'body'] as const;
export type Part = (typeof PARTS)[number];

/** What was found about one part. `unknown`: it could not be judged. */
export interface Finding {
  state: 'good' | 'bad' | 'unknown';
  sentence: string;
  /** What would have been right, where that is safe to show. */
  expected?: string;
}

export type Verdict = Record<Part, Finding>;

const good = (sentence: string): Finding => ({ state: 'good', sentence });
const bad = (sentence: string, expected?: string): Finding => ({
  state: 'bad',
  sentence,
  ...(expected === undefined ? {} : { expected }),
});
const unknown = (sentence: string): Finding => ({ state: 'unknown', sentence });

/** Whether a receiver may accept it. */
export const isAccepted = (verdict: Verdict): boolean => PARTS.every((part) => verdict[part].state === 'good');

/** Judges a delivery part by part, and names what is wrong as exactly as can be known. Nothing leaves the page. Spec: Signature */
export async function checkSignature({ body, header, secret }: Pasted, options: CheckOptions): Promise<Verdict> {
  const value = headerValue(header);
  const { problem, age_seconds } = await verifyWebhook({
    secret: secret || 'none',
    header: value,
    body,
    now: options.now,
  });
  const lacking = { secret: secretProblem(secret), body: body === '' ? 'There is no body.' : undefined };
  const judged = { header: good('It can be read.'), clock: judgeClock(age_seconds ?? 0) };
  if (problem === 'header' || lacking.body || secret.trim() === '') {
    const later = (why: string | undefined) => (why ? bad(why) : unknown('Can be judged once the rest is there.'));
    return {
      ...judged,
      ...(problem === 'header'
        ? { header: bad(headerProblem(value), HEADER_FORM), clock: unknown('The header tells the time.') }
        : {}),
      secret: later(lacking.secret),
      body: later(lacking.body),
    };
  }
  const matched = await judgeMatch({ body, header: value, secret }, options.payload);
  return { ...judged, ...matched };
}

function judgeClock(age_seconds: number): Finding {
  const words = durationWords(age_seconds);
  if (Math.abs(age_seconds) <= SIGNATURE_TOLERANCE_SECONDS)
    return good(age_seconds < 0 ? `It is dated ${words} ahead, which is close enough.` : `It was signed ${words} ago.`);
  const expected = 'at most 5 minutes from the receiver’s clock';
  return age_seconds > 0
    ? bad(`It was signed ${words} ago, which is too old for a receiver by now.`, expected)
    : bad(`It is dated ${words} ahead of this device: one of the two clocks is wrong.`, expected);
}

type Matched = Pick<Verdict, 'secret' | 'body'>;

const SIGNED: Matched = {
  secret: good('It is the one that signed this.'),
  body: good('It is what was signed, to the last character.'),
};
const OTHER_SECRET =
  'It did not sign this: it belongs to another endpoint, or was changed since. (Or a link in the body was changed.)';
const EITHER = 'It does not fit this body: either it belongs to another endpoint, or the body was changed.';
const START_THERE = 'To tell whether it was changed, open the delivery in its endpoint and check it from there.';

async function judgeMatch(pasted: Pasted, payload: object | undefined): Promise<Matched> {
  const { header } = pasted;
  const fits = async (secret: string, body: string) =>
    (await verifyWebhook({ secret, header, body })).signature_matches === true;
  for (const secret of secretVariants(pasted.secret))
    for (const body of bodyVariants(pasted.body))
      if (await fits(secret.text, body.text))
        return {
          secret: secret.slip ? bad(secret.slip) : SIGNED.secret,
          body: body.slip ? bad(body.slip) : SIGNED.body,
        };
  const problem = secretProblem(pasted.secret);
  if (problem) return { secret: bad(problem), body: unknown('Can be judged with the right secret.') };
  const given = await beginnings(pasted);
  if (payload === undefined) return { secret: unknown(EITHER), body: { ...unknown(START_THERE), expected: given } };
  const { difference, sent } = comparePayload(pasted.body, payload);
  if (await fits(pasted.secret, sent)) return { secret: SIGNED.secret, body: bad(difference ?? REORDERED, given) };
  return difference === null
    ? { secret: bad(OTHER_SECRET, given), body: good('It says what was sent.') }
    : { secret: unknown('Can be judged with the body as it was sent.'), body: bad(difference, given) };
}

const REORDERED = 'The content is what was sent, but it was serialized again. Verify the raw body, before parsing it.';
/** So much of a signature as tells two apart; the whole of it would pass for a delivery. */
const SHOWN_DIGITS = 12;

async function beginnings({ secret, body, header }: Pasted): Promise<string> {
  const seconds = Number(/(?:^|,)\s*t=(\d+)/.exec(header)?.[1]);
  const made = await signWebhook({ secrets: [secret], body, at: new Date(seconds * 1000) });
  const begins = (text: string) =>
    [...text.matchAll(/v1=([0-9a-f]+)/gi)].map(([, hex = '']) => `v1=${hex.slice(0, SHOWN_DIGITS)}…`);
  return `${begins(made).join()} for this body and secret; the header has ${begins(header).join(' and ')}`;
}
