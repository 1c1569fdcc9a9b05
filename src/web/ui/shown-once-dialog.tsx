import { useState, type ReactNode } from 'react';
import { Button } from '#web/ui/button.tsx';
import { Callout } from '#web/ui/callout.tsx';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { Dialog, type DialogProps } from '#web/ui/dialog.tsx';

export interface ShownOnceDialogProps extends Pick<DialogProps, 'title' | 'description' | 'size' | 'onClose'> {
  /** Where to store it, and what if it is lost. */
  advice: string;
  children: ReactNode;
}

/** A secret that was just made: there is no way back to it, so it closes only once it is stored. */
export function ShownOnceDialog({ advice, children, onClose, ...rest }: ShownOnceDialogProps) {
  const [stored, setStored] = useState(false);
  return (
    <Dialog
      open
      persistent
      {...rest}
      onClose={onClose}
      footer={
        <Button variant="primary" disabled={!stored} onClick={onClose}>
          Close
        </Button>
      }
    >
      <div className="flex flex-col gap-4">
        <Callout tone="amber" title="It is shown this once">
          {advice}
        </Callout>
        {children}
        <Checkbox checked={stored} onChange={setStored} label="I have stored it" />
      </div>
    </Dialog>
  );
}
