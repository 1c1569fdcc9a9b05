import type { AnyModelId, TaskId } from '#contract/ids.ts';
import { isModelId, knownModels, modelsForTask } from '#web/api/known-models.ts';
import { useCatalogNames } from '#web/api/catalog-names.ts';
import { Field } from '#web/ui/controls/field.tsx';
import { Select } from '#web/ui/controls/select.tsx';

export interface TaskModelFieldsProps {
  tasks: readonly TaskId[];
  task: TaskId | undefined;
  model: AnyModelId | undefined;
  uploadsOnly?: boolean;
  onChange: (change: { task?: TaskId | undefined; model?: AnyModelId | undefined }) => void;
}

const ANY = 'any';

export function TaskModelFields({ tasks, task, model, uploadsOnly = false, onChange }: TaskModelFieldsProps) {
  const names = useCatalogNames();
  const models = task ? modelsForTask(task) : knownModels();
  const noModelLabel = uploadsOnly ? 'Uploads have no model' : 'This task has no models';
  const disabled = uploadsOnly || models.length === 0;
  return (
    <>
      <Field label="Task">
        <Select
          value={task ?? ANY}
          disabled={uploadsOnly}
          options={[
            { value: ANY, label: uploadsOnly ? 'Uploads have no task' : 'All tasks' },
            ...tasks.map((id) => ({ value: id, label: names.task(id) })),
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
          disabled={disabled}
          options={[
            { value: ANY, label: disabled ? noModelLabel : 'All models' },
            ...models.map((id) => ({ value: id, label: names.model(id) })),
          ]}
          onChange={(value) => onChange({ model: isModelId(value) ? value : undefined })}
        />
      </Field>
    </>
  );
}
