import { Dialog } from '@base-ui/react/dialog';
import { type ComponentProps, useEffect, useRef, useState } from 'react';
import { ancestorsOf, focusNearest } from '#web/ui/hooks/focus-nearest.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { CloseGuard } from '#web/ui/close-button.tsx';
import { FieldBoundary } from '#web/ui/controls/field.tsx';
import { useTypedText } from '#web/ui/use-typed-text.ts';

export interface ModalProps extends ComponentProps<typeof Dialog.Popup> {
  /** Called for Escape and a press outside; without it, both are ignored. */
  onDismiss: (() => void) | undefined;
  /** Whether closing would lose something else than typed text. */
  isUnsaved?: () => boolean;
  className: string;
}

/**
 * Covers the page, in part or as a whole, traps the focus and restores it when it is gone. Escape, a press outside and
 * `CloseButton` ask before they lose what somebody typed or changed in it.
 */
export function Modal({ onDismiss, isUnsaved, className, children, ...rest }: ModalProps) {
  const popup = useRef<HTMLDivElement>(null);
  const [opener] = useState(() => ancestorsOf(document.activeElement));
  const { onFocus, hasTypedText } = useTypedText();
  /** What closes it, once the person has confirmed. */
  const [confirming, setConfirming] = useState<(() => void) | null>(null);
  const guard = (close: () => void) => (hasTypedText() || isUnsaved?.() ? setConfirming(() => close) : close());
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
    else guard(onDismiss);
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
          onFocus={onFocus}
          onKeyDown={(event) => {
            // Base UI would keep the arrow keys from the commands of a viewer.
            if (event.key !== 'Escape') event.preventBaseUIHandler();
          }}
          className={`modal ${className}`}
        >
          <PageMark />
          <CloseGuard value={guard}>
            <FieldBoundary>{children}</FieldBoundary>
          </CloseGuard>
          {confirming ? (
            <DiscardQuestion
              question={isUnsaved ? UNSAVED_CHANGES : UNSAVED_TEXT}
              onDiscard={confirming}
              onKeep={() => setConfirming(null)}
            />
          ) : null}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

const UNSAVED_CHANGES = { title: 'Discard your changes?', description: 'They are not saved yet.' };
const UNSAVED_TEXT = { title: 'Discard what you typed?', description: 'It is not saved yet.' };

interface DiscardQuestionProps {
  question: { title: string; description: string };
  onDiscard: () => void;
  onKeep: () => void;
}

function DiscardQuestion({ question, onDiscard, onKeep }: DiscardQuestionProps) {
  return (
    <Modal onDismiss={onKeep} className="w-[22rem] max-w-[calc(100vw-1.5rem)] rounded-lg p-5">
      <Dialog.Title tabIndex={-1} className="text-md font-semibold outline-none">
        {question.title}
      </Dialog.Title>
      <Dialog.Description className="mt-1 text-ink-2">{question.description}</Dialog.Description>
      <div className="mt-5 flex flex-wrap justify-end gap-2">
        <Button data-autofocus="" onClick={onKeep}>
          Keep editing
        </Button>
        <Button variant="danger" onClick={onDiscard}>
          Discard
        </Button>
      </div>
    </Modal>
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
