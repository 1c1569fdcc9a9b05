import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import type { InputContract, MediaKind } from '#contract/task.ts';
import { api } from '#web/api/api.ts';
import { isNotFound } from '#web/api/api-errors.ts';
import { mediaNounWithArticle } from '#web/media/format-media.ts';
import type { BatchRows } from '../draft/batch-rows.ts';
import { type FindMedia, isLink, splitMediaNames } from '../rows/parse-cell.ts';

const MEDIA_ID = /^(?:ast|upl)_\w{26}$/;
const LOOKUPS_AT_ONCE = 6;
const STALE_MS = 300_000;

interface FoundMedia {
  url: string;
  type: MediaKind;
}

/** Names of media in the columns of media fields: ids and file names, not links. */
function namedMedia({ rows, targets }: BatchRows, contract: InputContract): string[] {
  const columns = targets.flatMap((target, at) => {
    const field = contract.fields.find(({ name }) => name === target);
    return field && 'media' in field ? [{ at, isList: field.kind === 'references' }] : [];
  });
  const names = new Set<string>();
  for (const { cells } of rows)
    for (const { at, isList } of columns) {
      const text = (cells[at] ?? '').trim();
      for (const name of isList ? splitMediaNames(text) : [text]) if (name !== '' && !isLink(name)) names.add(name);
    }
  return [...names].sort();
}

async function findMedium(name: string, signal: AbortSignal): Promise<FoundMedia | null> {
  if (MEDIA_ID.test(name)) {
    try {
      return await api.call('get_media', { params: { media_id: name }, signal });
    } catch (error) {
      if (isNotFound(error)) return null;
      throw error;
    }
  }
  const { data } = await api.call('list_uploads', { query: { q: name.slice(0, 500), limit: 200 }, signal });
  // The newest of several files with the same name.
  return data.find(({ filename }) => filename?.toLowerCase() === name.toLowerCase()) ?? null;
}

async function findAll(client: QueryClient, names: readonly string[]): Promise<Map<string, FoundMedia | null>> {
  const found = new Map<string, FoundMedia | null>();
  for (let at = 0; at < names.length; at += LOOKUPS_AT_ONCE) {
    const some = names.slice(at, at + LOOKUPS_AT_ONCE).map(async (name) => {
      const medium = await client.fetchQuery({
        queryKey: ['batch-medium', name],
        queryFn: ({ signal }) => findMedium(name, signal),
        staleTime: STALE_MS,
      });
      found.set(name, medium);
    });
    await Promise.all(some);
  }
  return found;
}

/** Looks up the media that rows name by id or by the file name of an upload. */
export function useMediaLookup(
  rows: BatchRows,
  contract: InputContract,
): { findMedia: FindMedia; error: unknown; retry: () => void } {
  const client = useQueryClient();
  const names = useMemo(() => namedMedia(rows, contract), [rows, contract]);
  const { data, error, refetch } = useQuery({
    queryKey: ['batch-media', names],
    queryFn: () => findAll(client, names),
    enabled: names.length > 0,
    staleTime: STALE_MS,
    gcTime: 0,
    placeholderData: (previous) => previous,
  });
  const findMedia = useCallback<FindMedia>(
    (name, kind) => {
      const medium = data?.get(name);
      if (medium === undefined) return 'pending';
      if (medium === null)
        return {
          problem: MEDIA_ID.test(name)
            ? `No file has the ID ${name}.`
            : `No upload is named “${name}”. Upload it, or use a link that starts with https://.`,
        };
      if (medium.type !== kind) return { problem: `“${name}” is not ${mediaNounWithArticle(kind)}.` };
      return { url: medium.url };
    },
    [data],
  );
  return { findMedia, error, retry: () => void refetch() };
}
