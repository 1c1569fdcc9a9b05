import { type ReactNode, useEffect, useId, useRef } from 'react';
import {
  type DefaultValues,
  type FieldValues,
  type Path,
  useForm,
  type UseFormReturn,
  useFormState,
} from 'react-hook-form';
import { ApiError, isAbort } from '#web/api/api-errors.ts';
import { Button, type ButtonVariant } from '#web/ui/controls/button.tsx';
import { Dialog, type DialogProps } from '#web/ui/overlays/dialog.tsx';
import { ErrorText } from '#web/ui/controls/field.tsx';
import { showError } from '#web/ui/overlays/toast-error.ts';
import { focusInvalid } from './focus-invalid.ts';

/** FormDialog sets the focus itself, because react-hook-form follows the order of registration, not of the page. */
export const useDialogForm = <Values extends FieldValues>(defaultValues: DefaultValues<Values>) =>
  useForm<Values>({ defaultValues, shouldFocusError: false });

export interface FormDialogProps<Values extends FieldValues> extends Pick<
  DialogProps,
  'title' | 'description' | 'size' | 'onClose'
> {
  /** Field names equal those of the request, at any depth, so that errors of the service match them. */
  form: UseFormReturn<Values>;
  submitLabel: ReactNode;
  cancelLabel?: string;
  variant?: ButtonVariant;
  aside?: ReactNode;
  /** Keeps the dialog open until the response, for responses that are shown only once. */
  awaitsResponse?: boolean;
  /** If it rejects, the dialog stays open with the entered values. */
  onSubmit: (values: Values) => Promise<void>;
  children: ReactNode;
}

/** Errors of the service appear at the fields that `details` names, all others above the buttons. */
export function FormDialog<Values extends FieldValues>({
  form,
  submitLabel,
  cancelLabel = 'Cancel',
  variant = 'primary',
  aside,
  awaitsResponse = false,
  onSubmit,
  onClose,
  children,
  ...dialog
}: FormDialogProps<Values>) {
  const id = useId();
  const { errors, isSubmitting, submitCount } = useFormState({ control: form.control });
  const element = useRef<HTMLFormElement>(null);
  const isOpen = useRef(true);
  const isSending = useRef(false);
  useEffect(() => {
    isOpen.current = true;
    return () => {
      isOpen.current = false;
    };
  }, []);
  const send = async (values: Values) => {
    try {
      await onSubmit(values);
    } catch (error) {
      if (isAbort(error)) return;
      if (isOpen.current) showErrors(form, error);
      else showError('Not saved', error);
    }
  };
  const submit = async () => {
    if (isSending.current) return;
    const incomplete = findIncomplete(element.current);
    if (incomplete) {
      form.setError(incomplete.name as Path<Values>, { type: 'incomplete', message: 'Complete this, or clear it.' });
      incomplete.closest('details')?.setAttribute('open', '');
      return incomplete.focus();
    }
    isSending.current = true;
    try {
      await form.handleSubmit(send)();
    } finally {
      isSending.current = false;
    }
  };
  useEffect(() => {
    if (submitCount > 0) focusInvalid(element.current);
  }, [submitCount]);
  const { root, ...fieldErrors } = errors;
  const invalid = Object.keys(fieldErrors).length;
  const locked = awaitsResponse && isSubmitting;
  return (
    <Dialog
      open
      {...dialog}
      persistent={locked}
      onClose={onClose}
      footer={
        <>
          {aside}
          <Button disabled={locked} onClick={onClose}>
            {cancelLabel}
          </Button>
          <Button type="submit" form={id} variant={variant} busy={isSubmitting}>
            {submitLabel}
          </Button>
        </>
      }
    >
      <form
        ref={element}
        id={id}
        noValidate
        className="flex flex-col gap-5"
        onSubmit={(event) => {
          event.preventDefault();
          // The dialog may have been opened from within another form.
          event.stopPropagation();
          void submit();
        }}
      >
        {children}
        <div role="alert" className={root ? undefined : '-mt-5'}>
          <ErrorText>{root?.['server']?.message}</ErrorText>
          {invalid > 0 ? (
            <p className="sr-only">
              {invalid === 1 ? 'One field needs attention.' : `${invalid} fields need attention.`}
            </p>
          ) : null}
        </div>
      </form>
    </Dialog>
  );
}

/** The browser gives no value for half a date or number, as if the field were empty. */
const findIncomplete = (form: HTMLFormElement | null) =>
  [...(form?.querySelectorAll('input') ?? [])].find(({ validity }) => validity.badInput);

const errorMessage = (error: unknown): string =>
  error instanceof Error ? error.message : 'Something went wrong. Try again.';

function showErrors<Values extends FieldValues>(form: UseFormReturn<Values>, error: unknown): void {
  const values = form.getValues();
  const isField = (name: string): name is Path<Values> => Object.hasOwn(values, name);
  const problems = new Map<Path<Values>, string>();
  const others: string[] = [];
  for (const { path, message } of error instanceof ApiError ? error.details : []) {
    const name = path.split('.').find(isField);
    if (name === undefined) others.push(message);
    else if (!problems.has(name)) problems.set(name, message);
  }
  for (const [name, message] of problems) form.setError(name, { type: 'server', message });
  if (problems.size > 0 && others.length === 0) return;
  const summary = [
    problems.size > 0 ? '' : errorMessage(error),
    ...others.filter((message) => message !== errorMessage(error)),
  ];
  form.setError('root.server', { type: 'server', message: summary.filter(Boolean).join(' ') });
}
