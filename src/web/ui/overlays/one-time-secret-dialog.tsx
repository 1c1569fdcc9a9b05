import { useState, type ReactNode } from 'react';
import { Button } from '#web/ui/controls/button.tsx';
import { Callout } from '#web/ui/display/callout.tsx';
import { Checkbox } from '#web/ui/controls/checkbox.tsx';
import { Dialog, type DialogProps } from './dialog.tsx';

export interface OneTimeSecretDialogProps extends Pick<DialogProps, 'title' | 'description' | 'size' | 'onClose'> {
  advice: string;
  children: ReactNode;
}

/** It cannot be read again, so the dialog closes only after the person confirms that it is stored. */
export function OneTimeSecretDialog({ advice, children, onClose, ...rest }: OneTimeSecretDialogProps) {
  const [stored, setStored] = useState(false);
  return (
    <Dialog
      open
      persistent
      {...rest}
      onClose={onClose}
      footer={
        <>
          <Checkbox
            checked={stored}
            onChange={setStored}
            label="I have stored it"
            className="mr-auto items-center self-center py-1.5 pointer-coarse:py-3"
          />
          <Button variant="primary" disabled={!stored} onClick={onClose}>
            Close
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <Callout tone="amber" title="You will see this only once">
          {advice}
        </Callout>
        {children}
      </div>
    </Dialog>
  );
}
