import { useRef } from 'react';
import { type Control, type FieldPathByValue, type FieldValues, useController } from 'react-hook-form';
import { Field, type FieldProps } from '#web/ui/controls/field.tsx';
import { parseAmount, type ParseAmountOptions } from '#web/ui/controls/parse-amount.ts';
import { TextInput } from '#web/ui/controls/text-input.tsx';

export interface AmountFieldProps<Values extends FieldValues>
  extends ParseAmountOptions, Pick<FieldProps, 'label' | 'hint' | 'optional'> {
  control: Control<Values>;
  name: FieldPathByValue<Values, string>;
  placeholder?: string;
}

/** Rejects a decimal comma and offers the likely amount as a button. */
export function AmountField<Values extends FieldValues>({
  control,
  name,
  label,
  hint,
  optional = false,
  placeholder,
  ...options
}: AmountFieldProps<Values>) {
  const parse = (typed: string) => parseAmount(typed, options);
  const { field, fieldState } = useController({
    control,
    name,
    rules: { validate: (typed: string) => (optional && typed.trim() === '') || (parse(typed).problem ?? true) },
  });
  const input = useRef<HTMLInputElement>(null);
  const { suggestion } = parse(field.value);
  const error = fieldState.error?.message;
  const accept = (amount: string) => {
    field.onChange(amount);
    // The button disappears together with the error.
    input.current?.focus();
  };
  return (
    <Field
      label={label}
      hint={hint}
      optional={optional}
      error={
        error && suggestion ? (
          <>
            {error}{' '}
            <button
              type="button"
              className="font-medium underline underline-offset-2"
              onClick={() => accept(suggestion)}
            >
              Did you mean {suggestion}?
            </button>
          </>
        ) : (
          error
        )
      }
    >
      <TextInput
        inputMode="decimal"
        autoComplete="off"
        prefix="$"
        placeholder={placeholder}
        {...field}
        ref={(element) => {
          input.current = element;
          field.ref(element);
        }}
      />
    </Field>
  );
}
