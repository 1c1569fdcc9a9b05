import { useSelector } from '@tanstack/react-store';
import { Fragment, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { createPortal } from 'react-dom';
import { CircleAlert, CircleCheck, Info, X } from 'lucide-react';
import { Button } from './button.tsx';
import { IconButton } from './icon-button.tsx';
import { openModals } from './use-modal.ts';
import { dismissToast, isLasting, toastStore, type Toast, type ToastTone } from './toast-store.ts';

const default_duration_ms = 6_000;

const icons = {
  neutral: <Info aria-hidden="true" className="text-ink-3" />,
  good: <CircleCheck aria-hidden="true" className="text-good" />,
  bad: <CircleAlert aria-hidden="true" className="text-bad" />,
} satisfies Record<ToastTone, React.ReactNode>;

export function Toaster() {
  const toasts = useSelector(toastStore);
  const modal = useSelector(openModals).at(-1);
  return (
    <>
      <Announcement toast={toasts.findLast(({ tone }) => tone !== 'bad')} urgent={false} />
      <Announcement toast={toasts.findLast(({ tone }) => tone === 'bad')} urgent />
      {/* Outside the topmost dialog, a message could not be pressed. */}
      {createPortal(<ToastRegion toasts={toasts} />, modal ?? document.body)}
    </>
  );
}

function ToastRegion({ toasts }: { toasts: readonly Toast[] }) {
  const region = useRef<HTMLElement>(null);
  const newest = toasts.at(-1)?.id;
  useEffect(() => {
    // Shown anew for each message: the top layer keeps the order of showing, and a dialog may have opened since.
    if (region.current?.matches(':popover-open')) region.current.hidePopover();
    // A dialog that closes takes it along; it is shown again elsewhere.
    if (newest !== undefined && region.current?.isConnected) region.current.showPopover();
  }, [newest]);
  return (
    <section
      ref={region}
      popover="manual"
      aria-label="Messages"
      className="fixed inset-auto right-2 bottom-[calc(0.5rem+var(--dock-height,0px))] m-0 max-h-[calc(100dvh-7rem-var(--dock-height,0px))] w-96 max-w-[calc(100vw-1rem)] flex-col gap-2 overflow-y-auto border-0 p-2 open:flex max-md:bottom-[calc(4.5rem+var(--dock-height,0px))] lg:bottom-[calc(1rem+var(--dock-height,0px))] [&>*]:flex-none"
    >
      {toasts.map((toast) => (
        <ToastCard key={toast.id} toast={toast} />
      ))}
    </section>
  );
}

/** Screen readers often ignore a live region that appears together with its text, so it is on the page before. */
function Announcement({ toast, urgent }: { toast: Toast | undefined; urgent: boolean }) {
  const text = toast ? [toast.title, toast.detail].filter(Boolean).join('. ') : null;
  return (
    <output aria-live={urgent ? 'assertive' : 'polite'} className="sr-only">
      {/* A new element for each toast: the same text again is announced again. */}
      <Fragment key={toast?.id}>{text === null ? null : <span>{text}</span>}</Fragment>
    </output>
  );
}

function subscribeToVisibility(listener: () => void) {
  document.addEventListener('visibilitychange', listener);
  return () => document.removeEventListener('visibilitychange', listener);
}

function ToastCard({ toast }: { toast: Toast }) {
  const { id, tone = 'neutral', duration_ms } = toast;
  const [isHovered, setHovered] = useState(false);
  const [isFocused, setFocused] = useState(false);
  const isPaused = isHovered || isFocused;
  const isHidden = useSyncExternalStore(subscribeToVisibility, () => document.hidden);
  const stays = isLasting(toast);
  useEffect(() => {
    if (isPaused || isHidden || stays) return;
    const timer = setTimeout(() => dismissToast(id), duration_ms ?? default_duration_ms);
    return () => clearTimeout(timer);
  }, [isPaused, isHidden, stays, id, duration_ms]);
  const { action } = toast;
  return (
    <div
      onPointerEnter={() => setHovered(true)}
      onPointerLeave={() => setHovered(false)}
      onFocus={() => setFocused(true)}
      onBlur={() => setFocused(false)}
      className="flex animate-rise items-start gap-2.5 rounded-md border border-line-strong bg-raised py-2.5 pr-2 pl-3 shadow-float"
    >
      <span className="flex h-7 items-center [&>svg]:size-4.5">{icons[tone]}</span>
      <div className="min-w-0 flex-1 py-1">
        <p className="text-sm font-medium wrap-anywhere">{toast.title}</p>
        {toast.detail ? <p className="text-sm wrap-anywhere text-ink-3">{toast.detail}</p> : null}
      </div>
      {action ? (
        <Button
          size="sm"
          onClick={() => {
            dismissToast(id);
            action.onPress();
          }}
        >
          {action.label}
        </Button>
      ) : null}
      <IconButton
        size="sm"
        label="Dismiss"
        icon={<X aria-hidden="true" className="size-4" />}
        onClick={() => dismissToast(id)}
      />
    </div>
  );
}
