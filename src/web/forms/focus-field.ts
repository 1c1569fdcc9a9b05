/**
 * Moves focus to the first of these fields on the page and opens the part it is hidden in.
 * @returns whether the field has a control yet
 */
export function focusField(within: ParentNode, names: ReadonlySet<string>): boolean {
  for (const element of within.querySelectorAll<HTMLElement>('[data-field]')) {
    if (!names.has(element.dataset['field'] ?? '')) continue;
    const folded = element.closest('details');
    if (folded) folded.open = true;
    const controls = element.querySelectorAll<HTMLElement>('textarea, input:not([type=range]), select, button');
    // Skips hidden file inputs and the step buttons of numbers, which are not in the tab order.
    const target = [...controls].find((control) => control.tabIndex >= 0 && control.checkVisibility());
    target?.focus();
    element.scrollIntoView({ block: 'nearest' });
    return target !== undefined;
  }
  return false;
}
