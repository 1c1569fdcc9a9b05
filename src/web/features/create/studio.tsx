import { useNavigate } from '@tanstack/react-router';
import type { ModelId } from '#contract/ids.ts';
import { ModelPicker } from './model-picker.tsx';
import { type Catalog, type Choice, engineOf } from './offer.ts';
import { StudioForm } from './studio-form.tsx';
import { carryToModel, type Place, restoreDraft, type SwitchNote } from './switch-model.ts';
import { SwitchNotice } from './switch-notice.tsx';
import { ENGINE_WORDS } from '#web/forms/engine-words.ts';
import type { FormState } from '#web/forms/form-state.ts';
import { createAddress } from '#web/shell/create-address.ts';
import { Callout } from '#web/ui/callout.tsx';

export interface StudioProps {
  choice: Extract<Choice, { kind: 'ready' }>;
  form: FormState;
  catalog: Catalog & { failed: boolean };
  signed_in: boolean;
  note: SwitchNote | null;
  onNote: (note: SwitchNote | null) => void;
  /** The draft was written from outside of the form. */
  onRevise: () => void;
}

/** A task and model with its form. Going to another model takes along what fits. */
export function Studio({ choice, form, catalog, signed_in, note, onNote, onRevise }: StudioProps) {
  const { task, model, off } = choice;
  const navigate = useNavigate();
  const place = { task, model };
  const shown = note && note.at.task === task && note.at.model === model ? note : null;

  const undo = () => {
    if (!note?.undo) return;
    const { to } = note.undo;
    restoreDraft(note.undo);
    onNote(null);
    onRevise();
    void navigate({ ...createAddress(to.task, to.model), replace: true });
  };
  const switchTo = (next: ModelId) => {
    onNote(carryToModel(place, form, next));
    void navigate(createAddress(task, next));
  };
  return (
    <>
      {model === null ? (
        engineOf(task, null, catalog) && <EngineRemark task={task} model={null} catalog={catalog} />
      ) : (
        <section aria-label="Model" className="flex flex-col gap-2">
          <ModelPicker
            task={task}
            model={model}
            catalog={catalog}
            onSwitch={(next) => onNote(carryToModel(place, form, next))}
          />
          <EngineRemark task={task} model={model} catalog={catalog} />
        </section>
      )}
      {off ? (
        <Callout tone="amber" title={off}>
          Your settings are kept. Choose something else above, or ask the operator of this service.
        </Callout>
      ) : null}
      {shown ? <SwitchNotice note={shown} onUndo={undo} onClose={() => onNote(null)} /> : null}
      <StudioForm place={place} form={form} off={off} signed_in={signed_in} onSwitch={switchTo} />
    </>
  );
}

/** The same for what is found rather than made. */
const SEARCH_WORDS = {
  preview: 'Searches a few sample posts on this computer.',
  upstream: 'Searches the platform itself.',
} as const satisfies Record<keyof typeof ENGINE_WORDS, string>;

/** Where what is made comes from; a line of its own from the start, so that nothing moves when the service has answered. */
function EngineRemark({ task, model, catalog }: Place & { catalog: StudioProps['catalog'] }) {
  const engine = engineOf(task, model, catalog);
  return (
    <p className="min-h-5 text-sm text-ink-3">
      {catalog.failed ? 'The service did not answer. Some models may be unavailable.' : null}
      {engine ? (model === null ? SEARCH_WORDS[engine] : ENGINE_WORDS[engine].sentence) : null}
    </p>
  );
}
