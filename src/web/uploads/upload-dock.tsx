import { ChevronDown, CircleAlert, CircleCheck, CloudUpload, Hourglass, Pause, Play, X } from 'lucide-react';
import { useCallback, useEffect, useRef, useState } from 'react';
import { UploadDockList } from './upload-dock-list.tsx';
import { type UploadSummary, summarizeUploads, uploadSummaryLabel, formatTransferRate } from './upload-item-labels.ts';
import { getUploadItems, type UploadItem, withUploadQueue } from './upload-store.ts';
import { cx } from '#web/ui/cx.ts';
import { IconButton } from '#web/ui/icon-button.tsx';
import { Progress } from '#web/ui/progress.tsx';
import { useElementSize } from '#web/ui/use-element-size.ts';
import { useRootAttribute } from '#web/ui/use-root-attribute.ts';
import { notifyUser } from '#web/notifications/notify-user.ts';
import { setTitlePrefix, setTitlePrefixUntilVisible } from '#web/notifications/tab-title.ts';

const uploadedMessage = (done: number) => (done === 1 ? '1 file has arrived.' : `${done} files have arrived.`);

/** How far it is stands in the browser's tab; and that it is over, for whoever was away. */
function useUploadTitle({ moving, hold, share, done, stuck }: UploadSummary): void {
  const moves = moving > 0 && hold !== 'paused';
  const before = useRef(moves);
  const note = moves ? `Sending ${Math.floor(share * 100)}%` : null;
  useEffect(() => {
    setTitlePrefix('uploads', note);
    if (before.current && !moves && done + stuck > 0) {
      setTitlePrefixUntilVisible('uploads', stuck > 0 ? 'Not all uploaded' : 'Uploaded');
      if (document.hidden)
        void notifyUser(stuck > 0 ? 'Not all files were uploaded' : 'All files uploaded', uploadedMessage(done));
    }
    before.current = moves;
    // The numbers are those of the end.
    // oxlint-disable-next-line react/exhaustive-deps -- see above
  }, [note, moves]);
  useEffect(() => () => setTitlePrefix('uploads', null), []);
}

/** A card in the corner; where there is little room, a strip above what stands at the bottom. */
const dockClass = cx(
  'fixed inset-x-0 bottom-[calc(3.75rem+env(safe-area-inset-bottom))] z-15 flex flex-col border-t border-line-strong bg-raised',
  'md:bottom-0 md:left-16 lg:inset-x-auto lg:right-4 lg:bottom-4 lg:w-96 lg:rounded-md lg:border lg:shadow-float',
);

/** Long enough to read it and to reach for it. */
const CLEAR_AFTER_MS = 5_000;

const isInProgress = ({ state }: UploadItem) => !['failed', 'lost', 'done'].includes(state);
const canPause = ({ state }: UploadItem) => state === 'waiting' || state === 'sending';
const canRetry = ({ state, again }: UploadItem) => state === 'failed' && again;

/** The files on their way, on every page. */
export function Dock({ sendings }: { sendings: readonly UploadItem[] }) {
  const [open, setOpen] = useState(() => window.matchMedia('(width >= 64rem)').matches);
  const all = summarizeUploads(sendings);
  const { moving, paused, stuck } = all;
  const words = uploadSummaryLabel(all);
  useUploadTitle(all);
  useRootAttribute('dock', '');
  const { ref, height_px } = useElementSize();
  const section = useRef<HTMLElement>(null);
  const attach = useCallback(
    (element: HTMLElement | null) => {
      section.current = element;
      return ref(element);
    },
    [ref],
  );
  useEffect(() => {
    // Messages appear above it.
    const { style } = document.documentElement;
    style.setProperty('--dock-height', `${height_px}px`);
    return () => void style.removeProperty('--dock-height');
  }, [height_px]);
  const each = (which: (sending: UploadItem) => boolean, what: 'pause' | 'resume' | 'again' | 'dismiss' | 'remove') =>
    withUploadQueue((engine) => {
      for (const sending of sendings) if (which(sending)) engine[what](sending.id);
    });
  const pauseAll = () => each(canPause, 'pause');
  const resumeAll = () => each(({ hold }) => hold === 'paused', 'resume');
  const may_again = sendings.filter(canRetry).length > 1;
  const stopAll = () => each(isInProgress, 'remove');
  const clear = () => {
    each(({ state }) => state === 'done', 'dismiss');
    each(({ state }) => state !== 'done', 'remove');
  };
  const is_over = moving === 0 && stuck === 0;
  useEffect(() => {
    if (!is_over) return;
    const timer = setInterval(() => {
      if (section.current?.matches(':hover, :focus-within')) return;
      withUploadQueue((engine) => {
        for (const { id, state } of getUploadItems()) if (state === 'done') engine.dismiss(id);
      });
    }, CLEAR_AFTER_MS);
    return () => clearInterval(timer);
  }, [is_over]);
  return (
    <section ref={attach} aria-label="Files on their way" className={dockClass}>
      <div className="flex h-12 flex-none items-center gap-2 pr-1.5 pl-4 lg:pl-3">
        <StateIcon all={all} />
        <p className="flex min-w-0 flex-1 items-baseline gap-x-2 text-sm">
          <span className="truncate font-medium">{words}</span>
          {moving > 0 && all.hold === null ? (
            <span className="flex-none text-ink-3 tabular-nums">
              {[
                `${Math.floor(all.share * 100)}%`,
                ...formatTransferRate(all.left_bytes, all.bytes_per_second).slice(1),
              ].join(' · ')}
            </span>
          ) : null}
        </p>
        {sendings.some(canPause) ? (
          <IconButton
            size="sm"
            label="Pause all"
            icon={<Pause aria-hidden="true" className="size-4" />}
            onClick={pauseAll}
          />
        ) : null}
        {paused > 0 && paused === moving ? (
          <IconButton
            size="sm"
            label="Go on with all"
            icon={<Play aria-hidden="true" className="size-4" />}
            onClick={resumeAll}
          />
        ) : null}
        <IconButton
          size="sm"
          label={open ? 'Hide the list' : 'Show the list'}
          aria-expanded={open}
          icon={<ChevronDown aria-hidden="true" className={cx('size-4 transition-transform', !open && 'rotate-180')} />}
          onClick={() => setOpen(!open)}
        />
        {moving === 0 ? (
          <IconButton
            size="sm"
            label={stuck > 0 ? 'Clear the list' : 'Dismiss'}
            icon={<X aria-hidden="true" className="size-4" />}
            onClick={clear}
          />
        ) : null}
      </div>
      {moving > 0 && all.hold !== 'postponed' ? (
        <Progress value={all.share} label="All files" className="h-0.5! flex-none rounded-none!" />
      ) : null}
      {open ? (
        <UploadDockList
          sendings={sendings}
          onStopAll={moving > 1 ? stopAll : null}
          onRetry={may_again ? () => each(canRetry, 'again') : null}
        />
      ) : null}
      <output className="sr-only">{stuck > 0 || moving === 0 || all.hold === 'postponed' ? words : ''}</output>
    </section>
  );
}

function StateIcon({ all: { moving, stuck, hold } }: { all: UploadSummary }) {
  const look = 'size-4.5 flex-none';
  if (stuck > 0) return <CircleAlert aria-hidden="true" className={cx(look, 'text-bad')} />;
  if (hold === 'postponed') return <Hourglass aria-hidden="true" className={cx(look, 'text-amber-text')} />;
  if (moving > 0) return <CloudUpload aria-hidden="true" className={cx(look, 'text-amber-text')} />;
  return <CircleCheck aria-hidden="true" className={cx(look, 'text-good')} />;
}
