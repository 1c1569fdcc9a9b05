/** Moves focus to the first of these fields as they stand on the page, opening the part it is hidden in. */
export function focusField(within: ParentNode, names: ReadonlySet<string>): void {
  for (const element of within.querySelectorAll<HTMLElement>('[data-field]')) {
    if (!names.has(element.dataset['field'] ?? '')) continue;
    const folded = element.closest('details');
    if (folded) folded.open = true;
    const controls = element.querySelectorAll<HTMLElement>('textarea, input:not([type=range]), select, button');
    // File inputs are hidden behind a button, and the buttons of a number are not in the tab order.
    const target = [...controls].find((control) => control.tabIndex >= 0 && control.checkVisibility());
    target?.focus();
    element.scrollIntoView({ block: 'nearest' });
    return;
  }
}
