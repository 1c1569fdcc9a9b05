/** Focuses the element of the page that is closest to a path, and expands it if it is collapsed. */
export function focusPath(path: string): void {
  const parts = [...document.querySelectorAll<HTMLElement>('[data-path]')].filter((element) => {
    const at = element.dataset['path'] ?? '';
    return at === path || path.startsWith(`${at}.`) || at === '';
  });
  const nearest = parts.toSorted((a, b) => pathLength(b) - pathLength(a))[0];
  if (!nearest) return;
  // A collapsed card doesn't render its content.
  const toggle = nearest.querySelector<HTMLButtonElement>(':scope > div > button[aria-expanded="false"]');
  if (toggle && pathLength(nearest) < path.length) {
    toggle.click();
    requestAnimationFrame(() =>
      revealElement(document.querySelector<HTMLElement>(`[data-path="${CSS.escape(path)}"]`) ?? nearest),
    );
    return;
  }
  revealElement(nearest);
}

const pathLength = ({ dataset }: HTMLElement) => (dataset['path'] ?? '').length;

function revealElement(element: HTMLElement) {
  const details = element.closest('details');
  if (details) details.open = true;
  const controls =
    'input:not([hidden], [type=file], [type=range]), textarea, select, [role=textbox], button, h2[tabindex]';
  element.querySelector<HTMLElement>(controls)?.focus({ preventScroll: true });
  element.scrollIntoView({ block: 'center' });
}
