/** Focuses the first of these fields. Returns false while its control is not rendered. */
export function focusField(within: ParentNode, names: ReadonlySet<string>): boolean {
  for (const element of within.querySelectorAll<HTMLElement>('[data-field]')) {
    if (!names.has(element.dataset['field'] ?? '')) continue;
    const disclosure = element.closest('details');
    if (disclosure) disclosure.open = true;
    const controls = element.querySelectorAll<HTMLElement>('textarea, input:not([type=range]), select, button');
    // Skips hidden file inputs and the step buttons of numbers, which are not in the tab order.
    const target = [...controls].find((control) => control.tabIndex >= 0 && control.checkVisibility());
    target?.focus();
    element.scrollIntoView({ block: 'nearest' });
    return target !== undefined;
  }
  return false;
}
