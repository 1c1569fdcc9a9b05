/** Of a name from a request that an answer repeats. */
const MAX_NAME_CHARACTERS = 200;

/** Cuts at a code point, never inside one. */
export const cutText = (text: string, maxCharacters: number): string =>
  text.length <= maxCharacters ? text : `${text.slice(0, maxCharacters).replace(/[\ud800-\udbff]$/, '')}…`;

/** A name from outside, so that a sentence around it stays readable. `ApiError` cuts what is still too long. */
export const cutName = (name: string): string => cutText(name, MAX_NAME_CHARACTERS);
