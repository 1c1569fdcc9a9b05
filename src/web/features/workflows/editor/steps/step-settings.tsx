import { useQuery } from '@tanstack/react-query';
import { isTaskId } from '#contract/catalog.ts';
import type { AnyModelId, TaskId } from '#contract/ids.ts';
import { DEFAULT_MAX_ITEMS, WORKFLOW_LIMITS } from '#contract/workflows/workflow-definition.ts';
import { inputContract, isModelId, knownTasks, modelsForTask } from '#web/api/known-models.ts';
import { useCatalogNames } from '#web/api/catalog-names.ts';
import { modelsQuery, tasksQuery } from '#web/api/queries/catalog.ts';
import { NumberField } from '#web/ui/controls/number-field.tsx';
import { Select, type SelectOption } from '#web/ui/controls/select.tsx';
import { TextInput } from '#web/ui/controls/text-input.tsx';
import { useChangeWithUndo, useStarterForm } from '../editor-parts.tsx';
import { findDependents } from '../expressions.ts';
import { conditionOptions, listOptions, type Reference, suggestInput } from '../step-references.ts';
import { type StarterStep, type StarterValues, uniqueKey } from '../starter-values.ts';
import { PathField } from '../validation.tsx';
import { ReferenceChips } from './reference-chips.tsx';

interface StepSettingsProps {
  step: StarterStep;
  at: number;
  parts: StarterValues;
  references: readonly Reference[];
  isNew: boolean;
  onChange: (parts: Partial<StarterStep>) => void;
}

/** Name, task and model of a step, when it runs and how often. */
export function StepSettings({ step, at, parts, references, isNew, onChange }: StepSettingsProps) {
  const names = useCatalogNames();
  const { getValues } = useStarterForm();
  const changeWithUndo = useChangeWithUndo();
  const { data: tasks } = useQuery(tasksQuery);
  const { data: models } = useQuery(modelsQuery);
  const { name, task, model, when, for_each, max_items } = step;
  const path = `steps.${at}`;
  /** In a new workflow the key follows the name until something uses it. */
  const nameParts = (next: string): Partial<StarterStep> => {
    const values = getValues();
    if (!isNew || findDependents(values, 'steps', step.key).length > 0) return { name: next };
    const others = values.steps.filter((_, index) => index !== at).map(({ key }) => key);
    return { name: next, key: uniqueKey(next, others, 'step') };
  };
  const changeTo = (nextTask: TaskId, nextModel: AnyModelId | null) => {
    const fields = inputContract(nextTask, nextModel)?.fields ?? [];
    const isKnown = (setting: string) => fields.some((field) => field.name === setting);
    const kept = Object.entries(step.input).filter(([setting]) => isKnown(setting));
    const input = { ...suggestInput(fields, parts, at), ...Object.fromEntries(kept) };
    const hasDefaultName = isTaskId(task) && name === names.task(task);
    const change = () =>
      onChange({
        task: nextTask,
        model: nextModel,
        input,
        ...(hasDefaultName ? nameParts(names.task(nextTask)) : {}),
      });
    const dropped = Object.keys(step.input).filter((setting) => !isKnown(setting));
    if (dropped.length === 0) change();
    else changeWithUndo(`Removed settings: ${dropped.map((name) => name.replaceAll('_', ' ')).join(', ')}`, [], change);
  };
  const choices = isTaskId(task) ? modelsForTask(task) : [];
  const runs = withCustom(conditionOptions(parts), 'Always', when, 'If a condition holds');
  const repeats = withCustom(listOptions(parts, at), 'Once', for_each, 'For each item of a list');
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <PathField label="Name" path={`${path}.name`} className="sm:col-span-2">
        <TextInput value={name} onChange={(event) => onChange(nameParts(event.target.value))} />
      </PathField>
      <PathField label="Task" path={`${path}.task`}>
        <Select
          value={isTaskId(task) ? task : ''}
          placeholder="Choose"
          options={knownTasks().map((value) => availability(value, names.task(value), tasks))}
          onChange={(next) => changeTo(next, modelsForTask(next)[0] ?? null)}
        />
      </PathField>
      {choices.length > 0 ? (
        <PathField label="Model" path={`${path}.model`}>
          <Select
            value={model !== null && isModelId(model) ? model : ''}
            placeholder="Choose"
            options={choices.map((value) => availability(value, names.model(value), models))}
            onChange={(next) => isTaskId(task) && changeTo(task, next)}
          />
        </PathField>
      ) : null}
      {runs.length > 1 ? (
        <PathField label="Run" path={`${path}.when`} className="sm:col-start-1">
          <Select value={when ?? NONE} options={runs} onChange={(next) => onChange({ when: next || null })} />
        </PathField>
      ) : null}
      {repeats.length > 1 ? (
        <PathField label="Repeat" path={`${path}.for_each`}>
          <Select
            value={for_each ?? NONE}
            options={repeats}
            onChange={(next) => onChange({ for_each: next || null, ...(next ? {} : { max_items: null }) })}
          />
        </PathField>
      ) : null}
      {for_each === null ? null : (
        <PathField
          label="Maximum items"
          optional
          group={typeof max_items === 'string'}
          hint="Only the first items run."
          path={`${path}.max_items`}
        >
          {typeof max_items === 'string' ? (
            <ReferenceChips
              label="Maximum items"
              items={[max_items]}
              references={references}
              onRemove={() => onChange({ max_items: null })}
            />
          ) : (
            <NumberField
              value={max_items}
              min={1}
              max={WORKFLOW_LIMITS.items}
              placeholder={String(DEFAULT_MAX_ITEMS)}
              unit="items"
              onChange={(value) => onChange({ max_items: value })}
            />
          )}
        </PathField>
      )}
    </div>
  );
}

const NONE = '';

/** Adds the first option, and one for an expression of its own, which Advanced shows. */
function withCustom(
  options: readonly SelectOption<string>[],
  none: string,
  value: string | null,
  custom: string,
): SelectOption<string>[] {
  const isCustom = value !== null && !options.some((option) => option.value === value);
  return [{ value: NONE, label: none }, ...options, ...(isCustom ? [{ value, label: custom }] : [])];
}

function availability<T extends string>(
  value: T,
  label: string,
  listed: readonly { id: string; available: boolean }[] | undefined,
): SelectOption<T> {
  const isUnavailable = listed !== undefined && !listed.find(({ id }) => id === value)?.available;
  return { value, label, ...(isUnavailable ? { note: 'unavailable' } : {}) };
}
