import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useCan } from '#web/api/queries/permissions.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { lazyComponent } from '#web/ui/lazy-component.tsx';

const AddBillDialog = lazyComponent(async () => (await import('./add-bill-dialog.tsx')).AddBillDialog);

interface AddBillButtonProps {
  month: string;
  providers: readonly { id: string; name: string }[];
}

/** Nothing for who may not store bills. */
export function AddBillButton({ month, providers }: AddBillButtonProps) {
  const canAdd = useCan('funds.manage');
  const [isAdding, setIsAdding] = useState(false);
  if (!canAdd || providers.length === 0) return null;
  return (
    <>
      <Button
        icon={<Plus aria-hidden="true" className="size-4" />}
        onPointerEnter={AddBillDialog.preload}
        onFocus={AddBillDialog.preload}
        onClick={() => setIsAdding(true)}
      >
        Add bill
      </Button>
      {isAdding ? <AddBillDialog month={month} providers={providers} onClose={() => setIsAdding(false)} /> : null}
    </>
  );
}
