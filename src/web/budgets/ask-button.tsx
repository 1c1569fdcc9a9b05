import { useState } from 'react';
import type { ApprovalRequest } from '#contract/resources/request.ts';
import { useCan } from '#web/api/queries/permissions.ts';
import { Button, type ButtonProps } from '#web/ui/controls/button.tsx';
import type { AskFor } from './ask-dialog.tsx';
import { lazyComponent } from '#web/ui/lazy-component.tsx';

const AskDialog = lazyComponent(async () => (await import('./ask-dialog.tsx')).AskDialog);

interface AskButtonProps extends Pick<ButtonProps, 'size' | 'variant'> {
  ask: AskFor;
  /** Opens the dialog at once. */
  initiallyOpen?: boolean;
  onAsked?: (request: ApprovalRequest) => void;
}

/** Nothing for those who set budgets and decide requests themselves, and for those who create no work. */
export function AskButton({ ask, initiallyOpen = false, onAsked, size, variant = 'primary' }: AskButtonProps) {
  const decides = useCan('budgets.manage');
  const asks = useCan('work.create');
  const [open, setOpen] = useState(initiallyOpen);
  if (decides || !asks) return null;
  return (
    <>
      <Button variant={variant} size={size} onClick={() => setOpen(true)}>
        {ask.kind === 'budget' ? 'Ask for more' : 'Ask for approval'}
      </Button>
      {open ? <AskDialog ask={ask} {...(onAsked ? { onAsked } : {})} onClose={() => setOpen(false)} /> : null}
    </>
  );
}
