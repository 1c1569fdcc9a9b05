import { useQueryClient } from '@tanstack/react-query';
import { type ComponentProps, useMemo, useRef, useState } from 'react';
import type { ErrorDetail } from '#contract/api/errors.ts';
import type { AnyModelId } from '#contract/ids.ts';
import { useCatalogNames } from '#web/api/catalog-names.ts';
import { GenerateBar } from './generate-bar.tsx';
import { scrollToResult } from './orders/scroll-to-result.ts';
import { saveLastModel } from '#web/api/last-model.ts';
import { startOrder, startTogether } from './orders/pending-orders.ts';
import type { CreateTarget } from './models/switch-model.ts';
import { useFieldUploads } from '#web/forms/use-field-uploads.ts';
import { detailField } from '#web/forms/values/field-errors.ts';
import { focusPending } from '#web/forms/focus-pending.ts';
import { focusField } from '#web/forms/focus-field.ts';
import type { InputForm } from '#web/forms/values/input-form.ts';
import { TaskForm } from '#web/forms/task-form.tsx';
import { showTagProblems } from '#web/forms/tags/tag-problems.ts';
import { createVariations, variationCount } from './variations/variation-count.ts';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { useCommands } from '#web/ui/hooks/commands.ts';

const TagFields = lazyComponent(async () => (await import('#web/forms/tags/tag-fields.tsx')).TagFields);

const LazyPromptTools = lazyComponent(async () => (await import('./prompt-help/prompt-tools.tsx')).PromptTools);
const PromptTools = (props: ComponentProps<typeof LazyPromptTools>) => (
  <LazyPromptTools {...props} fallback={<div className="h-8" />} />
);

export function GenerationForm({
  target: { task, model },
  form,
  unavailable_reason,
  signedIn,
  onSwitch,
}: {
  target: CreateTarget;
  form: InputForm;
  unavailable_reason: string | null;
  signedIn: boolean;
  onSwitch: (model: AnyModelId) => void;
}) {
  const client = useQueryClient();
  const names = useCatalogNames();
  const uploads = useFieldUploads(form, 'create');
  const container = useRef<HTMLDivElement>(null);
  const [problem, setProblem] = useState<string | null>(null);

  const showServerErrors = (details: readonly ErrorDetail[]) => {
    const [formError] = form.setServerErrors(showTagProblems(details));
    setProblem(formError?.message ?? null);
    focusFirst(new Set(details.map(detailField)));
  };
  const focusFirst = (names: ReadonlySet<string>) => {
    // The errors take room, so they must be rendered before the page scrolls.
    requestAnimationFrame(() => container.current && focusField(container.current, names));
  };
  const submit = async () => {
    if (!signedIn || unavailable_reason !== null || uploads.pendingCount() > 0) return;
    if (focusPending(container.current)) return;
    setProblem(null);
    await form.submit((input) => {
      if (model) saveLastModel(task, model);
      const count = variationCount(task, model);
      const order = { task, model, input };
      if (count > 1) startTogether(client, createVariations(order, count), { onInvalid: showServerErrors });
      else startOrder(client, order, { onInvalid: showServerErrors });
      scrollToResult();
    }, focusFirst);
  };
  useCommands([{ group: 'Create', label: 'Generate', keys: 'mod+enter', run: () => void submit() }]);

  const promptTools = useMemo(() => ({ Component: PromptTools, target: { task, model } }), [task, model]);
  return (
    <div ref={container} className="flex flex-1 flex-col">
      <TaskForm
        form={form}
        uploads={uploads}
        signedIn={signedIn}
        label={names.task(task)}
        promptTools={promptTools}
        onSubmit={() => void submit()}
      >
        {signedIn ? <TagFields /> : null}
        <GenerateBar
          task={task}
          model={model}
          signedIn={signedIn}
          unavailable_reason={unavailable_reason}
          problem={problem}
          onSwitch={onSwitch}
          onStarted={scrollToResult}
        />
      </TaskForm>
    </div>
  );
}
