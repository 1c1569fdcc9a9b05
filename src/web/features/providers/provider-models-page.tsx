import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Plug } from 'lucide-react';
import { useForm } from 'react-hook-form';
import type { Provider } from '#contract/resources/provider.ts';
import type { ProviderPreset } from '#contract/resources/provider-preset.ts';
import { providersQuery, useUpdateProvider } from '#web/api/queries/providers.ts';
import { EmptyState } from '#web/ui/display/empty-state.tsx';
import { Page } from '#web/ui/page.tsx';
import { BackLink } from '#web/ui/back-link.tsx';
import { defaultValues, type ProviderFormValues } from './model-choice.ts';
import { ModelChoiceForm } from './model-choice-form.tsx';
import { TextModelCard } from './text-model-card.tsx';
import { RequireProviderAdmin } from './require-provider-admin.tsx';
import { WatermarkCard } from './watermark-card.tsx';

const route = getRouteApi('/providers/$provider/models');

export function ProviderModelsPage() {
  const { provider: id } = route.useParams();
  const loaded = useQuery({ ...providersQuery, enabled: false }).data?.find((entry) => entry.id === id);
  return (
    <Page
      title={loaded ? `Models and prices of ${loaded.name}` : 'Models and prices'}
      intro="Changes apply to new requests. Running jobs finish as they started."
      above={<BackLink to="/providers">All providers</BackLink>}
    >
      <RequireProviderAdmin>
        {(providers, presets) => {
          const provider = providers.find((entry) => entry.id === id);
          const preset = presets.find((entry) => entry.id === provider?.provider);
          return provider && preset ? (
            <ModelsForm key={id} provider={provider} preset={preset} />
          ) : (
            <EmptyState icon={<Plug aria-hidden="true" />} title="This provider is not connected">
              It may have been disconnected in the meantime.
            </EmptyState>
          );
        }}
      </RequireProviderAdmin>
    </Page>
  );
}

function ModelsForm({ provider, preset }: { provider: Provider; preset: ProviderPreset }) {
  const update = useUpdateProvider();
  const form = useForm<ProviderFormValues>({ defaultValues: defaultValues(preset, provider) });
  return (
    <ModelChoiceForm
      preset={preset}
      provider={provider}
      form={form}
      noModelsMessage="Select at least one model, or pause the provider."
      submitLabel="Save"
      onSubmit={(settings) => update.mutateAsync({ id: provider.id, ...settings })}
      savedToast={{ title: 'Models and prices are saved', tone: 'good' }}
    >
      {(table) => (
        <>
          {table}
          <WatermarkCard preset={preset} control={form.control} />
          <TextModelCard preset={preset} control={form.control} />
        </>
      )}
    </ModelChoiceForm>
  );
}
