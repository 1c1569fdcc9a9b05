const MAX_LENGTH = 255;

/** The client's file name as display text without its path; null if nothing is left of it. */
export function displayFileName(name: string | null): string | null {
  const last = (name ?? '').split(/[/\\]/).at(-1) ?? '';
  const plain = last.replaceAll(/\p{Cc}/gu, '').toWellFormed();
  const display_name = [...plain].slice(0, MAX_LENGTH).join('').trim();
  return display_name === '' || display_name === '.' || display_name === '..' ? null : display_name;
}
