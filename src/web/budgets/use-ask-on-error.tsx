import { type ReactNode, useCallback, useState } from 'react';
import type { OrderRequest } from '#contract/resources/request.ts';
import { ApiError } from '#web/api/api-errors.ts';
import { lazyComponent } from '#web/ui/lazy-component.tsx';

const AskDialog = lazyComponent(async () => (await import('./ask-dialog.tsx')).AskDialog);

/**
 * Opens the dialog that asks for an approval where an order needs one.
 * @returns the dialog to render, and `askFor`: whether the error was about an approval
 */
export function useAskOnError(): { askDialog: ReactNode; askFor: (error: unknown, order: OrderRequest) => boolean } {
  const [asked, setAsked] = useState<{ order: OrderRequest; message: string } | null>(null);
  const askFor = useCallback((error: unknown, order: OrderRequest): boolean => {
    const needsApproval = error instanceof ApiError && error.code === 'approval_required';
    if (needsApproval) setAsked({ order, message: error.message });
    return needsApproval;
  }, []);
  const askDialog = asked ? <AskDialog ask={{ kind: 'order', ...asked }} onClose={() => setAsked(null)} /> : null;
  return { askDialog, askFor };
}
