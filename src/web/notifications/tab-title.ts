export type TitleSource = 'uploads' | 'generations';

/** The first of these that has something to say does so. */
const SOURCE_PRIORITY: readonly TitleSource[] = ['uploads', 'generations'];
const prefixes = new Map<TitleSource, string>();

/** The first title in the head is the one that is shown; the page's own stays behind it, and as it is. */
let prefixedTitle: HTMLTitleElement | undefined;
let observer: MutationObserver | undefined;

function renderTitle(): void {
  const note = SOURCE_PRIORITY.map((source) => prefixes.get(source)).find((each) => each !== undefined);
  if (note === undefined) {
    observer?.disconnect();
    prefixedTitle?.remove();
    prefixedTitle = undefined;
    return;
  }
  prefixedTitle ??= document.createElement('title');
  const page = [...document.head.querySelectorAll('title')].find((each) => each !== prefixedTitle)?.textContent;
  const text = [note, page].filter(Boolean).join(' · ');
  if (prefixedTitle.textContent !== text) prefixedTitle.textContent = text;
  if (document.head.querySelector('title') !== prefixedTitle) document.head.prepend(prefixedTitle);
  observer ??= new MutationObserver(renderTitle);
  // Anew each time: observing twice is observing once.
  observer.observe(document.head, { childList: true, subtree: true, characterData: true });
}

/** Puts a few words before the page's title, in the browser's tab; null takes them away. */
export function setTitlePrefix(source: TitleSource, note: string | null): void {
  if (prefixes.get(source) === (note ?? undefined)) return;
  if (note === null) prefixes.delete(source);
  else prefixes.set(source, note);
  renderTitle();
}

/** Puts words there until somebody looks at the page. */
export function setTitlePrefixUntilVisible(source: TitleSource, note: string): void {
  setTitlePrefix(source, note);
  const onSeen = () => {
    if (document.hidden) return;
    document.removeEventListener('visibilitychange', onSeen);
    if (prefixes.get(source) === note) setTitlePrefix(source, null);
  };
  document.addEventListener('visibilitychange', onSeen);
  onSeen();
}
