import type { QueryClient } from '@tanstack/react-query';
import { createCompletionTracker, type CompletionCounts, formatCompletionCounts } from './completion-tracker.ts';
import { generationsInQuery } from './generations-in-query.ts';
import { notifyUser } from './notify-user.ts';
import { setTitlePrefix, setTitlePrefixUntilVisible } from './tab-title.ts';
import { createTabStorage } from '#web/api/tab-storage.ts';
import { ApiError } from '#web/api/api-errors.ts';
import { TRACKED_GENERATIONS_KEY } from './tracked-generations.ts';
import { generationQuery } from '#web/api/queries/generations.ts';
import { getSession, onSessionChange } from '#web/api/session/session.ts';

const POLL_MS = 5_000;
/** How many generations one poll reads; the others follow in the next. */
const MAX_POLLED = 6;
/** Generations that the page has read itself are not read again. */
const FRESH_MS = 4_000;
const MAX_TRACKED = 200;

/** Follows active generations on every page and notifies when the last one completes. Returns a function that stops it. */
export function trackCompletions(client: QueryClient): () => void {
  const tracked = createTabStorage<string>(TRACKED_GENERATIONS_KEY, MAX_TRACKED);
  const tracker = createCompletionTracker(tracked.values());
  let timer: ReturnType<typeof setInterval> | undefined;

  const render = (counts: CompletionCounts | null) => {
    const pending = tracker.pendingIds();
    for (const id of tracked.values()) if (!pending.includes(id)) tracked.delete(id);
    for (const id of pending) if (!tracked.get(id)) tracked.set(id, id);
    if (!counts) setTitlePrefix('generations', tracker.label());
    else announceCompletions(counts);
    if (pending.length > 0) timer ??= setInterval(() => void poll(), POLL_MS);
    else {
      clearInterval(timer);
      timer = undefined;
    }
  };
  const poll = async () => {
    if (getSession() === null) return;
    for (const id of tracker.pendingIds().slice(0, MAX_POLLED)) {
      try {
        // The subscription to the cache handles the result.
        await client.fetchQuery({ ...generationQuery(id), staleTime: FRESH_MS, retry: false });
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) render(tracker.remove(id));
      }
    }
  };

  const cache = client.getQueryCache();
  const update = (query: Parameters<typeof generationsInQuery>[1]) => {
    for (const generation of generationsInQuery(client, query)) {
      const before = tracker.label();
      const counts = tracker.update(generation);
      if (counts || before !== tracker.label()) render(counts);
    }
  };
  for (const query of cache.getAll()) update(query);
  const unsubscribeCache = cache.subscribe((event) => {
    if (event.type === 'updated' && event.action.type === 'success') update(event.query);
  });
  const unsubscribeSession = onSessionChange((state) => {
    if (state !== 'signed_out') return;
    for (const id of tracker.pendingIds()) tracker.remove(id);
    render(null);
  });
  render(null);
  return () => {
    unsubscribeCache();
    unsubscribeSession();
    clearInterval(timer);
    setTitlePrefix('generations', null);
  };
}

function announceCompletions(counts: CompletionCounts): void {
  const summary = formatCompletionCounts(counts);
  setTitlePrefixUntilVisible('generations', summary);
  if (document.hidden) void notifyUser(summary, 'All your generations are complete. Click to view them.');
}
