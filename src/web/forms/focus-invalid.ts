/** Focuses the first control that is marked as invalid, or what holds one that cannot be, once they are marked. */
export function focusInvalid(within: ParentNode | null): void {
  requestAnimationFrame(() => {
    const control = within?.querySelector<HTMLElement>('[aria-invalid=true], [data-invalid]');
    control?.closest('details')?.setAttribute('open', '');
    control?.focus();
  });
}
