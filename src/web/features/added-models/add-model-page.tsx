import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import type { ModelInspection, ModelProvider, ModelSource } from '#contract/resources/added-model.ts';
import { ApiError } from '#web/api/api-errors.ts';
import { inspectionQuery, modelProvidersQuery } from '#web/api/queries/added-models.ts';
import { localServiceOrigin } from '#web/api/reference-info.ts';
import { createInputForm } from '#web/forms/values/input-form.ts';
import { BackLink } from '#web/ui/back-link.tsx';
import { Button } from '#web/ui/controls/button.tsx';
import { Callout } from '#web/ui/display/callout.tsx';
import { Card } from '#web/ui/display/card.tsx';
import { Page } from '#web/ui/page.tsx';
import { Refreshing } from '#web/ui/display/refreshing.tsx';
import { Skeleton } from '#web/ui/display/skeleton.tsx';
import { type ConfirmedValues, readFormDraft, saveFormDraft, useAddDraft } from './add-draft.ts';
import { ComfyInputs } from './comfy-inputs.tsx';
import { ConfirmCard } from './cards/confirm-card.tsx';
import type { FormErrors } from './cards/confirm-values.ts';
import { FieldKinds, FormNotes, FormPreview, ProviderPageLink, TwoCardsSkeleton } from './form-preview.tsx';
import { NoProviders } from './no-providers.tsx';
import { RequireModelAdmin } from './require-model-admin.tsx';
import { SourceCard, takesWorkflow } from './cards/source-card.tsx';

export function AddModelPage() {
  return (
    <Page
      title="Add a model"
      intro="Paste the address of a model, check its form and its price, then test and publish it."
      above={<BackLink to="/added-models">Added models</BackLink>}
    >
      <RequireModelAdmin
        query={modelProvidersQuery}
        what="Your providers"
        skeleton={<Skeleton className="h-48 w-full" />}
      >
        {(providers) => (providers.length === 0 ? <NoProviders /> : <AddModel providers={providers} />)}
      </RequireModelAdmin>
    </Page>
  );
}

const SOURCE_FIELDS = ['provider_id', 'address', 'workflow', 'kind', 'inputs'];

/** Errors of an inspection at what was entered. */
function sourceErrors(error: unknown): FormErrors {
  const details = error instanceof ApiError ? error.details : [];
  return Object.fromEntries(
    details.flatMap(({ path, message }) => {
      const field = path.split('.')[0] ?? '';
      return SOURCE_FIELDS.includes(field) ? [[field, message]] : [];
    }),
  );
}

function AddModel({ providers }: { providers: readonly ModelProvider[] }) {
  const { draft, change, clear } = useAddDraft();
  const provider = providers.find(({ id }) => id === draft.providerId) ?? (providers[0] as ModelProvider);
  const { source } = draft;
  const inspection = useQuery({
    ...inspectionQuery(source ?? { provider_id: '', address: '', overrides: {} }),
    enabled: source !== null,
  });
  const inspect = (next: ModelSource) => {
    const isOther = next.address !== source?.address || next.provider_id !== source.provider_id;
    if (!isOther && JSON.stringify(next) === JSON.stringify(source)) void inspection.refetch();
    change({ source: next, ...(isOther ? { confirmed: {} } : {}) });
  };
  const errors = sourceErrors(inspection.error);
  const isPlaced = Object.keys(errors).length > 0;
  const data = inspection.error || source === null ? undefined : inspection.data;
  return (
    <div className="flex flex-col gap-4">
      <SourceCard
        providers={providers}
        provider={provider}
        draft={draft}
        errors={errors}
        isLoading={inspection.isFetching}
        onChange={change}
        onInspect={inspect}
      />
      {inspection.error && !isPlaced ? (
        <Callout
          tone="bad"
          title="The form can’t be shown"
          action={
            <Button size="sm" busy={inspection.isFetching} onClick={() => void inspection.refetch()}>
              Try again
            </Button>
          }
        >
          {inspection.error.message} What you entered is still here.
        </Callout>
      ) : null}
      {data && source ? (
        <Refreshing active={inspection.isPlaceholderData}>
          <InspectedModel
            inspection={data}
            source={source}
            confirmed={draft.confirmed}
            isLoading={inspection.isFetching}
            onSource={inspect}
            onConfirmed={(confirmed) => change({ confirmed })}
            onInspectAgain={() => void inspection.refetch()}
            onAdded={clear}
          />
        </Refreshing>
      ) : inspection.isFetching ? (
        <TwoCardsSkeleton label="Loading the form" />
      ) : null}
    </div>
  );
}

interface InspectedModelProps {
  inspection: ModelInspection;
  source: ModelSource;
  confirmed: Partial<ConfirmedValues>;
  isLoading: boolean;
  onSource: (source: ModelSource) => void;
  onConfirmed: (confirmed: Partial<ConfirmedValues>) => void;
  onInspectAgain: () => void;
  onAdded: () => void;
}

function InspectedModel(props: InspectedModelProps) {
  const { inspection, source, confirmed, isLoading, onSource, onConfirmed, onInspectAgain, onAdded } = props;
  const { contract, name, page_url, is_deprecated, output } = inspection;
  const form = useMemo(() => createInputForm(contract, readFormDraft(contract), localServiceOrigin), [contract]);
  useEffect(() => form.subscribe(() => saveFormDraft(form.values())), [form]);
  const isWorkflow = takesWorkflow(inspection);
  return (
    <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]">
      <Card
        title="The form that people will see"
        description={describeOutput(output)}
        actions={<ProviderPageLink url={page_url} />}
      >
        <div className="flex flex-col gap-5">
          {is_deprecated ? (
            <Callout tone="amber" title="The provider will remove this model">
              It is marked as deprecated. Choose a newer one where you can.
            </Callout>
          ) : null}
          <FormPreview form={form} name={name} uploadsName="add-model" />
          <div className="flex flex-col gap-2 border-t border-line pt-3 empty:hidden">
            <FormNotes {...inspection} />
            {isWorkflow ? (
              <ComfyInputs
                key={JSON.stringify(inspection.inputs)}
                inspection={inspection}
                isLoading={isLoading}
                onChange={(inputs) => onSource({ ...source, inputs })}
              />
            ) : (
              <FieldKinds
                contract={contract}
                overrides={source.overrides}
                onChange={(overrides) => onSource({ ...source, overrides })}
              />
            )}
          </div>
        </div>
      </Card>
      <ConfirmCard
        inspection={inspection}
        source={source}
        form={form}
        confirmed={confirmed}
        onConfirmed={onConfirmed}
        onInspectAgain={onInspectAgain}
        onAdded={onAdded}
      />
    </div>
  );
}

const OUTPUT_NOUNS = { image: 'images', video: 'videos', audio: 'audio', file: 'other files' };

function describeOutput({ files, has_data }: ModelInspection['output']): string {
  const kinds = [...new Set(files.map(({ kind }) => (kind === null ? 'files' : OUTPUT_NOUNS[kind])))];
  const made = [...kinds, ...(has_data ? ['data'] : [])];
  return made.length === 0
    ? 'Try it out: the price follows.'
    : `Makes ${made.join(', ')}. Try it out: the price follows.`;
}
