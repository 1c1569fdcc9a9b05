/** A joiner between two letters or signs of non-Latin scripts, where it is part of the spelling. */
const JOINER = String.raw`(?<=(?!\p{ASCII})[\p{L}\p{M}\p{So}\p{Sk}])[\u200c\u200d](?=(?!\p{ASCII})[\p{L}\p{M}\p{So}\p{Sk}])`;
const INVISIBLE_CHARACTERS = new RegExp(String.raw`(?!${JOINER})[\p{Cc}\p{Cf}\p{Co}\p{Cn}]`, 'gu');

/** Removes characters that change the reading direction or are invisible; they can make a name look like another. */
export const stripInvisibleCharacters = (text: string): string =>
  text.toWellFormed().replaceAll(INVISIBLE_CHARACTERS, '');

/** Returns the extension with its dot, derived from the stored type and never from the client's file name. */
export const fileExtension = (storageKey: string): string => /\.[a-z0-9]+$/.exec(storageKey)?.[0] ?? '';

/** Removes the extension of a file name. An extension contains a letter: `.2` at the end is part of the name. */
export const stripExtension = (filename: string): string => filename.replace(/\.(?=\d*[A-Za-z])[A-Za-z0-9]{1,8}$/, '');
