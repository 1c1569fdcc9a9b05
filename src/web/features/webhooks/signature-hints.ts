/** Describes an obvious problem with a secret; undefined if there is none. */
export function secretProblem(secret: string): string | undefined {
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
export function secretVariants(secret: string): SignatureVariant[] {
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
export function bodyVariants(body: string): SignatureVariant[] {
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
