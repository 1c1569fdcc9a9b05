import { useState } from 'react';
import { useCan } from '#web/api/queries/permissions.ts';
import { Button } from '#web/ui/controls/button.tsx';
import type { RefundableCharge } from './refund-dialog.tsx';
import { RefundDialog } from './refund-dialog.tsx';

/** Nothing for people who may not refund. */
export function RefundButton({ charge }: { charge: RefundableCharge }) {
  const [open, setOpen] = useState(false);
  if (!useCan('funds.manage')) return null;
  return (
    <>
      <Button size="sm" className="mt-3" onClick={() => setOpen(true)}>
        Refund
      </Button>
      {open ? <RefundDialog charge={charge} onClose={() => setOpen(false)} /> : null}
    </>
  );
}
