import { TASK_IDS } from '#contract/ids.ts';
import { ORIGIN_LABELS } from '#web/media/library/media-labels.ts';
import { TaskModelFields } from '#web/media/task-model-fields.tsx';
import { Field } from '#web/ui/field.tsx';
import { FilterMenu } from '#web/ui/filter-menu.tsx';
import { SegmentedControl } from '#web/ui/segmented-control.tsx';
import type { LibraryFilters } from './library-search.ts';

export interface LibraryFilterMenuProps {
  filters: LibraryFilters;
  onChange: (change: { [K in keyof LibraryFilters]: LibraryFilters[K] | undefined }) => void;
}

const ANY = 'any';
const MEDIA_TASKS = TASK_IDS.filter((id) => id !== 'social.search');

export function LibraryFilterMenu({ filters, onChange }: LibraryFilterMenuProps) {
  const { origin, task, model, from, to } = filters;
  return (
    <FilterMenu values={[origin, task, model]} from={from} to={to} onDaysChange={onChange}>
      <Field label="Source" group>
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
      <TaskModelFields
        tasks={MEDIA_TASKS}
        task={task}
        model={model}
        uploadsOnly={origin === 'upload'}
        onChange={onChange}
      />
    </FilterMenu>
  );
}
