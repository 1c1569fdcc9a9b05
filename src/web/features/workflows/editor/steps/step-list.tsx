import { Plus } from 'lucide-react';
import { useState } from 'react';
import { inputContract, isModelId, modelsForTask } from '#contract/catalog.ts';
import { TASK_IDS, type TaskId } from '#contract/ids.ts';
import { useCatalogNames } from '#web/api/catalog-names.ts';
import { Button } from '#web/ui/button.tsx';
import { ErrorText } from '#web/ui/field.tsx';
import { Menu, MenuItem } from '#web/ui/menu.tsx';
import { TASK_ICONS } from '../../steps/task-icons.ts';
import { useEditor, useEditorState, useProblems } from '../editor-context.ts';
import { EditorSection } from '../editor-frame.tsx';
import { type EditorState, type EditorStep, uniqueKey, nextPartId } from '../editor-state.ts';
import { suggestInput } from './source-options.ts';
import { StepCard } from './step-card.tsx';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';

const StepsPreview = lazyComponent(async () => (await import('./steps-preview.tsx')).StepsPreview);

const MAX_INITIALLY_OPEN = 3;

export function StepList() {
  const names = useCatalogNames();
  const editor = useEditor();
  const steps = useEditorState((state) => state.steps);
  const problems = useProblems('steps').filter(({ path }) => path === 'steps');
  const [open, setOpen] = useState<ReadonlySet<string>>(
    () =>
      new Set(steps.length <= MAX_INITIALLY_OPEN ? steps.map(({ id }) => id) : steps.slice(0, 1).map(({ id }) => id)),
  );
  const show = (id: string, on: boolean) =>
    setOpen((ids) => (on ? new Set(ids).add(id) : new Set([...ids].filter((each) => each !== id))));
  const add = (task: TaskId) =>
    editor.change((state) => {
      const added = addStep(state, task, names.task(task));
      const last = added.steps.at(-1);
      if (last) show(last.id, true);
      return added;
    });
  return (
    <EditorSection
      title="Steps"
      intro="Each step runs one task, or one per item of a list. Independent steps run in parallel."
      path="steps"
    >
      <StepsPreview
        fallback={steps.length < 2 ? null : <Skeleton className="h-24" />}
        onOpen={(id) => {
          show(id, true);
          requestAnimationFrame(() => document.getElementById(`step-${id}`)?.scrollIntoView({ block: 'start' }));
        }}
      />
      <ol aria-label="Steps" className="flex flex-col gap-3">
        {steps.map((step, at) => (
          <li key={step.id} id={`step-${step.id}`} className="scroll-mt-4">
            <StepCard
              step={step}
              at={at}
              count={steps.length}
              isOpen={open.has(step.id)}
              onToggle={() => show(step.id, !open.has(step.id))}
            />
          </li>
        ))}
      </ol>
      {problems.map(({ message }) => (
        <ErrorText key={message}>{message}</ErrorText>
      ))}
      <Menu
        label="Step task"
        align="start"
        renderTrigger={(props) => (
          <Button {...props} className="self-start" icon={<Plus aria-hidden="true" className="size-4" />}>
            Add step
          </Button>
        )}
      >
        {TASK_IDS.map((task) => {
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

function addStep(state: EditorState, task: TaskId, name: string): EditorState {
  const { id, last_id } = nextPartId(state);
  const lastModel = state.steps.findLast((step) => step.task === task)?.model;
  const model = lastModel && isModelId(lastModel) ? lastModel : (modelsForTask(task)[0] ?? null);
  const keys = state.steps.map(({ key }) => key);
  const step: EditorStep = {
    id,
    key: uniqueKey(name, keys, 'step'),
    name,
    task,
    model,
    needs: [],
    when: null,
    for_each: null,
    max_items: null,
    input: {},
  };
  const added = { ...state, last_id, steps: [...state.steps, step] };
  const input = suggestInput(inputContract(task, model)?.fields ?? [], added, step);
  return { ...added, steps: [...state.steps, { ...step, input }] };
}
