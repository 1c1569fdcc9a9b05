import type { UseFormReturn } from 'react-hook-form';
import { MAX_LIST_ORDERS } from '#contract/limits.ts';
import { Field } from '#web/ui/field.tsx';
import { formatNumber } from '#web/ui/formats.ts';
import { TextArea } from '#web/ui/text-input.tsx';
import type { BatchDraft } from '../draft/batch-draft.ts';

interface PromptSourceProps {
  form: UseFormReturn<BatchDraft>;
  label: string;
  count: number;
}

export function PromptSource({ form, label, count }: PromptSourceProps) {
  const excess = count - MAX_LIST_ORDERS;
  return (
    <Field
      label={`${label}s, one per line`}
      hint={`Up to ${formatNumber(MAX_LIST_ORDERS)} lines. Blank lines are ignored. Cells of a spreadsheet can be pasted too.`}
      aside={count > 0 ? formatNumber(count) : undefined}
      error={
        excess > 0
          ? `A batch has at most ${formatNumber(MAX_LIST_ORDERS)} orders. Remove ${formatNumber(excess)} lines.`
          : undefined
      }
    >
      <TextArea rows={8} maxRows={16} wrap="off" spellCheck={false} {...form.register('prompts')} />
    </Field>
  );
}
