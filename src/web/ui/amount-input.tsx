import { TextInput } from '#web/ui/text-input.tsx';

export interface AmountInputProps {
  value: string;
  placeholder?: string;
  onChange: (typed: string) => void;
}

/** Dollars as a person types them; `readAmount` says which amount that is. */
export function AmountInput({ onChange, ...rest }: AmountInputProps) {
  return (
    <TextInput
      inputMode="decimal"
      autoComplete="off"
      prefix="$"
      {...rest}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
