/** Focuses the first of these fields. Returns false while its control is not rendered. */
export function focusField(within: ParentNode, names: ReadonlySet<string>): boolean {
  for (const element of within.querySelectorAll<HTMLElement>('[data-field]')) {
    if (!names.has(element.dataset['field'] ?? '')) continue;
    openDisclosure(element);
    const controls = element.querySelectorAll<HTMLElement>('textarea, input:not([type=range]), select, button');
    // Skips hidden file inputs and the step buttons of numbers, which are not in the tab order.
    const target = [...controls].find((control) => control.tabIndex >= 0 && control.checkVisibility());
    target?.focus();
    element.scrollIntoView({ block: 'nearest' });
    return target !== undefined;
  }
  return false;
}

/** Focuses the first control that is marked as invalid, or what holds one that cannot be, once they are marked. */
export function focusInvalid(within: ParentNode | null): void {
  requestAnimationFrame(() => {
    const control = within?.querySelector<HTMLElement>('[aria-invalid=true], [data-invalid]');
    if (!control) return;
    openDisclosure(control);
    control.focus();
  });
}

function openDisclosure(element: Element): void {
  const disclosure = element.closest('details');
  if (disclosure) disclosure.open = true;
}
