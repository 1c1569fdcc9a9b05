export type TitleSource = 'uploads' | 'generations';

/** The first of these that has something to say does so. */
const ORDER: readonly TitleSource[] = ['uploads', 'generations'];
const notes = new Map<TitleSource, string>();

/** The first title in the head is the one that is shown; the page's own stays behind it, and as it is. */
let mine: HTMLTitleElement | undefined;
let observer: MutationObserver | undefined;

function show(): void {
  const note = ORDER.map((source) => notes.get(source)).find((each) => each !== undefined);
  if (note === undefined) {
    observer?.disconnect();
    mine?.remove();
    mine = undefined;
    return;
  }
  mine ??= document.createElement('title');
  const page = [...document.head.querySelectorAll('title')].find((each) => each !== mine)?.textContent;
  const text = [note, page].filter(Boolean).join(' · ');
  if (mine.textContent !== text) mine.textContent = text;
  if (document.head.querySelector('title') !== mine) document.head.prepend(mine);
  observer ??= new MutationObserver(show);
  // Anew each time: observing twice is observing once.
  observer.observe(document.head, { childList: true, subtree: true, characterData: true });
}

/** Puts a few words before the page's title, in the browser's tab; null takes them away. */
export function noteInTitle(source: TitleSource, note: string | null): void {
  if (notes.get(source) === (note ?? undefined)) return;
  if (note === null) notes.delete(source);
  else notes.set(source, note);
  show();
}

/** Puts words there until somebody looks at the page. */
export function noteUntilSeen(source: TitleSource, note: string): void {
  noteInTitle(source, note);
  const onSeen = () => {
    if (document.hidden) return;
    document.removeEventListener('visibilitychange', onSeen);
    if (notes.get(source) === note) noteInTitle(source, null);
  };
  document.addEventListener('visibilitychange', onSeen);
  onSeen();
}
