import { createAtom } from '@tanstack/react-store';
import { useEffect, useEffectEvent, useRef, type RefObject } from 'react';
import { ancestorsOf, focusNearest } from './focus-nearest.ts';

/** The open modal dialogs, the topmost last. What lies outside it is inert. */
export const openModals = createAtom<readonly HTMLDialogElement[]>([]);

/** Marks the page for its styles while a dialog covers it, in part or as a whole. */
function setModalOpen(dialog: HTMLDialogElement, open: boolean): void {
  openModals.set((modals) => [...modals.filter((modal) => modal !== dialog), ...(open ? [dialog] : [])]);
  const { documentElement: page } = document;
  page.toggleAttribute('data-modal', openModals.get().length > 0);
  if (dialog.classList.contains('full-window')) page.toggleAttribute('data-full', open);
}

/** `onDismiss` is called for Escape and for a press on the element itself, so the content must fill the dialog. */
export function useModal(open: boolean, onDismiss: () => void): RefObject<HTMLDialogElement | null> {
  const dialog = useRef<HTMLDialogElement>(null);
  const dismiss = useEffectEvent(onDismiss);
  useEffect(() => {
    const element = dialog.current;
    if (!element || !open) return;
    let pressedOutside = false;
    const onPointerDown = (event: PointerEvent) => {
      pressedOutside = event.target === element;
    };
    const onClick = (event: MouseEvent) => {
      if (pressedOutside && event.target === element) dismiss();
    };
    const onCancel = (event: Event) => {
      if (event.target !== element) return;
      event.preventDefault();
      dismiss();
    };
    element.addEventListener('pointerdown', onPointerDown);
    element.addEventListener('click', onClick);
    element.addEventListener('cancel', onCancel);
    const opener = ancestorsOf(document.activeElement);
    element.showModal();
    setModalOpen(element, true);
    focusFirst(element);
    return () => {
      element.removeEventListener('pointerdown', onPointerDown);
      element.removeEventListener('click', onClick);
      element.removeEventListener('cancel', onCancel);
      // The browser restores the focus only for a dialog that is closed; this one may be removed already.
      const hadFocus = document.activeElement === document.body || element.contains(document.activeElement);
      element.close();
      setModalOpen(element, false);
      // The element that opened it may be gone as well, for example with the row that was deleted.
      if (hadFocus) focusNearest(opener);
    };
  }, [open]);
  return dialog;
}

/** The marked element, else the first field (which raises the keyboard of a touch screen), else the heading. */
function focusFirst(dialog: HTMLDialogElement) {
  const marked = dialog.querySelector<HTMLElement>('[autofocus], [data-autofocus]');
  const field = matchMedia('(pointer: coarse)').matches
    ? null
    : dialog.querySelector<HTMLElement>('input:not([type=hidden], :disabled), textarea, select');
  (marked ?? field ?? dialog.querySelector<HTMLElement>('h2[tabindex]'))?.focus();
}
