import { toLocalDay } from '#web/ui/days.ts';

const EDITABLE_TARGETS =
  'input:not([type=checkbox],[type=radio],[type=range],[type=button]), textarea, [contenteditable]';

/** What the system calls a picture that was never a file. */
const UNNAMED_IMAGE = /^image\.(\w+)$/;

const padTwo = (part: number) => String(part).padStart(2, '0');

/** Files on the clipboard; none where text is pasted, which may bring a picture of itself along. */
export function pastedFiles({ clipboardData, target }: ClipboardEvent, now = new Date()): File[] {
  if (!clipboardData || clipboardData.files.length === 0) return [];
  const into_text = target instanceof Element && target.closest(EDITABLE_TARGETS) !== null;
  if (into_text && clipboardData.types.includes('text/plain')) return [];
  return [...clipboardData.files].map((file) => nameUnnamedFile(file, now));
}

/** So that several are told apart. */
export function nameUnnamedFile(file: File, now: Date): File {
  const kind = UNNAMED_IMAGE.exec(file.name)?.[1];
  if (kind === undefined) return file;
  const time = [now.getHours(), now.getMinutes(), now.getSeconds()].map(padTwo).join('.');
  return new File([file], `Pasted ${toLocalDay(now)} at ${time}.${kind}`, {
    type: file.type,
    lastModified: file.lastModified,
  });
}
