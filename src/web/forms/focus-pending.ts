/**
 * Focuses the first text within a form that is not part of it yet, such as a URL that was not added.
 * @returns whether there is one, so that the form must not be sent
 */
export function focusPending(form: ParentNode | null): boolean {
  const input = form?.querySelector<HTMLInputElement>('input[data-pending]');
  input?.focus();
  input?.dispatchEvent(new Event('invalid'));
  return input != null;
}
