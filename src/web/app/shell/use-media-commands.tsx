import { useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { isMissingFeature } from '#web/api/api-errors.ts';
import { useCan } from '#web/api/queries/permissions.ts';
import { mediaSearchQuery } from '#web/api/queries/media.ts';
import { ReferenceThumbnail } from '#web/forms/fields/reference-thumbnail.tsx';
import type { Command } from '#web/ui/commands.ts';

const DEBOUNCE_MS = 200;
const MIN_LETTERS = 2;

export type MediaSearchState = 'idle' | 'searching' | 'failed' | 'done';

/** Finds media of the library by their prompt or file name, a moment after the last letter. */
export function useMediaCommands(text: string): { commands: Command[]; state: MediaSearchState } {
  const router = useRouter();
  const typed = text.trim();
  const q = useDebounced(typed);
  const wanted = useCan('work.read') && typed.length >= MIN_LETTERS;
  const search = useQuery({ ...mediaSearchQuery(q), enabled: wanted && q.length >= MIN_LETTERS });
  if (!wanted || isMissingFeature(search.error)) return { commands: [], state: 'idle' };
  const commands = (search.data ?? []).map((item): Command => ({
    group: 'Library',
    id: item.id,
    label: item.generation?.prompt ?? item.filename ?? 'Untitled',
    thumbnail: (
      <ReferenceThumbnail
        url={item.url}
        media={item.type}
        derivatives={item.derivatives}
        className="size-8 flex-none rounded-sm"
      />
    ),
    run: () => void router.navigate({ to: '/library', search: { item: item.id } }),
  }));
  if (search.isError) return { commands, state: 'failed' };
  return { commands, state: q !== typed || search.isFetching ? 'searching' : 'done' };
}

function useDebounced(text: string): string {
  const [debounced, setDebounced] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(text), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return debounced;
}
