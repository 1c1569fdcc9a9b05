import type { QueryClient } from '@tanstack/react-query';
import { createCompletionTracker, type CompletionCounts, formatCompletionCounts } from './completion-tracker.ts';
import { generationsInQuery } from './generations-in-query.ts';
import { notifyUser } from './notify-user.ts';
import { setTitlePrefix, setTitlePrefixUntilVisible } from './tab-title.ts';
import { createTabStorage } from '#web/api/tab-storage.ts';
import { ApiError } from '#web/api/api-errors.ts';
import { TRACKED_GENERATIONS_KEY } from './tracked-generations.ts';
import { generationQuery } from '#web/api/queries/generations.ts';
import { getKey, onSessionChange } from '#web/api/session/session.ts';

const POLL_MS = 5_000;
/** Asked after at once; the others have their turn next. */
const MAX_POLLED = 6;
/** What the page itself reads is not asked for once more. */
const FRESH_MS = 4_000;
const MAX_TRACKED = 200;

/** Follows what is under way on every page, and says when all of it has ended. */
export function trackCompletions(client: QueryClient): () => void {
  const kept = createTabStorage<string>(TRACKED_GENERATIONS_KEY, MAX_TRACKED);
  const ends = createCompletionTracker(kept.values());
  let timer: ReturnType<typeof setInterval> | undefined;

  const show = (outcome: CompletionCounts | null) => {
    const waiting = ends.pendingIds();
    for (const id of kept.values()) if (!waiting.includes(id)) kept.delete(id);
    for (const id of waiting) if (!kept.get(id)) kept.set(id, id);
    if (!outcome) setTitlePrefix('generations', ends.label());
    else announceOutcome(outcome);
    if (waiting.length > 0) timer ??= setInterval(() => void ask(), POLL_MS);
    else {
      clearInterval(timer);
      timer = undefined;
    }
  };
  const ask = async () => {
    if (getKey() === null) return;
    for (const id of ends.pendingIds().slice(0, MAX_POLLED)) {
      try {
        // What it reads is heard of through the cache.
        await client.fetchQuery({ ...generationQuery(id), staleTime: FRESH_MS, retry: false });
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) show(ends.remove(id));
      }
    }
  };

  const cache = client.getQueryCache();
  const take = (query: Parameters<typeof generationsInQuery>[1]) => {
    for (const reading of generationsInQuery(client, query)) {
      const before = ends.label();
      const outcome = ends.update(reading);
      if (outcome || before !== ends.label()) show(outcome);
    }
  };
  for (const query of cache.getAll()) take(query);
  const stop = cache.subscribe((event) => {
    if (event.type === 'updated' && event.action.type === 'success') take(event.query);
  });
  const forget = onSessionChange((state) => {
    if (state !== 'signed_out') return;
    for (const id of ends.pendingIds()) ends.remove(id);
    show(null);
  });
  show(null);
  return () => {
    stop();
    forget();
    clearInterval(timer);
    setTitlePrefix('generations', null);
  };
}

function announceOutcome(outcome: CompletionCounts): void {
  const words = formatCompletionCounts(outcome);
  setTitlePrefixUntilVisible('generations', words);
  if (document.hidden) void notifyUser(words, 'All that you started has ended. Press to see it.');
}
