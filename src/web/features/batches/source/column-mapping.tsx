import { ArrowRight } from 'lucide-react';
import type { InputContract } from '#contract/task.ts';
import { Checkbox } from '#web/ui/controls/checkbox.tsx';
import { Select } from '#web/ui/controls/select.tsx';
import type { BatchRows } from '../draft/batch-rows.ts';
import {
  type ColumnTarget,
  IGNORED_TARGET,
  MODEL_TARGET,
  NAME_TARGET,
  promptField,
  SPECIAL_LABELS,
  tagTarget,
} from '../rows/match-columns.ts';
import { useColumnTags } from '../rows/use-column-tags.ts';

interface ColumnMappingProps {
  rows: BatchRows;
  contract: InputContract;
  hasModels: boolean;
  onChange: (column: number, target: ColumnTarget) => void;
  sharesPrompt: boolean;
  onSharesPromptChange: (sharesPrompt: boolean) => void;
}

const IGNORED = 'ignored';
const MAX_SAMPLE_LENGTH = 60;

/** Shows which field each column of a file fills, and lets people change it. */
export function ColumnMapping(props: ColumnMappingProps) {
  const { contract, hasModels, onChange, sharesPrompt, onSharesPromptChange } = props;
  const { columns, targets, rows } = props.rows;
  const tags = useColumnTags();
  const prompt = promptField(contract);
  const ignored = targets.filter((target) => target === IGNORED_TARGET).length;
  const options = [
    { value: IGNORED, label: 'Ignored' },
    ...contract.fields.map(({ name, label }) => ({ value: name, label })),
    ...(hasModels ? [{ value: MODEL_TARGET, label: 'Model' }] : []),
    { value: NAME_TARGET, label: SPECIAL_LABELS[NAME_TARGET] ?? '' },
    ...tags.map((tag) => ({ value: tagTarget(tag), label: tag.label })),
  ];
  return (
    <section aria-label="Columns">
      <div className="flex items-baseline justify-between gap-3 pb-1 text-sm">
        <h3 className="font-medium">Columns</h3>
        <p className="text-ink-3 tabular-nums">
          {columns.length - ignored} of {columns.length} used
        </p>
      </div>
      <ul className="divide-y divide-line border-y border-line">
        {columns.map((column, at) => {
          const target = targets[at] ?? IGNORED_TARGET;
          const sample = rows.find(({ cells }) => (cells[at] ?? '').trim() !== '')?.cells[at]?.trim() ?? '';
          return (
            <li
              // Two columns may have the same name.
              key={`${at} ${column}`}
              className="grid grid-cols-[minmax(0,1fr)_auto_minmax(8rem,11rem)] items-center gap-x-2.5 py-1.5"
            >
              <span className="min-w-0 text-sm">
                <span className="block truncate font-medium" dir="auto">
                  {column}
                </span>
                <span className="block truncate text-ink-3" dir="auto">
                  {sample.slice(0, MAX_SAMPLE_LENGTH) || 'No values'}
                </span>
              </span>
              <ArrowRight aria-hidden="true" className="size-4 text-ink-3" />
              <Select
                aria-label={`Field of column ${column}`}
                value={target === IGNORED_TARGET ? IGNORED : target}
                options={options.map((option) => ({
                  ...option,
                  disabled: option.value !== IGNORED && option.value !== target && targets.includes(option.value),
                }))}
                onChange={(next) => onChange(at, next === IGNORED ? IGNORED_TARGET : next)}
              />
            </li>
          );
        })}
      </ul>
      {prompt && !targets.includes(prompt.name) ? (
        <div className="pt-3">
          <Checkbox
            checked={sharesPrompt}
            onChange={onSharesPromptChange}
            label={`Use one ${prompt.label.toLowerCase()} for every row`}
          />
        </div>
      ) : null}
    </section>
  );
}
