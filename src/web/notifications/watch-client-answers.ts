import type { QueryClient } from '@tanstack/react-query';
import type { ShareAnswer } from '#contract/resources/share.ts';
import { api } from '#web/api/api.ts';
import { invalidate } from '#web/api/api-query.ts';
import { fetchPermissions } from '#web/api/queries/permissions.ts';
import { meQuery } from '#web/api/queries/me.ts';
import { MEDIA_LISTS } from '#web/api/queries/stale-endpoints.ts';
import { getSession } from '#web/api/session/session.ts';
import { CLIENT_VERDICT_LABELS } from '#web/api/client-answer-labels.ts';
import { showToast } from '#web/ui/overlays/toast-store.ts';
import { notifyUser } from './notify-user.ts';

const POLL_MS = 60_000;
/** Further ones are not counted. */
const MAX_COUNTED = 100;

/**
 * Tells whoever shared files what clients answered since the last look, also in an earlier visit, and refreshes the
 * Library. @returns a function that stops it
 */
export function watchClientAnswers(client: QueryClient, onOpen: (shareId: string | undefined) => void): () => void {
  const poll = async () => {
    if (getSession() === null || !(await fetchPermissions(client))?.includes('work.create')) return;
    const { person, key } = await client.fetchQuery(meQuery);
    const storageName = `emulsion.answers.${person?.id ?? key.id}`;
    const { data } = await api.call('list_share_answers', { query: { limit: MAX_COUNTED } });
    const seen = localStorage.getItem(storageName);
    const newest = data[0]?.id ?? '';
    if (newest <= (seen ?? '') && seen !== null) return;
    localStorage.setItem(storageName, newest);
    const added = data.filter(({ id }) => seen !== null && id > seen);
    if (added.length === 0) return;
    void invalidate(client, MEDIA_LISTS, 'get_media', 'list_shares', 'list_share_answers');
    const title = summarizeAnswers(added);
    const pages = new Set(added.map(({ share_id }) => share_id));
    const [page] = pages.size === 1 ? pages : [];
    showToast({ title, action: { label: 'Show', onPress: () => onOpen(page) } });
    if (document.hidden) await notifyUser(title, 'Open the Library to see it.');
  };
  // Without the service, or where the browser forbids storage, the next look finds the same.
  const check = () => void poll().catch(() => undefined);
  const timer = setInterval(check, POLL_MS);
  const checkVisible = () => document.hidden || check();
  document.addEventListener('visibilitychange', checkVisible);
  check();
  return () => {
    clearInterval(timer);
    document.removeEventListener('visibilitychange', checkVisible);
  };
}

/** “Ana: Approved sunset.png”, “12 new answers of clients” */
function summarizeAnswers(answers: readonly ShareAnswer[]): string {
  const [first, second] = answers;
  if (!first || second) return `${answers.length} new answers of clients`;
  const { client_name, verdict, media_name } = first;
  return `${client_name}: ${CLIENT_VERDICT_LABELS[verdict]} · ${media_name ?? 'a file'}`;
}
