import type { ReactNode } from 'react';
import { Button, type ButtonVariant } from '#web/ui/controls/button.tsx';
import { Dialog } from './dialog.tsx';
import { ErrorText } from '#web/ui/controls/field.tsx';

export interface ConfirmDialogProps {
  title: string;
  description: ReactNode;
  consequences: readonly string[];
  gravest?: string | null;
  cancelLabel: string;
  confirmLabel: string;
  variant?: ButtonVariant;
  busy: boolean;
  /** Ignores Escape and presses outside, for an action whose response is shown only once. */
  persistent?: boolean;
  error: unknown;
  onConfirm: () => void;
  onClose: () => void;
  children?: ReactNode;
}

/** Asks to confirm an action after listing what it does. For an action with input use FormDialog. */
export function ConfirmDialog({
  title,
  description,
  consequences,
  gravest,
  cancelLabel,
  confirmLabel,
  variant = 'primary',
  busy,
  persistent = false,
  error,
  onConfirm,
  onClose,
  children,
}: ConfirmDialogProps) {
  return (
    <Dialog
      open
      size="sm"
      title={title}
      description={<span className="wrap-anywhere">{description}</span>}
      persistent={persistent}
      onClose={onClose}
      footer={
        <>
          <Button disabled={persistent} onClick={onClose}>
            {cancelLabel}
          </Button>
          <Button variant={variant} busy={busy} onClick={onConfirm}>
            {confirmLabel}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-5">
        {children}
        <ConsequenceList consequences={consequences} gravest={gravest} />
        <div role="alert" className="empty:-mt-5">
          <ErrorText>{error instanceof Error ? error.message : null}</ErrorText>
        </div>
      </div>
    </Dialog>
  );
}

export function ConsequenceList({ consequences, gravest }: Pick<ConfirmDialogProps, 'consequences' | 'gravest'>) {
  return (
    <ul className="flex list-disc flex-col gap-1.5 pl-4 text-ink-2 marker:text-ink-3">
      {consequences.map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
      {gravest ? <li className="font-medium text-ink">{gravest}</li> : null}
    </ul>
  );
}
