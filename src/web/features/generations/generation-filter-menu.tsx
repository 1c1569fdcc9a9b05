import { ListFilter } from 'lucide-react';
import { isModelId, MODEL_NAMES, modelsForTask, TASKS } from '#contract/catalog.ts';
import { MODEL_IDS, TASK_IDS } from '#contract/ids.ts';
import type { GenerationSearch } from './generation-search.ts';
import { Button } from '#web/ui/button.tsx';
import { DateRangeSelect } from '#web/ui/date-range-select.tsx';
import { Field } from '#web/ui/field.tsx';
import { Popover } from '#web/ui/popover.tsx';
import { Select } from '#web/ui/select.tsx';

export interface GenerationFilterMenuProps {
  search: GenerationSearch;
  onChange: (change: Partial<GenerationSearch>) => void;
}

const ANY = 'any';

/** Task, model and time: the filters that are needed less often than status and text. */
export function GenerationFilterMenu({ search, onChange }: GenerationFilterMenuProps) {
  const { task, model, from, to } = search;
  const count = [task, model, from ?? to].filter(Boolean).length;
  const models = task ? modelsForTask(task) : MODEL_IDS;
  return (
    <Popover
      aria-label="Filters"
      align="end"
      className="w-72 p-4"
      renderTrigger={(props) => (
        <Button {...props} icon={<ListFilter aria-hidden="true" className="size-4" />}>
          Filters{count > 0 ? ` · ${count}` : ''}
        </Button>
      )}
    >
      <div className="flex flex-col gap-4">
        <Field label="Task">
          <Select
            value={task ?? ANY}
            options={[
              { value: ANY, label: 'All tasks' },
              ...TASK_IDS.map((id) => ({ value: id, label: TASKS[id].name })),
            ]}
            onChange={(value) => {
              if (value === ANY) return onChange({ task: undefined });
              const keeps = model !== undefined && modelsForTask(value).includes(model);
              onChange({ task: value, model: keeps ? model : undefined });
            }}
          />
        </Field>
        <Field label="Model">
          <Select
            value={model ?? ANY}
            disabled={models.length === 0}
            options={[
              { value: ANY, label: models.length === 0 ? 'This task has no models' : 'All models' },
              ...models.map((id) => ({ value: id, label: MODEL_NAMES[id] })),
            ]}
            onChange={(value) => onChange({ model: isModelId(value) ? value : undefined })}
          />
        </Field>
        <Field label="When" group>
          <DateRangeSelect from={from} to={to} onChange={onChange} />
        </Field>
      </div>
    </Popover>
  );
}
