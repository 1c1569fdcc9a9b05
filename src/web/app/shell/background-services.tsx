import { useQueryClient, useInfiniteQuery, useQuery, type QueryClient } from '@tanstack/react-query';
import { useNavigate, useRouter } from '@tanstack/react-router';
import { useSelector } from '@tanstack/react-store';
import { PenLine, Upload } from 'lucide-react';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { ACCEPTED_FILE_TYPES } from '#web/forms/accepted-file-types.ts';
import { useCan, useCannot } from '#web/api/queries/permissions.ts';
import { type Command, useCommands } from '#web/ui/hooks/commands.ts';
import { type FileDrag, DropOverlay } from '#web/uploads/drop-overlay.tsx';
import { resumeInterruptedUploads, invalidateAfterUploads } from '#web/uploads/background-uploads.ts';
import { enqueueUploads } from '#web/uploads/enqueue-uploads.ts';
import { isFormOpen, getUploadItems, type UploadItem, subscribeUploads } from '#web/uploads/upload-store.ts';
import { watchFileDrops } from '#web/uploads/watch-file-drops.ts';
import { cropRequest, expandRequest } from '#web/media/outputs/open-crop-dialog.ts';
import { shareRequest } from '#web/forms/shares/open-share-dialog.ts';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { Toaster } from '#web/ui/overlays/toaster.tsx';
import { TooltipLayer } from '#web/ui/overlays/tooltip-layer.tsx';
import { focusPrompt } from './focus-prompt.ts';
import { restoreLostFocus } from './restore-lost-focus.ts';
import { pendingReviewsQuery } from '#web/api/queries/review.ts';
import { requestsQuery } from '#web/api/queries/requests.ts';
import { pendingCount } from './pending-count.ts';
import { isActive } from '#contract/statuses.ts';
import { hasTrackedGenerations } from '#web/notifications/tracked-generations.ts';
import { generationsInQuery } from '#web/notifications/generations-in-query.ts';
import { FileInput } from '#web/ui/controls/file-input.tsx';

const ShareDialog = lazyComponent(async () => (await import('#web/forms/shares/share-dialog.tsx')).ShareDialog);
const CropDialog = lazyComponent(async () => (await import('#web/forms/crop/crop-dialog.tsx')).CropDialog);
const ExpandDialog = lazyComponent(async () => (await import('#web/forms/crop/expand-dialog.tsx')).ExpandDialog);
const UploadDock = lazyComponent(async () => (await import('#web/uploads/upload-dock.tsx')).Dock);

const LATE_MS = 5_000;

/** What a form does not show by itself. */
const isDocked = ({ destination, dismissed }: UploadItem) =>
  !dismissed && (destination === null || !isFormOpen(destination.form));

/** Runs what every page shares: tooltips, toasts, dropped files, uploads, pending reviews, and notifications. */
export function BackgroundServices() {
  const [drag, setDrag] = useState<FileDrag | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const canUpload = useCan('uploads.create');
  const docked = useSyncExternalStore(subscribeUploads, getUploadItems).filter(isDocked);
  const request = useSelector(shareRequest);
  const crop = useSelector(cropRequest);
  const expanded = useSelector(expandRequest);
  const client = useQueryClient();
  useEffect(
    () => watchFileDrops((next) => setDrag((before) => (before?.message === next?.message ? before : next))),
    [],
  );
  useEffect(resumeInterruptedUploads, []);
  useEffect(restoreLostFocus, []);
  useFocusOnNewPage();
  useEffect(() => invalidateAfterUploads(client), [client]);
  useEffect(() => watchGenerations(client), [client]);
  const canReview = useCan('reviews.read');
  const navigate = useNavigate();
  useEffect(
    () =>
      startLateServices(
        client,
        (link) => void navigate({ to: '/library', search: link === undefined ? { answer: 'any' } : { link } }),
      ),
    [client, navigate],
  );
  const upload: Command = {
    group: 'General',
    label: 'Upload files',
    icon: Upload,
    keys: 'u',
    run: () => input.current?.click(),
  };
  const cannotCreate = useCannot('work.create');
  const router = useRouter();
  const writePrompt: Command = {
    group: 'General',
    label: 'Write a prompt',
    icon: PenLine,
    keys: 'p',
    run: () => void focusPrompt(router),
  };
  useCommands([...(cannotCreate ? [] : [writePrompt]), ...(canUpload ? [upload] : [])]);
  return (
    <>
      <FileInput
        ref={input}
        multiple
        accept={Object.values(ACCEPTED_FILE_TYPES).join()}
        onChoose={(files) => enqueueUploads(files, null)}
      />
      {drag ? <DropOverlay drag={drag} /> : null}
      {docked.length > 0 ? <UploadDock items={docked} /> : null}
      {canReview ? <PendingCounter /> : null}
      {request ? <ShareDialog request={request} onClose={() => shareRequest.set(null)} /> : null}
      {crop ? <CropDialog key={crop.mediaId} request={crop} onClose={() => cropRequest.set(null)} /> : null}
      {expanded ? <ExpandDialog mediaId={expanded} onClose={() => expandRequest.set(null)} /> : null}
      <TooltipLayer />
      <Toaster />
    </>
  );
}

/** Focuses the heading of a new page, but not when a panel opens on the same page. */
function useFocusOnNewPage() {
  const router = useRouter();
  useEffect(() => {
    const pageOf = () => router.state.matches[1]?.routeId;
    const { activeElement } = document;
    // A link that was followed before this was loaded still has the focus; its page may not be rendered yet.
    const wasFollowed =
      activeElement instanceof HTMLAnchorElement &&
      activeElement.hash === '' &&
      activeElement.pathname === router.state.location.pathname;
    let before = wasFollowed ? undefined : pageOf();
    const focusHeading = () => {
      // A dialog that opened meanwhile keeps the focus.
      if (document.querySelector('.modal') !== null) return;
      const main = document.getElementById('main');
      const heading = main?.querySelector<HTMLElement>('h1[tabindex]');
      if (!main?.contains(document.activeElement) || document.activeElement === main)
        (heading ?? main)?.focus({ preventScroll: true });
    };
    if (wasFollowed) focusHeading();
    return router.subscribe('onRendered', ({ fromLocation }) => {
      const page = pageOf();
      const stays = page === before;
      before = page;
      if (fromLocation && !stays) focusHeading();
    });
  }, [router]);
}

const POLL_MS = 30_000;
/** More than a person decides in a week. */
const MAX_REQUESTS = 200;

/** Counts what waits for a decision of the person, for the navigation. */
function PendingCounter() {
  const reviews = useQuery(pendingReviewsQuery).data?.length ?? 0;
  const pendingRequests = requestsQuery({ status: 'pending' }, MAX_REQUESTS);
  const requests = useInfiniteQuery({ ...pendingRequests, refetchInterval: POLL_MS }).data?.pages[0]?.data.length ?? 0;
  useEffect(() => pendingCount.set(reviews + requests), [reviews, requests]);
  useEffect(() => () => pendingCount.set(0), []);
  return null;
}

/** Loads the completion tracker as soon as a generation is active. Returns a function that stops it. */
function watchGenerations(client: QueryClient): () => void {
  const ignore = () => undefined;
  let stop: () => void = ignore;
  let isStopped = false;
  const load = () => {
    stop();
    stop = ignore;
    import('#web/notifications/track-completions.ts')
      .then(({ trackCompletions }) => (isStopped ? undefined : trackCompletions(client)))
      .then((stopTracking = ignore) => (stop = stopTracking))
      .catch(ignore);
  };
  const hasActive = (query: Parameters<typeof generationsInQuery>[1]) =>
    generationsInQuery(client, query).some(({ status }) => isActive(status));
  const cache = client.getQueryCache();
  if (hasTrackedGenerations() || cache.getAll().some(hasActive)) load();
  else
    stop = cache.subscribe((event) => {
      if (event.type === 'updated' && event.action.type === 'success' && hasActive(event.query)) load();
    });
  return () => {
    isStopped = true;
    stop();
  };
}

/** Loads what may start late. Returns a function that stops it. */
function startLateServices(client: QueryClient, openAnswers: (shareId: string | undefined) => void): () => void {
  let stop: (() => void) | null = () => undefined;
  const load = async () => {
    const { lateServices } = await import('./late-services.ts');
    stop &&= lateServices(client, openAnswers);
  };
  const timer = setTimeout(() => void load().catch(() => undefined), LATE_MS);
  return () => {
    clearTimeout(timer);
    stop?.();
    stop = null;
  };
}
