import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { TASKS } from '#contract/catalog.ts';
import type { TaskId } from '#contract/ids.ts';
import { lastModel } from '#web/features/create/last-model.ts';
import { ModelPicker } from '#web/features/create/model-picker.tsx';
import { unitPriceWords } from '#web/features/create/model-words.ts';
import { type Catalog, type Choice, chooseFrom } from '#web/features/create/offer.ts';
import { StudioForm } from '#web/features/create/studio-form.tsx';
import { carryToModel, carryToTask, type SwitchNote } from '#web/features/create/switch-model.ts';
import { SwitchNotice } from '#web/features/create/switch-notice.tsx';
import { TaskPicker } from '#web/features/create/task-picker.tsx';
import { readDraft, writeDraft } from '#web/forms/drafts.ts';
import { createFormState } from '#web/forms/form-state.ts';
import { initialValues } from '#web/forms/input-values.ts';
import { localOrigin } from '#web/forms/media-info.ts';
import { Callout } from '#web/ui/callout.tsx';

export interface StudioProps {
  choice: Extract<Choice, { kind: 'ready' }>;
  catalog: Catalog & { failed: boolean };
  signed_in: boolean;
  note: SwitchNote | null;
  onNote: (note: SwitchNote | null) => void;
  /** Goes up where the draft was written from outside of the form. */
  revision: number;
  onRevise: () => void;
}

/** A task and model with its form. Going to another takes along what fits. */
export function Studio({ choice, catalog, signed_in, note, onNote, revision, onRevise }: StudioProps) {
  const { task, model, contract, off } = choice;
  const navigate = useNavigate();
  const form = useMemo(
    () => createFormState(contract, readDraft(task, model, contract) ?? initialValues(contract), localOrigin),
    // The draft is read anew where the revision says that it changed.
    // oxlint-disable-next-line react/exhaustive-deps
    [task, model, contract, revision],
  );
  const place = { task, model };
  const shown = note && note.at.task === task && note.at.model === model ? note : null;

  const leaveFor = (next: TaskId) => {
    const target = chooseFrom({ task: next }, catalog, lastModel);
    if (target.kind === 'ready' && next !== task) carryToTask(form, target);
    onNote(null);
  };
  const undo = () => {
    if (!note?.back) return;
    const { task: back_task, model: back_model, values } = note.back;
    writeDraft(back_task, back_model, values);
    onNote(null);
    onRevise();
    void navigate({
      to: '/create/{-$task}/{-$model}',
      params: { task: back_task, model: back_model ?? undefined },
      replace: true,
    });
  };
  return (
    <>
      <TaskPicker task={task} catalog={catalog} onLeave={leaveFor} />
      <section aria-label="Model" className="flex flex-col gap-2">
        <p className="text-sm text-ink-3">
          {TASKS[task].description}
          {model === null ? ` ${unitPriceWords(task, null)}.` : ''}
        </p>
        {model === null ? null : (
          <ModelPicker
            task={task}
            model={model}
            catalog={catalog}
            onSwitch={(next) => onNote(carryToModel(place, form, next))}
          />
        )}
        <EngineRemark choice={choice} catalog={catalog} />
      </section>
      {off ? (
        <Callout tone="amber" title={off}>
          What you fill in is kept. Choose something else above, or ask whoever runs this service.
        </Callout>
      ) : null}
      {shown ? <SwitchNotice note={shown} onUndo={undo} onClose={() => onNote(null)} /> : null}
      <StudioForm place={place} form={form} off={off} signed_in={signed_in} />
    </>
  );
}

/** Where what is made comes from, when that is not what a person would think. */
function EngineRemark({
  choice: { model },
  catalog,
}: {
  choice: StudioProps['choice'];
  catalog: StudioProps['catalog'];
}) {
  if (catalog.failed)
    return (
      <p className="text-sm text-ink-3">
        The service could not say what it offers right now. The list is complete, but some of it may be switched off.
      </p>
    );
  if (model === null || catalog.models?.find(({ id }) => id === model)?.engine !== 'preview') return null;
  return (
    <p className="text-sm text-ink-3">
      <span className="font-medium text-ink-2">Preview:</span> drawn on this machine from your words, without an AI
      model.
    </p>
  );
}
