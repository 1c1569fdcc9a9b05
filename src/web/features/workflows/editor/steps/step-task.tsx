import { useQuery } from '@tanstack/react-query';
import { inputContract, isModelId, isTaskId, modelsForTask } from '#contract/catalog.ts';
import { type ModelId, TASK_IDS, type TaskId } from '#contract/ids.ts';
import { type CatalogNames, useCatalogNames } from '#web/api/catalog-names.ts';
import { modelsQuery, tasksQuery } from '#web/api/queries/catalog.ts';
import { Select } from '#web/ui/select.tsx';
import { TextInput } from '#web/ui/text-input.tsx';
import { useEditor, changeWithUndo } from '../editor-context.ts';
import { type EditorState, type EditorStep, uniqueKey } from '../editor-state.ts';
import { renameEverywhere, findDependents } from '../expressions.ts';
import { PathField } from '../path-field.tsx';
import { suggestInput } from './source-options.ts';
import type { StepBodyProps } from './step-body.tsx';

export function StepTask({ step, at }: StepBodyProps) {
  const names = useCatalogNames();
  const editor = useEditor();
  const { id, name, task, model } = step;
  const path = `steps.${at}`;
  const { data: tasks } = useQuery(tasksQuery);
  const { data: models } = useQuery(modelsQuery);
  const isUnavailable = (listed: { available: boolean } | undefined, known: unknown) =>
    known !== undefined && !listed?.available;
  const choices = isTaskId(task) ? modelsForTask(task) : [];
  const changeTo = (next: TaskId, to: ModelId | null) => {
    const droppedLabels = droppedFieldLabels(step, next, to);
    const change = (state: EditorState) => changeTask(state, step, next, to, names);
    if (droppedLabels.length === 0) editor.change(change);
    else changeWithUndo(editor, `Removed settings: ${droppedLabels.join(', ')}`, [], change);
  };
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <PathField label="Name" path={`${path}.name`}>
        <TextInput
          value={name}
          onChange={(event) => editor.change((state) => renameStep(state, id, event.target.value))}
        />
      </PathField>
      <PathField label="Task" path={`${path}.task`}>
        <Select
          value={isTaskId(task) ? task : ''}
          placeholder="Choose"
          options={TASK_IDS.map((value) => ({
            value,
            label: names.task(value),
            ...(isUnavailable(
              tasks?.find((each) => each.id === value),
              tasks,
            )
              ? { note: 'unavailable' }
              : {}),
          }))}
          onChange={(next) => changeTo(next, modelsForTask(next)[0] ?? null)}
        />
      </PathField>
      {choices.length > 0 ? (
        <PathField label="Model" path={`${path}.model`} className="sm:col-start-2">
          <Select
            value={model !== null && isModelId(model) ? model : ''}
            placeholder="Choose"
            options={choices.map((value) => ({
              value,
              label: names.model(value),
              ...(isUnavailable(
                models?.find((each) => each.id === value),
                models,
              )
                ? { note: 'unavailable' }
                : {}),
            }))}
            onChange={(next) => isTaskId(task) && changeTo(task, next)}
          />
        </PathField>
      ) : null}
    </div>
  );
}

const taskFields = (task: TaskId, model: ModelId | null) => inputContract(task, model)?.fields ?? [];

function droppedFieldLabels(step: EditorStep, task: TaskId, model: ModelId | null): string[] {
  const before = isTaskId(step.task)
    ? taskFields(step.task, step.model !== null && isModelId(step.model) ? step.model : null)
    : [];
  const names = new Set(taskFields(task, model).map((field) => field.name));
  return Object.keys(step.input)
    .filter((name) => !names.has(name))
    .map((name) => before.find((field) => field.name === name)?.label ?? name);
}

/** Changes task or model: shared fields keep their values, required ones are suggested. */
function changeTask(
  state: EditorState,
  step: EditorStep,
  task: TaskId,
  model: ModelId | null,
  names: CatalogNames,
): EditorState {
  const fields = taskFields(task, model);
  const changed = { ...step, task, model };
  const keptValues = Object.entries(step.input).filter(([name]) => fields.some((field) => field.name === name));
  const input = { ...suggestInput(fields, state, changed), ...Object.fromEntries(keptValues) };
  const hasDefaultName = isTaskId(step.task) && step.name === names.task(step.task);
  const next = {
    ...state,
    steps: state.steps.map((each) => (each.id === step.id ? { ...changed, input } : each)),
  };
  return hasDefaultName ? renameStep(next, step.id, names.task(task)) : next;
}

/** In a new workflow the key follows as long as no expression uses it. */
function renameStep(state: EditorState, id: string, name: string): EditorState {
  const renamed = { ...state, steps: state.steps.map((step) => (step.id === id ? { ...step, name } : step)) };
  const step = renamed.steps.find((each) => each.id === id);
  if (!step || state.base !== null || findDependents(renamed, 'steps', step.key).length > 0) return renamed;
  const others = renamed.steps.filter((each) => each.id !== id).map(({ key }) => key);
  return renameEverywhere(renamed, 'steps', step.key, uniqueKey(name, others, 'step'));
}
