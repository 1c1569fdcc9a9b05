import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { ErrorDetail } from '#contract/errors.ts';
import { TASKS } from '#contract/catalog.ts';
import type { ModelId } from '#contract/ids.ts';
import { GenerateBar } from './generate-bar.tsx';
import { saveLastModel } from './last-model.ts';
import { startGenerationRun } from './start-generation-run.ts';
import type { CreateTarget } from './switch-model.ts';
import { useFieldUploads } from '#web/forms/use-field-uploads.ts';
import { detailField } from '#web/forms/field-errors.ts';
import { focusField } from '#web/forms/focus-field.ts';
import type { InputForm } from '#web/forms/input-form.ts';
import { TaskForm } from '#web/forms/task-form.tsx';
import { useCommands } from '#web/ui/commands.ts';

/** The form of a task and model; submitting it starts a generation. */
export function GenerationForm({
  place: { task, model },
  form,
  off,
  signed_in,
  onSwitch,
}: {
  place: CreateTarget;
  form: InputForm;
  off: string | null;
  signed_in: boolean;
  /** Switches to another model with the values that fit. */
  onSwitch: (model: ModelId) => void;
}) {
  const client = useQueryClient();
  const tray = useFieldUploads(form, 'create');
  const box = useRef<HTMLDivElement>(null);
  const [problem, setProblem] = useState<string | null>(null);

  const showServerErrors = (details: readonly ErrorDetail[]) => {
    const [other] = form.setServerErrors(details);
    setProblem(other?.message ?? null);
    focusFirst(new Set(details.map(detailField)));
  };
  const focusFirst = (names: ReadonlySet<string>) => {
    // The errors must be on the page before it scrolls: they take room.
    requestAnimationFrame(() => box.current && focusField(box.current, names));
  };
  const submit = async () => {
    if (!signed_in || off !== null || tray.pendingCount() > 0) return;
    setProblem(null);
    await form.submit((input) => {
      if (model) saveLastModel(task, model);
      startGenerationRun(client, { task, model, input }, showServerErrors);
      scrollToResult();
    }, focusFirst);
  };
  useCommands([{ group: 'Create', label: 'Generate', keys: 'mod+enter', run: () => void submit() }]);

  return (
    <div ref={box}>
      <TaskForm form={form} tray={tray} signed_in={signed_in} label={TASKS[task].name} onSubmit={() => void submit()}>
        <GenerateBar
          task={task}
          model={model}
          signed_in={signed_in}
          off={off}
          problem={problem}
          onSwitch={onSwitch}
          onStarted={scrollToResult}
        />
      </TaskForm>
    </div>
  );
}

/** Scrolls to the result on narrow screens, where it lies below the form. */
function scrollToResult() {
  if (window.matchMedia('(width < 64rem)').matches)
    requestAnimationFrame(() => document.getElementById('result')?.scrollIntoView({ behavior: 'smooth' }));
}
