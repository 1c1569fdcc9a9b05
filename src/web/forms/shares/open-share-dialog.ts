import { createAtom } from '@tanstack/react-store';
import type { Share } from '#contract/resources/share.ts';

export type ShareTarget = { media_ids: string[] } | { collection_id: string };

/** What the share dialog of the page shows: a form for a new link, or one that exists. */
export type ShareRequest = { target: ShareTarget; title: string } | { share: Share };

export const shareRequest = createAtom<ShareRequest | null>(null);

/** @param title suggested heading of the page */
export const openShareDialog = (target: ShareTarget, title = ''): void => shareRequest.set({ target, title });
