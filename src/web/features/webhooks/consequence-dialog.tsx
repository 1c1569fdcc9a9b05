import type { ReactNode } from 'react';
import { Button, type ButtonVariant } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { ErrorText } from '#web/ui/field.tsx';

export interface ConsequenceDialogProps {
  title: string;
  description: string;
  /** What happens, one sentence or two each. */
  consequences: readonly string[];
  /** Names of the buttons. */
  keep: string;
  go: string;
  variant: ButtonVariant;
  busy: boolean;
  error: unknown;
  onGo: () => void;
  onClose: () => void;
  /** What else there is to say or to choose. */
  children?: ReactNode;
}

/** Says what an act does before it is done. */
export function ConsequenceDialog(props: ConsequenceDialogProps) {
  const { title, description, consequences, keep, go, variant, busy, error, onGo, onClose, children } = props;
  return (
    <Dialog
      open
      size="sm"
      title={title}
      description={<span className="wrap-anywhere">{description}</span>}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{keep}</Button>
          <Button variant={variant} busy={busy} onClick={onGo}>
            {go}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {children}
        <ul className="flex list-disc flex-col gap-1.5 pl-4 text-ink-2 marker:text-ink-3">
          {consequences.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
        {error instanceof Error ? <ErrorText>{error.message}</ErrorText> : null}
      </div>
    </Dialog>
  );
}
