import { ListFilter } from 'lucide-react';
import { isModelId, MODEL_NAMES, modelsForTask, TASKS } from '#contract/catalog.ts';
import { MODEL_IDS, TASK_IDS } from '#contract/ids.ts';
import { ORIGIN_LABELS } from '#web/media/library/media-labels.ts';
import { Button } from '#web/ui/button.tsx';
import { DateRangeSelect } from '#web/ui/date-range-select.tsx';
import { Field } from '#web/ui/field.tsx';
import { Popover } from '#web/ui/popover.tsx';
import { SegmentedControl } from '#web/ui/segmented-control.tsx';
import { Select } from '#web/ui/select.tsx';
import type { LibraryFilters } from './library-search.ts';

export interface LibraryFilterMenuProps {
  filters: LibraryFilters;
  onChange: (change: { [K in keyof LibraryFilters]: LibraryFilters[K] | undefined }) => void;
}

const ANY = 'any';
const MEDIA_TASKS = TASK_IDS.filter((id) => id !== 'social.search');

export function LibraryFilterMenu({ filters, onChange }: LibraryFilterMenuProps) {
  const { origin, task, model, from, to } = filters;
  const count = [origin, task, model, from ?? to].filter(Boolean).length;
  const models = task ? modelsForTask(task) : MODEL_IDS;
  const uploads = origin === 'upload';
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
        <Field label="Where from" group>
          <SegmentedControl
            stretch
            value={origin ?? ANY}
            options={[
              { value: ANY, label: 'All' },
              { value: 'generated', label: ORIGIN_LABELS.generated },
              { value: 'upload', label: ORIGIN_LABELS.upload },
            ]}
            onChange={(value) =>
              onChange({
                origin: value === 'any' ? undefined : value,
                // Nothing made an upload.
                ...(value === 'upload' ? { task: undefined, model: undefined } : {}),
              })
            }
          />
        </Field>
        <Field label="Task">
          <Select
            value={task ?? ANY}
            disabled={uploads}
            options={[
              { value: ANY, label: uploads ? 'Uploads have no task' : 'All tasks' },
              ...MEDIA_TASKS.map((id) => ({ value: id, label: TASKS[id].name })),
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
            disabled={uploads || models.length === 0}
            options={[
              { value: ANY, label: modelFilterLabel(uploads, models.length) },
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

function modelFilterLabel(uploads: boolean, count: number): string {
  if (uploads) return 'Uploads have no model';
  return count === 0 ? 'This task has no models' : 'All models';
}
