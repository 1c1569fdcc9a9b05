import { ChevronDown, CircleAlert, CircleCheck, CloudUpload, Hourglass, Pause, Play, X } from 'lucide-react';
import { useCallback, useEffect, useRef, useState } from 'react';
import { UploadDockList } from './upload-dock-list.tsx';
import { type UploadSummary, summarizeUploads, uploadSummaryLabel, formatTransferRate } from './upload-item-labels.ts';
import { withUploadQueue } from './enqueue-uploads.ts';
import { getUploadItems, type UploadItem } from './upload-store.ts';
import { cx } from '#web/ui/cx.ts';
import { IconButton } from '#web/ui/controls/icon-button.tsx';
import { Progress } from '#web/ui/display/progress.tsx';
import { useElementSize } from '#web/ui/hooks/use-element-size.ts';
import { useRootAttribute } from '#web/ui/hooks/use-root-attribute.ts';
import { notifyUser } from '#web/notifications/notify-user.ts';
import { setTitlePrefix, setTitlePrefixUntilVisible } from '#web/notifications/tab-title.ts';

const uploadedMessage = (done: number) => (done === 1 ? '1 file uploaded.' : `${done} files uploaded.`);

function useUploadTitle({ unfinished, suspend_reason, progress, done, problems }: UploadSummary): void {
  const isUploading = unfinished > 0 && suspend_reason !== 'paused';
  const wasUploading = useRef(isUploading);
  const prefix = isUploading ? `Uploading ${Math.floor(progress * 100)}%` : null;
  useEffect(() => {
    setTitlePrefix('uploads', prefix);
    if (wasUploading.current && !isUploading && done + problems > 0) {
      setTitlePrefixUntilVisible('uploads', problems > 0 ? 'Some uploads failed' : 'Uploads complete');
      if (document.hidden)
        void notifyUser(problems > 0 ? 'Some uploads failed' : 'Uploads complete', uploadedMessage(done));
    }
    wasUploading.current = isUploading;
    // oxlint-disable-next-line react/exhaustive-deps -- the counts are read when the uploads end
  }, [prefix, isUploading]);
  useEffect(() => () => setTitlePrefix('uploads', null), []);
}

const dockClass = cx(
  'fixed inset-x-0 bottom-[calc(3.75rem+env(safe-area-inset-bottom))] z-15 flex flex-col border-t border-line-strong bg-raised',
  'md:bottom-0 md:left-22 lg:inset-x-auto lg:right-4 lg:bottom-4 lg:w-96 lg:rounded-md lg:border lg:shadow-float',
);

const CLEAR_AFTER_MS = 5_000;

const isInProgress = ({ state }: UploadItem) => !['failed', 'lost', 'done'].includes(state);
const canPause = ({ state }: UploadItem) => state === 'waiting' || state === 'sending';
const canRetry = ({ state, can_retry }: UploadItem) => state === 'failed' && can_retry;

export function Dock({ items }: { items: readonly UploadItem[] }) {
  const [open, setOpen] = useState(() => window.matchMedia('(width >= 64rem)').matches);
  const summary = summarizeUploads(items);
  const { unfinished, paused, problems } = summary;
  const label = uploadSummaryLabel(summary);
  useUploadTitle(summary);
  useRootAttribute('dock', '');
  const { ref, heightPx } = useElementSize();
  const section = useRef<HTMLElement>(null);
  const attach = useCallback(
    (element: HTMLElement | null) => {
      section.current = element;
      return ref(element);
    },
    [ref],
  );
  useEffect(() => {
    // Toasts appear above the dock.
    const { style } = document.documentElement;
    style.setProperty('--dock-height', `${heightPx}px`);
    return () => void style.removeProperty('--dock-height');
  }, [heightPx]);
  const forEachItem = (
    filter: (item: UploadItem) => boolean,
    command: 'pause' | 'resume' | 'retry' | 'dismiss' | 'remove',
  ) =>
    withUploadQueue((queue) => {
      for (const item of items) if (filter(item)) queue[command](item.id);
    });
  const pauseAll = () => forEachItem(canPause, 'pause');
  const resumeAll = () => forEachItem(({ suspend_reason }) => suspend_reason === 'paused', 'resume');
  const canRetrySeveral = items.filter(canRetry).length > 1;
  const cancelAll = () => forEachItem(isInProgress, 'remove');
  const clear = () => {
    forEachItem(({ state }) => state === 'done', 'dismiss');
    forEachItem(({ state }) => state !== 'done', 'remove');
  };
  const isComplete = unfinished === 0 && problems === 0;
  useEffect(() => {
    if (!isComplete) return;
    const timer = setInterval(() => {
      if (section.current?.matches(':hover, :focus-within')) return;
      withUploadQueue((queue) => {
        for (const { id, state } of getUploadItems()) if (state === 'done') queue.dismiss(id);
      });
    }, CLEAR_AFTER_MS);
    return () => clearInterval(timer);
  }, [isComplete]);
  return (
    <section ref={attach} aria-label="Upload progress" className={dockClass}>
      <div className="flex h-12 flex-none items-center gap-2 pr-1.5 pl-4 lg:pl-3">
        <StateIcon summary={summary} />
        <p className="flex min-w-0 flex-1 items-baseline gap-x-2 text-sm">
          <span className="truncate font-medium">{label}</span>
          {unfinished > 0 && summary.suspend_reason === null ? (
            <span className="flex-none text-ink-3 tabular-nums">
              {[
                `${Math.floor(summary.progress * 100)}%`,
                ...formatTransferRate(summary.leftBytes, summary.bytesPerSecond).slice(1),
              ].join(' · ')}
            </span>
          ) : null}
        </p>
        {items.some(canPause) ? (
          <IconButton
            size="sm"
            label="Pause all"
            icon={<Pause aria-hidden="true" className="size-4" />}
            onClick={pauseAll}
          />
        ) : null}
        {paused > 0 && paused === unfinished ? (
          <IconButton
            size="sm"
            label="Resume all"
            icon={<Play aria-hidden="true" className="size-4" />}
            onClick={resumeAll}
          />
        ) : null}
        <IconButton
          size="sm"
          label={open ? 'Hide list' : 'Show list'}
          aria-expanded={open}
          icon={<ChevronDown aria-hidden="true" className={cx('size-4 transition-transform', !open && 'rotate-180')} />}
          onClick={() => setOpen(!open)}
        />
        {unfinished === 0 ? (
          <IconButton
            size="sm"
            label={problems > 0 ? 'Clear list' : 'Dismiss'}
            icon={<X aria-hidden="true" className="size-4" />}
            onClick={clear}
          />
        ) : null}
      </div>
      {unfinished > 0 && summary.suspend_reason !== 'postponed' ? (
        <Progress value={summary.progress} label="All files" className="h-0.5! flex-none rounded-none!" />
      ) : null}
      {open ? (
        <UploadDockList
          items={items}
          onCancelAll={unfinished > 1 ? cancelAll : null}
          onRetry={canRetrySeveral ? () => forEachItem(canRetry, 'retry') : null}
        />
      ) : null}
      <output className="sr-only">
        {problems > 0 || unfinished === 0 || summary.suspend_reason === 'postponed' ? label : ''}
      </output>
    </section>
  );
}

function StateIcon({ summary: { unfinished, problems, suspend_reason } }: { summary: UploadSummary }) {
  const iconClass = 'size-4.5 flex-none';
  if (problems > 0) return <CircleAlert aria-hidden="true" className={cx(iconClass, 'text-bad')} />;
  if (suspend_reason === 'postponed')
    return <Hourglass aria-hidden="true" className={cx(iconClass, 'text-amber-text')} />;
  if (unfinished > 0) return <CloudUpload aria-hidden="true" className={cx(iconClass, 'text-amber-text')} />;
  return <CircleCheck aria-hidden="true" className={cx(iconClass, 'text-good')} />;
}
