/** Moves focus to the first of these fields as they stand on the page, opening the part it is hidden in. */
export function focusField(within: ParentNode, names: ReadonlySet<string>): void {
  for (const element of within.querySelectorAll<HTMLElement>('[data-field]')) {
    if (!names.has(element.dataset['field'] ?? '')) continue;
    const folded = element.closest('details');
    if (folded) folded.open = true;
    const target = element.querySelector<HTMLElement>('textarea, input:not([hidden], [type=range]), select, button');
    target?.focus();
    element.scrollIntoView({ block: 'nearest' });
    return;
  }
}
