const MAX_LENGTH = 255;

/** A file's name as the client gave it, as text to show: never a path. null where nothing of it is left. */
export function displayFileName(name: string | null): string | null {
  const last = (name ?? '').split(/[/\\]/).at(-1) ?? '';
  const plain = last.replaceAll(/\p{Cc}/gu, '').toWellFormed();
  const shown = [...plain].slice(0, MAX_LENGTH).join('').trim();
  return shown === '' || shown === '.' || shown === '..' ? null : shown;
}
