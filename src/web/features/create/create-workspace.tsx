import { useNavigate } from '@tanstack/react-router';
import type { AnyModelId } from '#contract/ids.ts';
import { modelDescription, modelName } from '#web/api/model-names.ts';
import { effectiveContract } from '#web/forms/models/effective-contract.ts';
import { ModelPicker } from './models/model-picker.tsx';
import { type CatalogAvailability, type CreateSelection, findTaskEngine } from './create-selection.ts';
import { GenerationForm } from './generation-form.tsx';
import { transferToModel, type CreateTarget, type SwitchSummary, type UndoStep } from './models/switch-model.ts';
import type { ENGINE_LABELS } from '#web/forms/models/engine-labels.ts';
import type { InputForm } from '#web/forms/values/input-form.ts';
import { createPageLink } from '#web/api/create-page-link.ts';
import { Callout } from '#web/ui/display/callout.tsx';
import { X } from 'lucide-react';
import { deleteDraft, writeDraft } from '#web/forms/values/drafts.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { formatList } from '#web/ui/formats.ts';
import { IconButton } from '#web/ui/controls/icon-button.tsx';

export interface CreateWorkspaceProps {
  selection: Extract<CreateSelection, { kind: 'ready' }>;
  form: InputForm;
  catalog: CatalogAvailability & { failed: boolean };
  signedIn: boolean;
  switchSummary: SwitchSummary | null;
  onSwitchSummary: (summary: SwitchSummary | null) => void;
  onDraftReplaced: () => void;
}

export function CreateWorkspace({
  selection,
  form,
  catalog,
  signedIn,
  switchSummary,
  onSwitchSummary,
  onDraftReplaced,
}: CreateWorkspaceProps) {
  const { task, model, unavailable_reason } = selection;
  const navigate = useNavigate();
  const target = { task, model };
  const isCurrent = switchSummary?.target.task === task && switchSummary.target.model === model;

  const transfer = (next: AnyModelId) => {
    const contract = effectiveContract(task, next, catalog.models);
    const name = modelName(next, catalog.models);
    onSwitchSummary(contract ? transferToModel(target, form, { model: next, name, contract }) : null);
  };
  const switchTo = (next: AnyModelId) => {
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
      {switchSummary && isCurrent ? (
        <SwitchNotice summary={switchSummary} onUndone={onDraftReplaced} onClose={() => onSwitchSummary(null)} />
      ) : null}
      <GenerationForm
        target={target}
        form={form}
        unavailable_reason={unavailable_reason}
        signedIn={signedIn}
        onSwitch={switchTo}
      />
    </>
  );
}

const SEARCH_DESCRIPTIONS = {
  preview: 'Searches sample posts on this server.',
  upstream: 'Searches the platform itself.',
} as const satisfies Record<keyof typeof ENGINE_LABELS, string>;

/** What the model is best for. That it draws previews is told by its badge and once per screen. */
function EngineDescription({ task, model, catalog }: CreateTarget & { catalog: CreateWorkspaceProps['catalog'] }) {
  const engine = findTaskEngine(task, model, catalog);
  const description = model === null ? engine && SEARCH_DESCRIPTIONS[engine] : modelDescription(model, catalog.models);
  const text = catalog.failed ? 'The service did not respond. Some models may be unavailable.' : description;
  return text ? <p className="text-sm text-ink-3">{text}</p> : null;
}

function SwitchNotice({
  summary,
  onUndone,
  onClose,
}: {
  summary: SwitchSummary;
  onUndone: () => void;
  onClose: () => void;
}) {
  const navigate = useNavigate();
  const undo = ({ to, draft: { task, model, values } }: UndoStep) => {
    if (values) writeDraft(task, model, values);
    else deleteDraft(task, model);
    onClose();
    onUndone();
    void navigate({ ...createPageLink(to.task, to.model), replace: true });
  };
  const step = summary.undo;
  return (
    <div
      aria-live="polite"
      className="animate-rise rounded-md border border-line-strong bg-surface py-2 pr-2 pl-3 text-sm"
    >
      <div className="flex items-center gap-2">
        <p className="min-w-0 flex-1 font-medium">{summary.title}</p>
        {step ? (
          <Button size="sm" variant="ghost" onClick={() => undo(step)}>
            Undo
          </Button>
        ) : null}
        <IconButton size="sm" label="Close" icon={<X aria-hidden="true" className="size-4" />} onClick={onClose} />
      </div>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-0.5 pb-1 text-ink-2">
        {summary.changed.length > 0 ? (
          <>
            <dt className="text-ink-3">Changed</dt>
            <dd>{formatList(summary.changed.map(({ label, from, to }) => `${label} ${from} → ${to}`))}</dd>
          </>
        ) : null}
        {summary.dropped.length > 0 ? (
          <>
            <dt className="text-ink-3">Dropped</dt>
            <dd>{formatList(summary.dropped.map(({ label, value }) => `${label} ${value}`))}</dd>
          </>
        ) : null}
        {summary.restored.length > 0 ? (
          <>
            <dt className="text-ink-3">Restored</dt>
            <dd>{formatList(summary.restored.map(({ label, value }) => `${label} ${value}`))}</dd>
          </>
        ) : null}
        {summary.kept.length > 0 ? (
          <>
            <dt className="text-ink-3">Kept</dt>
            <dd>{formatList(summary.kept)}</dd>
          </>
        ) : null}
      </dl>
    </div>
  );
}
