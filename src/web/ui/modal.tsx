import { Dialog } from '@base-ui/react/dialog';
import { type ComponentProps, useEffect, useRef, useState } from 'react';
import { ancestorsOf, focusNearest } from './focus-nearest.ts';
import { FieldBoundary } from './field.tsx';

export interface ModalProps extends ComponentProps<typeof Dialog.Popup> {
  /** Called for Escape and a press outside; without it, both are ignored. */
  onDismiss: (() => void) | undefined;
  className: string;
}

/** Covers the page, in part or as a whole, traps the focus and restores it when it is gone. */
export function Modal({ onDismiss, className, children, ...rest }: ModalProps) {
  const popup = useRef<HTMLDivElement>(null);
  const [opener] = useState(() => ancestorsOf(document.activeElement));
  useEffect(
    () => () => {
      markPage();
      // The element that opened it may be gone as well, for example with the row that was deleted.
      if (document.activeElement === document.body) focusNearest(opener);
    },
    [opener],
  );
  const onOpenChange = (open: boolean, details: Dialog.Root.ChangeEventDetails) => {
    const isDismissed = details.reason === 'escape-key' || details.reason === 'outside-press';
    // One may open over another without being its child, and both hear the key.
    const isTopmost = [...document.querySelectorAll('.modal')].at(-1) === popup.current;
    if (open || !isDismissed || !onDismiss || !isTopmost || details.event.defaultPrevented) details.cancel();
    else onDismiss();
  };
  return (
    <Dialog.Root open modal="trap-focus" onOpenChange={onOpenChange}>
      <Dialog.Portal>
        <Dialog.Backdrop forceRender className="modal-backdrop" />
        <Dialog.Popup
          {...rest}
          ref={popup}
          initialFocus={() => firstControl(popup.current)}
          finalFocus={false}
          onKeyDown={(event) => {
            // Base UI would keep the arrow keys from the commands of a viewer.
            if (event.key !== 'Escape') event.preventBaseUIHandler();
          }}
          className={`modal ${className}`}
        >
          <PageMark />
          <FieldBoundary>{children}</FieldBoundary>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** Marks the page for its styles while a dialog covers it, in part or as a whole. */
function markPage(): void {
  const { documentElement: page } = document;
  page.toggleAttribute('data-modal', document.querySelector('.modal') !== null);
  page.toggleAttribute('data-full', document.querySelector('.full-window') !== null);
}

function PageMark() {
  useEffect(markPage, []);
  return null;
}

/** The marked element, else the first field (which raises the keyboard of a touch screen), else the heading. */
function firstControl(dialog: HTMLElement | null): HTMLElement | null {
  const find = (selector: string) => dialog?.querySelector<HTMLElement>(selector);
  const isTouch = matchMedia('(pointer: coarse)').matches;
  const field = isTouch ? null : find('input:not([type=hidden], :disabled), textarea, select');
  return find('[autofocus], [data-autofocus]') ?? field ?? find('h2[tabindex]') ?? null;
}
