export type TextBox = HTMLTextAreaElement | HTMLInputElement;

/** Replaces a part of the text as if it were typed: the form learns of it, and the caret stays behind it. */
export function replaceText(box: TextBox, text: string, start = 0, end = box.value.length): void {
  box.setRangeText(text, start, end, 'end');
  box.dispatchEvent(new Event('input', { bubbles: true }));
}
