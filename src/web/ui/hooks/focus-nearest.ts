/** Returns the element and all that it is in; a menu or popover counts as being in the button that opened it. */
export function ancestorsOf(element: Element | null): Element[] {
  const path: Element[] = [];
  for (let each = element; each && !path.includes(each); each = openerOf(each) ?? each.parentElement) path.push(each);
  return path;
}

const openerOf = ({ id }: Element) =>
  id ? document.querySelector(`[aria-haspopup][aria-controls="${CSS.escape(id)}"]`) : null;

/** Focuses the first element that is still on the page and focusable; the heading for a page, a panel or a dialog. */
export function focusNearest(path: readonly Element[]): void {
  const home = path.find((element) => element.isConnected && element.matches(FOCUSABLE));
  if (!(home instanceof HTMLElement)) return;
  const target = home.matches(LANDMARK) ? (headingOf(home) ?? home) : home;
  target.focus({ preventScroll: true });
}

const FOCUSABLE = 'a[href], button:enabled, input:enabled, select:enabled, textarea:enabled, [tabindex]';
const LANDMARK = 'main, aside, .modal';

/** The heading of an open panel comes before that of the page. */
const headingOf = (landmark: HTMLElement) =>
  landmark.querySelector<HTMLElement>('aside h2[tabindex]') ??
  landmark.querySelector<HTMLElement>('h1[tabindex], h2[tabindex]');
