/** What is wrong with a secret at first sight. */
export function secretProblem(secret: string): string | undefined {
  const text = secret.trim();
  if (text === '') return 'There is no secret.';
  if (text.startsWith('mgs_')) return 'This is an API key. The signing secret of an endpoint starts with whsec_.';
  return text.includes('whsec_') ? undefined : 'A signing secret starts with whsec_, which is part of it.';
}

/** A secret or a body as it may have been, with what happened to it; without that it is as given. */
export interface SignatureVariant {
  text: string;
  hint?: string;
}

const uniqueVariants = (given: string, variants: readonly SignatureVariant[]): SignatureVariant[] => [
  { text: given },
  ...variants.filter(({ text }) => text !== given),
];

/** The secret as given, and what it may have been meant to be. */
export function secretVariants(secret: string): SignatureVariant[] {
  const trimmed = secret.trim();
  const bare = trimmed.replace(/^(["'])(.*)\1$/, '$2');
  return uniqueVariants(secret, [
    { text: trimmed, hint: 'Remove the spaces around it.' },
    { text: bare, hint: 'Remove the quotation marks around it.' },
    { text: `whsec_${bare}`, hint: 'It lacks its prefix, whsec_, which is part of the secret.' },
  ]);
}

const REWRITTEN_HINT =
  'The content is the same, but it was parsed as JSON and serialized again. Verify the raw body, before parsing it.';

/** The body as given, and what it may have been before something rewrote it. */
export function bodyVariants(body: string): SignatureVariant[] {
  return uniqueVariants(body, [
    { text: body.replace(/\r?\n$/, ''), hint: 'A line break was added at its end.' },
    { text: body.trim(), hint: 'Blanks or line breaks were added around it.' },
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
