import { useRouter } from '@tanstack/react-router';
import { type RefObject, useEffect } from 'react';

const isPlainClick = (event: MouseEvent) =>
  event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.defaultPrevented);

/**
 * Lets plain `<a>`s inside an element open pages of ours without loading the app anew: one handler for a long list, where a
 * router's link in each row would cost more than the rest of it. A press on a row (`[data-href]`) beside its links counts too.
 */
export function useClientSideLinks(inside: RefObject<HTMLElement | null>): void {
  const router = useRouter();
  useEffect(() => {
    const element = inside.current;
    const follow = (event: MouseEvent) => {
      if (!isPlainClick(event) || !(event.target instanceof Element) || getSelection()?.type === 'Range') return;
      const hit = event.target.closest('a[href], [data-href]');
      const href = hit?.getAttribute('href') ?? hit?.getAttribute('data-href');
      if (!href?.startsWith('/')) return;
      event.preventDefault();
      void router.navigate({ href });
    };
    element?.addEventListener('click', follow);
    return () => element?.removeEventListener('click', follow);
  }, [inside, router]);
}
