import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useFieldArray, useWatch } from 'react-hook-form';
import { isTaskId } from '#contract/catalog.ts';
import type { TaskId } from '#contract/ids.ts';
import { inputContract, isModelId, knownTasks, modelsForTask } from '#web/api/known-models.ts';
import { useCatalogNames } from '#web/api/catalog-names.ts';
import { Badge } from '#web/ui/display/badge.tsx';
import { Button } from '#web/ui/controls/button.tsx';
import { formatList } from '#web/ui/formats.ts';
import { Menu, MenuItem } from '#web/ui/overlays/menu.tsx';
import { TASK_ICONS } from '../../steps/task-icons.ts';
import { type CardProps, EditorSection, PartCard, useChangeWithUndo, useStarterForm } from '../editor-parts.tsx';
import { findDependents, requiredStepKeys } from '../expressions.ts';
import { suggestInput } from '../step-references.ts';
import { type StarterStep, type StarterValues, uniqueKey } from '../starter-values.ts';
import { OtherProblems } from '../validation.tsx';
import { StepBody } from './step-body.tsx';

const MAX_INITIALLY_OPEN = 3;

export function StepList({ isNew }: { isNew: boolean }) {
  const names = useCatalogNames();
  const { control, getValues } = useStarterForm();
  const { fields, append, insert, move, remove } = useFieldArray({ control, name: 'steps' });
  const changeWithUndo = useChangeWithUndo();
  const [initialCount] = useState(fields.length);
  const [addedKey, setAddedKey] = useState<string | null>(null);
  const add = (task: TaskId) => {
    const { inputs, steps } = getValues();
    const step = createStep(steps, task, names.task(task));
    const contract = inputContract(task, step.model !== null && isModelId(step.model) ? step.model : null);
    const input = suggestInput(contract?.fields ?? [], { inputs, steps: [...steps, step] }, steps.length);
    setAddedKey(step.key);
    append({ ...step, input }, { shouldFocus: false });
  };
  const duplicate = (at: number) => {
    const { steps } = getValues();
    const step = steps[at];
    if (!step) return;
    const keys = steps.map(({ key }) => key);
    const copy = { ...step, key: uniqueKey(step.key, keys, 'step'), name: `${step.name} (copy)`.slice(0, 80) };
    insert(at + 1, copy, { shouldFocus: false });
  };
  const removeStep = (at: number) => {
    const values = getValues();
    const { key = '', name = '' } = values.steps[at] ?? {};
    changeWithUndo(`“${name || key}” deleted`, findDependents(values, 'steps', key), () => remove(at));
  };
  return (
    <EditorSection
      title="Steps"
      intro="Each step runs one task, or one per item of a list. Independent steps run in parallel."
      path="steps"
    >
      <ol aria-label="Steps" className="flex flex-col gap-3">
        {fields.map(({ id, key }, at) => (
          <li key={id}>
            <StepCard
              at={at}
              count={fields.length}
              isNew={isNew}
              isInitiallyOpen={key === addedKey || initialCount <= MAX_INITIALLY_OPEN || at === 0}
              onMove={move}
              onDuplicate={() => duplicate(at)}
              onDelete={() => removeStep(at)}
            />
          </li>
        ))}
      </ol>
      <OtherProblems path="steps" shown={fields.map((_, at) => String(at))} />
      <Menu
        label="Step task"
        align="start"
        renderTrigger={(props) => (
          <Button {...props} className="self-start" icon={<Plus aria-hidden="true" className="size-4" />}>
            Add step
          </Button>
        )}
      >
        {knownTasks().map((task) => {
          const Icon = TASK_ICONS[task];
          return (
            <MenuItem key={task} icon={<Icon aria-hidden="true" />} onSelect={() => add(task)}>
              {names.task(task)}
            </MenuItem>
          );
        })}
      </Menu>
    </EditorSection>
  );
}

function createStep(steps: readonly StarterStep[], task: TaskId, name: string): StarterStep {
  const lastModel = steps.findLast((step) => step.task === task)?.model;
  return {
    key: uniqueKey(
      name,
      steps.map(({ key }) => key),
      'step',
    ),
    name,
    task,
    model: lastModel && isModelId(lastModel) ? lastModel : (modelsForTask(task)[0] ?? null),
    needs: [],
    when: null,
    for_each: null,
    max_items: null,
    input: {},
  };
}

function StepCard({ at, isNew, ...card }: CardProps & { isNew: boolean }) {
  const names = useCatalogNames();
  const steps = useWatch<StarterValues, 'steps'>({ name: 'steps' });
  const step = steps[at];
  if (!step) return null;
  const { key, name, task, model, when, for_each } = step;
  const Icon = isTaskId(task) ? TASK_ICONS[task] : null;
  const required = new Set(requiredStepKeys(steps, step));
  const waitsFor = steps.filter((each) => required.has(each.key)).map((each) => each.name || each.key);
  const subtitle = [
    isTaskId(task) ? names.task(task) : task,
    model && isModelId(model) ? names.model(model) : model,
    waitsFor.length > 0 ? `after ${formatList(waitsFor)}` : null,
  ];
  return (
    <PartCard
      {...card}
      at={at}
      path={`steps.${at}`}
      title={name || key || 'Step'}
      subtitle={subtitle.filter(Boolean).join(' · ')}
      icon={
        <>
          <span className="w-4 flex-none text-right text-sm text-ink-3 tabular-nums">{at + 1}</span>
          {Icon ? <Icon aria-hidden="true" className="size-4.5 flex-none stroke-[1.5] text-ink-3" /> : null}
        </>
      }
      badges={
        <>
          {for_each === null ? null : <Badge>Repeats</Badge>}
          {when === null ? null : <Badge>Optional</Badge>}
        </>
      }
    >
      <StepBody at={at} isNew={isNew} />
    </PartCard>
  );
}
