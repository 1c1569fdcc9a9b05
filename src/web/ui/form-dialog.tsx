import { useId, type ReactNode } from 'react';
import { Button, type ButtonVariant } from '#web/ui/button.tsx';
import { Dialog, type DialogProps } from '#web/ui/dialog.tsx';
import { ErrorText } from '#web/ui/field.tsx';

export interface FormDialogProps extends Pick<DialogProps, 'title' | 'description' | 'size' | 'onClose'> {
  /** On the button that sends it. */
  go: ReactNode;
  /** On the button that leaves all as it is. */
  keep?: string;
  variant?: ButtonVariant;
  busy: boolean;
  /** What went wrong, where no field says it already. */
  problem?: string | null | undefined;
  /** A further button, at the start of the line. */
  aside?: ReactNode;
  onSubmit: () => void;
  children: ReactNode;
}

/** A window with something to fill in, or to confirm. */
export function FormDialog(props: FormDialogProps) {
  const { title, description, size, onClose, go, keep = 'Cancel', variant = 'primary', busy, problem, aside } = props;
  const form = useId();
  return (
    <Dialog
      open
      title={title}
      description={description}
      size={size}
      onClose={onClose}
      footer={
        <>
          {aside}
          <Button onClick={onClose}>{keep}</Button>
          <Button type="submit" form={form} variant={variant} busy={busy}>
            {go}
          </Button>
        </>
      }
    >
      <form
        id={form}
        noValidate
        className="flex flex-col gap-5"
        onSubmit={(event) => {
          event.preventDefault();
          props.onSubmit();
        }}
      >
        {props.children}
        <ErrorText>{problem}</ErrorText>
      </form>
    </Dialog>
  );
}
