const editable = 'input:not([type=checkbox],[type=radio],[type=range],[type=button]), textarea, [contenteditable]';

/** What the system calls a picture that was never a file. */
const NAMELESS = /^image\.(\w+)$/;

const two = (part: number) => String(part).padStart(2, '0');

/** Files on the clipboard; none where text is pasted, which may bring a picture of itself along. */
export function pastedFiles({ clipboardData, target }: ClipboardEvent, now = new Date()): File[] {
  if (!clipboardData || clipboardData.files.length === 0) return [];
  const into_text = target instanceof Element && target.closest(editable) !== null;
  if (into_text && clipboardData.types.includes('text/plain')) return [];
  return [...clipboardData.files].map((file) => named(file, now));
}

/** So that several are told apart. */
export function named(file: File, now: Date): File {
  const kind = NAMELESS.exec(file.name)?.[1];
  if (kind === undefined) return file;
  const day = `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
  const time = [now.getHours(), now.getMinutes(), now.getSeconds()].map(two).join('.');
  return new File([file], `Pasted ${day} at ${time}.${kind}`, { type: file.type, lastModified: file.lastModified });
}
