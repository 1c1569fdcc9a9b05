import type { QueryClient } from '@tanstack/react-query';
import { createEnds, type Outcome, outcomeWords } from '#web/away/ends.ts';
import { readingsOf } from '#web/away/readings.ts';
import { ring } from '#web/away/ring.ts';
import { noteInTitle, noteUntilSeen } from '#web/away/tab-title.ts';
import { createTabMap } from '#web/forms/tab-storage.ts';
import { ApiError } from '#web/api-errors.ts';
import { AWAITED } from '#web/away/awaited.ts';
import { generationQuery } from '#web/queries/generations.ts';
import { getKey, onSessionChange } from '#web/session/session.ts';

const POLL_MS = 5_000;
/** Asked after at once; the others have their turn next. */
const MOST_ASKED = 6;
/** What the page itself reads is not asked for once more. */
const FRESH_MS = 4_000;
const MOST_KEPT = 200;

/** Follows what is under way on every page, and says when all of it has ended. */
export function awaitEnds(client: QueryClient): () => void {
  const kept = createTabMap<string>(AWAITED, MOST_KEPT);
  const ends = createEnds(kept.values());
  let timer: ReturnType<typeof setInterval> | undefined;

  const show = (outcome: Outcome | null) => {
    const waiting = ends.waiting();
    for (const id of kept.values()) if (!waiting.includes(id)) kept.delete(id);
    for (const id of waiting) if (!kept.get(id)) kept.set(id, id);
    if (!outcome) noteInTitle('generations', ends.words());
    else tell(outcome);
    if (waiting.length > 0) timer ??= setInterval(() => void ask(), POLL_MS);
    else {
      clearInterval(timer);
      timer = undefined;
    }
  };
  const ask = async () => {
    if (getKey() === null) return;
    for (const id of ends.waiting().slice(0, MOST_ASKED)) {
      try {
        // What it reads is heard of through the cache.
        await client.fetchQuery({ ...generationQuery(id), staleTime: FRESH_MS, retry: false });
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) show(ends.drop(id));
      }
    }
  };

  const cache = client.getQueryCache();
  const take = (query: Parameters<typeof readingsOf>[1]) => {
    for (const reading of readingsOf(client, query)) {
      const before = ends.words();
      const outcome = ends.note(reading);
      if (outcome || before !== ends.words()) show(outcome);
    }
  };
  for (const query of cache.getAll()) take(query);
  const stop = cache.subscribe((event) => {
    if (event.type === 'updated' && event.action.type === 'success') take(event.query);
  });
  const forget = onSessionChange((state) => {
    if (state !== 'signed_out') return;
    for (const id of ends.waiting()) ends.drop(id);
    show(null);
  });
  show(null);
  return () => {
    stop();
    forget();
    clearInterval(timer);
    noteInTitle('generations', null);
  };
}

function tell(outcome: Outcome): void {
  const words = outcomeWords(outcome);
  noteUntilSeen('generations', words);
  if (document.hidden) void ring(words, 'All that you started has ended. Press to see it.');
}
