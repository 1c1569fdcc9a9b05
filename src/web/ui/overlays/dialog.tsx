import { Dialog as Base } from '@base-ui/react/dialog';
import type { ReactNode } from 'react';
import { CloseButton } from '#web/ui/close-button.tsx';
import { cx } from '#web/ui/cx.ts';
import { Modal } from './modal.tsx';

export interface DialogProps {
  open: boolean;
  /** Called for Escape, the close button and a press outside. */
  onClose: () => void;
  title: ReactNode;
  description?: ReactNode;
  footer?: ReactNode;
  size?: 'sm' | 'md' | 'lg' | 'xl';
  /** Says that the content is text only, so that the keyboard scrolls it. */
  reading?: boolean;
  /** Ignores Escape and presses outside, for content that is shown only once. */
  persistent?: boolean;
  children?: ReactNode;
}

const widths = { sm: 'w-[26rem]', md: 'w-[34rem]', lg: 'w-[46rem]', xl: 'w-[64rem]' };

/** Traps the focus, restores it on close, and renders its content only while open. */
export function Dialog({
  open,
  onClose,
  title,
  description,
  footer,
  persistent = false,
  reading = false,
  size = 'md',
  children,
}: DialogProps) {
  if (!open) return null;
  return (
    <Modal
      onDismiss={persistent ? undefined : onClose}
      className={cx('flex max-h-[min(85dvh,56rem)] max-w-[calc(100vw-1.5rem)] flex-col rounded-lg', widths[size])}
    >
      <header className="flex flex-none items-start gap-3 border-b border-line py-3 pr-3 pl-5">
        <div className="min-w-0 flex-1 py-1.5">
          <Base.Title tabIndex={-1} className="truncate text-md leading-6 font-semibold outline-none">
            {title}
          </Base.Title>
          {description ? (
            <Base.Description className="mt-0.5 text-sm text-ink-3">{description}</Base.Description>
          ) : null}
        </div>
        {persistent ? null : <CloseButton onClose={onClose} />}
      </header>
      <div
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls has to take focus
        tabIndex={reading ? 0 : undefined}
        className="min-h-0 flex-1 overflow-y-auto overscroll-contain px-5 py-4"
      >
        {children}
      </div>
      {footer ? (
        <footer className="flex flex-none flex-wrap justify-end gap-2 border-t border-line px-5 py-3">{footer}</footer>
      ) : null}
    </Modal>
  );
}
