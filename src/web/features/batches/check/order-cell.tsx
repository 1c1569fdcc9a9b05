import { type KeyboardEvent, useRef, useState } from 'react';
import type { ChoiceFieldSpec, FieldSpec } from '#contract/task.ts';
import { choiceOptions } from '#web/forms/models/compare-options.ts';
import { optionLabel } from '#web/forms/values/format-field-value.ts';

interface OrderCellProps {
  label: string;
  field: FieldSpec | undefined;
  text: string;
  problemId: string | undefined;
  /** Whether Enter adds a line instead of saving. */
  hasLines: boolean;
  onChange: (text: string) => void;
}

/** One value of a row. A change counts when the box is left or Enter is pressed; Escape takes it back. */
export function OrderCell({ label, field, text, problemId, hasLines, onChange }: OrderCellProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const isReverted = useRef(false);
  const commit = () => {
    if (typed !== null && typed !== text && !isReverted.current) onChange(typed);
    isReverted.current = false;
    setTyped(null);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key === 'Escape' && typed !== null) {
      event.preventDefault();
      event.stopPropagation();
      isReverted.current = true;
      setTyped(null);
      event.currentTarget.blur();
    } else if (event.key === 'Enter' && !(hasLines && field?.kind === 'text') && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      commit();
    }
  };
  const common = {
    'aria-label': label,
    'aria-invalid': problemId === undefined ? undefined : (true as const),
    'aria-describedby': problemId,
    dir: 'auto',
    value: typed ?? text,
    // Beside a problem it would say that nothing is wrong.
    placeholder: problemId === undefined ? 'As in the form' : undefined,
    onBlur: commit,
    onKeyDown,
  };
  if (field?.kind === 'text')
    return (
      <textarea
        {...common}
        rows={2}
        onChange={(event) => setTyped(event.target.value)}
        className="control h-13! min-h-0! resize-none py-1! text-sm leading-5!"
      />
    );
  return (
    <input
      type="text"
      {...common}
      list={field?.kind === 'choice' ? optionListId(field) : undefined}
      onChange={(event) => setTyped(event.target.value)}
      className="control text-sm"
    />
  );
}

const optionListId = ({ name }: FieldSpec) => `order-options-${name}`;

/** What the browser suggests for a field in every row. */
export function OptionList({ field }: { field: ChoiceFieldSpec }) {
  return (
    <datalist id={optionListId(field)}>
      {choiceOptions(field).map((option) => (
        <option key={String(option)}>{optionLabel(field, option as string | number | null)}</option>
      ))}
    </datalist>
  );
}
