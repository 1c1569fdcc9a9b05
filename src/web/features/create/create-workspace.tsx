import { useNavigate } from '@tanstack/react-router';
import type { ModelId } from '#contract/ids.ts';
import { modelDescription, modelName } from '#web/api/model-names.ts';
import { effectiveContract } from '#web/forms/effective-contract.ts';
import { ModelPicker } from './model-picker.tsx';
import { type CatalogAvailability, type CreateSelection, findTaskEngine } from './create-selection.ts';
import { GenerationForm } from './generation-form.tsx';
import { transferToModel, type CreateTarget, type SwitchSummary } from './switch-model.ts';
import { ENGINE_LABELS } from '#web/forms/engine-labels.ts';
import type { InputForm } from '#web/forms/input-form.ts';
import { supportedContract } from '#web/forms/supported-contract.ts';
import { createPageLink } from '#web/api/create-page-link.ts';
import { Callout } from '#web/ui/callout.tsx';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';

const FrameOffer = lazyComponent(async () => (await import('./frame-offer.tsx')).FrameOffer);
const SwitchNotice = lazyComponent(async () => (await import('./switch-notice.tsx')).SwitchNotice);

export interface CreateWorkspaceProps {
  selection: Extract<CreateSelection, { kind: 'ready' }>;
  form: InputForm;
  catalog: CatalogAvailability & { failed: boolean };
  signed_in: boolean;
  switchSummary: SwitchSummary | null;
  onSwitchSummary: (summary: SwitchSummary | null) => void;
  onDraftReplaced: () => void;
}

export function CreateWorkspace({
  selection,
  form,
  catalog,
  signed_in,
  switchSummary,
  onSwitchSummary,
  onDraftReplaced,
}: CreateWorkspaceProps) {
  const { task, model, unavailable_reason } = selection;
  const navigate = useNavigate();
  const target = { task, model };
  const is_current = switchSummary?.target.task === task && switchSummary.target.model === model;

  const transfer = (next: ModelId) => {
    const contract = effectiveContract(task, next, catalog.models);
    const name = modelName(next, catalog.models);
    onSwitchSummary(contract ? transferToModel(target, form, { model: next, name, contract }) : null);
  };
  const switchTo = (next: ModelId) => {
    transfer(next);
    void navigate(createPageLink(task, next));
  };
  return (
    <>
      {model === null ? (
        findTaskEngine(task, null, catalog) && <EngineDescription task={task} model={null} catalog={catalog} />
      ) : (
        <section aria-label="Model" className="flex flex-col gap-2">
          <ModelPicker task={task} model={model} catalog={catalog} form={form} onSwitch={transfer} />
          <EngineDescription task={task} model={model} catalog={catalog} />
        </section>
      )}
      {unavailable_reason ? (
        <Callout tone="amber" title={unavailable_reason}>
          Your settings are kept. Choose another model or task, or ask the operator of this service.
        </Callout>
      ) : null}
      {switchSummary && is_current ? (
        <SwitchNotice summary={switchSummary} onUndone={onDraftReplaced} onClose={() => onSwitchSummary(null)} />
      ) : null}
      {task === 'video.create' &&
      model !== null &&
      !supportedContract(selection.contract).fields.some(({ group }) => group === 'frames') ? (
        <FrameOffer
          task={task}
          model={model}
          catalog={catalog}
          form={form}
          onSwitch={switchTo}
          fallback={<Skeleton className="h-28" />}
        />
      ) : null}
      <GenerationForm
        target={target}
        form={form}
        unavailable_reason={unavailable_reason}
        signed_in={signed_in}
        onSwitch={switchTo}
      />
    </>
  );
}

const SEARCH_DESCRIPTIONS = {
  preview: 'Searches sample posts on this server.',
  upstream: 'Searches the platform itself.',
} as const satisfies Record<keyof typeof ENGINE_LABELS, string>;

/** The line has its height from the start, so that the form does not move when the catalog loads. */
function EngineDescription({ task, model, catalog }: CreateTarget & { catalog: CreateWorkspaceProps['catalog'] }) {
  const engine = findTaskEngine(task, model, catalog);
  const known = model === null ? undefined : modelDescription(model, catalog.models);
  const description = known ?? (engine && ENGINE_LABELS[engine].description);
  return (
    <p className="min-h-5 text-sm text-ink-3">
      {catalog.failed ? 'The service did not respond. Some models may be unavailable.' : null}
      {engine && model === null ? SEARCH_DESCRIPTIONS[engine] : description}
    </p>
  );
}
