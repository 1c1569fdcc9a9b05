import { Toast } from '@base-ui/react/toast';
import { CircleAlert, CircleCheck, Info, X } from 'lucide-react';
import { Fragment, useEffect } from 'react';
import { buttonClass } from '#web/ui/controls/button.tsx';
import { IconButton } from '#web/ui/controls/icon-button.tsx';
import { connectToaster, type ToastContent, type ToastTone } from './toast-store.ts';

const DEFAULT_DURATION_MS = 6_000;
/** Passing messages at once; errors stay beside them. */
const MAX_PASSING = 4;

const icons = {
  neutral: <Info aria-hidden="true" className="text-ink-3" />,
  good: <CircleCheck aria-hidden="true" className="text-good" />,
  bad: <CircleAlert aria-hidden="true" className="text-bad" />,
} satisfies Record<ToastTone, React.ReactNode>;

type ToastItem = Toast.Root.ToastObject<ToastContent>;

const toneOf = ({ data }: ToastItem): ToastTone => data?.tone ?? 'neutral';

export function Toaster() {
  return (
    <Toast.Provider limit={Infinity}>
      <Messages />
    </Toast.Provider>
  );
}

function Messages() {
  const { toasts, add, close } = Toast.useToastManager<ToastContent>();
  useEffect(() => {
    connectToaster((content) => {
      const { title, detail, tone, durationMs = tone === 'bad' ? null : DEFAULT_DURATION_MS } = content;
      add({ title, description: detail, timeout: durationMs ?? 0, data: content });
    });
  }, [add]);
  useEffect(() => {
    const passing = toasts.filter(({ timeout, transitionStatus }) => timeout !== 0 && transitionStatus !== 'ending');
    for (const { id } of passing.slice(MAX_PASSING)) close(id);
  }, [toasts, close]);
  return (
    <>
      <Announcement toast={toasts.find((toast) => toneOf(toast) !== 'bad')} urgent={false} />
      <Announcement toast={toasts.find((toast) => toneOf(toast) === 'bad')} urgent />
      <Toast.Portal>
        <Toast.Viewport
          aria-label="Messages"
          // What is said aloud is in the announcements; the attribute keeps it reachable beside a dialog.
          aria-live="off"
          className="fixed right-2 bottom-[calc(0.5rem+var(--dock-height,0px))] z-80 flex max-h-[calc(100dvh-7rem-var(--dock-height,0px))] w-96 max-w-[calc(100vw-1rem)] flex-col gap-2 overflow-y-auto p-2 outline-none empty:hidden max-md:bottom-[calc(4.5rem+var(--dock-height,0px))] lg:bottom-[calc(1rem+var(--dock-height,0px))] [&>*]:flex-none"
        >
          {toasts.toReversed().map((toast) => (
            <ToastCard key={toast.id} toast={toast} onClose={() => close(toast.id)} />
          ))}
        </Toast.Viewport>
      </Toast.Portal>
    </>
  );
}

/** Screen readers often ignore a live region that appears together with its text, so it is on the page before. */
function Announcement({ toast, urgent }: { toast: ToastItem | undefined; urgent: boolean }) {
  const text = [toast?.data?.title, toast?.data?.detail].filter(Boolean).join('. ');
  return (
    <output aria-live={urgent ? 'assertive' : 'polite'} className="sr-only">
      {/* A new element for each toast: the same text again is announced again. */}
      <Fragment key={toast?.id}>{text === '' ? null : <span>{text}</span>}</Fragment>
    </output>
  );
}

function ToastCard({ toast, onClose }: { toast: ToastItem; onClose: () => void }) {
  const action = toast.data?.action;
  return (
    <Toast.Root
      toast={toast}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- Base UI has a dialog here, and a fieldset is for controls
      role="group"
      aria-modal={undefined}
      swipeDirection="right"
      // Escape dismisses the message that has the focus, and nothing else.
      onKeyDown={(event) => event.key === 'Escape' && event.preventDefault()}
      className="flex animate-rise items-start gap-2.5 rounded-md border border-line-strong bg-raised py-2.5 pr-2 pl-3 shadow-float"
    >
      <span className="flex h-7 items-center [&>svg]:size-4.5">{icons[toneOf(toast)]}</span>
      <div className="min-w-0 flex-1 py-1">
        <Toast.Title render={<p />} className="text-sm font-medium wrap-anywhere" />
        <Toast.Description className="text-sm wrap-anywhere text-ink-3" />
      </div>
      {action ? (
        <Toast.Action
          className={buttonClass({ size: 'sm' })}
          onClick={() => {
            onClose();
            action.onPress();
          }}
        >
          {action.label}
        </Toast.Action>
      ) : null}
      <IconButton size="sm" label="Dismiss" icon={<X aria-hidden="true" className="size-4" />} onClick={onClose} />
    </Toast.Root>
  );
}
