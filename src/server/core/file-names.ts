/** A joiner between two letters or signs of other scripts than Latin, where it is part of the spelling. */
const JOINER = String.raw`(?<=(?!\p{ASCII})[\p{L}\p{M}\p{So}\p{Sk}])[\u200c\u200d](?=(?!\p{ASCII})[\p{L}\p{M}\p{So}\p{Sk}])`;
const INVISIBLE_CHARACTERS = new RegExp(String.raw`(?!${JOINER})[\p{Cc}\p{Cf}\p{Co}\p{Cn}]`, 'gu');

/** Removes what steers the direction of reading, or is not seen at all: with it a name can look like another. */
export const stripInvisibleCharacters = (text: string): string =>
  text.toWellFormed().replaceAll(INVISIBLE_CHARACTERS, '');

/** With its dot, of the stored type: never what a client called it. */
export const fileExtension = (storage_key: string): string => /\.[a-z0-9]+$/.exec(storage_key)?.[0] ?? '';

/** A file name without its extension, which must hold a letter: what ends in `.2` is a name like any other. */
export const stripExtension = (filename: string): string => filename.replace(/\.(?=\d*[A-Za-z])[A-Za-z0-9]{1,8}$/, '');
