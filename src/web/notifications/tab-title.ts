export type TitleSource = 'uploads' | 'generations';

const SOURCE_PRIORITY: readonly TitleSource[] = ['uploads', 'generations'];
const prefixes = new Map<TitleSource, string>();

/** Browsers show the first title of the head, so the page's own title stays behind it, unchanged. */
let prefixedTitle: HTMLTitleElement | undefined;
let observer: MutationObserver | undefined;

function renderTitle(): void {
  const prefix = SOURCE_PRIORITY.map((source) => prefixes.get(source)).find((each) => each !== undefined);
  if (prefix === undefined) {
    observer?.disconnect();
    prefixedTitle?.remove();
    prefixedTitle = undefined;
    return;
  }
  prefixedTitle ??= document.createElement('title');
  const page = [...document.head.querySelectorAll('title')].find((each) => each !== prefixedTitle)?.textContent;
  const text = [prefix, page].filter(Boolean).join(' · ');
  if (prefixedTitle.textContent !== text) prefixedTitle.textContent = text;
  if (document.head.querySelector('title') !== prefixedTitle) document.head.prepend(prefixedTitle);
  observer ??= new MutationObserver(renderTitle);
  // Observing the same node again has no further effect.
  observer.observe(document.head, { childList: true, subtree: true, characterData: true });
}

/** Sets the text before the title of the page; null removes it. */
export function setTitlePrefix(source: TitleSource, prefix: string | null): void {
  if (prefixes.get(source) === (prefix ?? undefined)) return;
  if (prefix === null) prefixes.delete(source);
  else prefixes.set(source, prefix);
  renderTitle();
}

/** Sets the prefix until the page is visible. */
export function setTitlePrefixUntilVisible(source: TitleSource, prefix: string): void {
  setTitlePrefix(source, prefix);
  const onVisible = () => {
    if (document.hidden) return;
    document.removeEventListener('visibilitychange', onVisible);
    if (prefixes.get(source) === prefix) setTitlePrefix(source, null);
  };
  document.addEventListener('visibilitychange', onVisible);
  onVisible();
}
