import { toLocalDay } from '#web/ui/days.ts';

const EDITABLE_TARGETS =
  'input:not([type=checkbox],[type=radio],[type=range],[type=button]), textarea, [contenteditable]';

/** The name that systems give an image that was never a file. */
const UNNAMED_IMAGE = /^image\.(\w+)$/;

const padTwo = (part: number) => String(part).padStart(2, '0');

/** Files of a paste event. None if text is pasted into a field: the clipboard may hold an image of that text. */
export function pastedFiles({ clipboardData, target }: ClipboardEvent, now = new Date()): File[] {
  if (!clipboardData || clipboardData.files.length === 0) return [];
  const is_text_target = target instanceof Element && target.closest(EDITABLE_TARGETS) !== null;
  if (is_text_target && clipboardData.types.includes('text/plain')) return [];
  return [...clipboardData.files].map((file) => nameUnnamedFile(file, now));
}

/** Names a pasted image by its time, so that several can be told apart. */
export function nameUnnamedFile(file: File, now: Date): File {
  const kind = UNNAMED_IMAGE.exec(file.name)?.[1];
  if (kind === undefined) return file;
  const time = [now.getHours(), now.getMinutes(), now.getSeconds()].map(padTwo).join('.');
  return new File([file], `Pasted ${toLocalDay(now)} at ${time}.${kind}`, {
    type: file.type,
    lastModified: file.lastModified,
  });
}
