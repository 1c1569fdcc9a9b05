import type { ReactNode } from 'react';
import { FormDialog, type FormDialogProps } from '#web/ui/form-dialog.tsx';

export interface ConsequenceDialogProps extends Pick<FormDialogProps, 'variant' | 'busy' | 'onClose'> {
  title: string;
  description: string;
  /** What happens, one sentence or two each. */
  consequences: readonly string[];
  /** One more, not to be overlooked. */
  gravest?: string | null;
  /** Names of the buttons. */
  keep: string;
  go: string;
  error: unknown;
  onGo: () => void;
  /** What else there is to say or to choose. */
  children?: ReactNode;
}

/** Says what an act does before it is done. */
export function ConsequenceDialog(props: ConsequenceDialogProps) {
  const { description, consequences, gravest, error, onGo, children, ...rest } = props;
  return (
    <FormDialog
      size="sm"
      description={<span className="wrap-anywhere">{description}</span>}
      problem={error instanceof Error ? error.message : null}
      onSubmit={onGo}
      {...rest}
    >
      {children}
      <ul className="flex list-disc flex-col gap-1.5 pl-4 text-ink-2 marker:text-ink-3">
        {consequences.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
        {gravest ? <li className="font-medium text-ink">{gravest}</li> : null}
      </ul>
    </FormDialog>
  );
}
