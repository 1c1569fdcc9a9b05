import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Plug } from 'lucide-react';
import { providerPresetsQuery, useConnectProvider } from '#web/api/queries/providers.ts';
import { buttonClass } from '#web/ui/controls/button.tsx';
import { EmptyState } from '#web/ui/display/empty-state.tsx';
import { Page } from '#web/ui/page.tsx';
import { BackLink } from '#web/ui/back-link.tsx';
import { RequireProviderAdmin } from './require-provider-admin.tsx';
import { useForm } from 'react-hook-form';
import type { ProviderPreset } from '#contract/resources/provider-preset.ts';
import { Card } from '#web/ui/display/card.tsx';
import { CredentialCard, toCredential } from './credential-card.tsx';
import { defaultValues, hasListPrice, type ProviderFormValues } from './model-choice.ts';
import { ModelChoiceForm } from './model-choice-form.tsx';
import { TextModelCard } from './text-model-card.tsx';
import { WatermarkCard } from './watermark-card.tsx';

const route = getRouteApi('/providers/connect/$preset');

export function ConnectPage() {
  const { preset: id } = route.useParams();
  const loaded = useQuery({ ...providerPresetsQuery, enabled: false }).data?.find((entry) => entry.id === id);
  return (
    <Page
      title={loaded ? `Connect ${loaded.name}` : 'Connect a provider'}
      intro={loaded?.description}
      above={<BackLink to="/providers">All providers</BackLink>}
    >
      <RequireProviderAdmin>
        {(_providers, presets) => {
          const preset = presets.find((entry) => entry.id === id);
          return preset ? <ConnectForm key={id} preset={preset} /> : <UnknownProvider />;
        }}
      </RequireProviderAdmin>
    </Page>
  );
}

const UnknownProvider = () => (
  <EmptyState
    icon={<Plug aria-hidden="true" />}
    title="This provider is not known"
    actions={
      <Link to="/providers" className={buttonClass()}>
        Show all providers
      </Link>
    }
  >
    The address may be misspelled.
  </EmptyState>
);

const COST_NOTE = 'Costs are the provider’s list prices. The cost of each job is recorded with its result.';

function ConnectForm({ preset }: { preset: ProviderPreset }) {
  const connect = useConnectProvider();
  const form = useForm<ProviderFormValues>({ defaultValues: defaultValues(preset) });
  return (
    <ModelChoiceForm
      preset={preset}
      form={form}
      noModelsMessage="Select at least one model."
      submitLabel={`Connect ${preset.name}`}
      submitIcon={<Plug aria-hidden="true" className="size-4" />}
      onSubmit={(settings, values) => connect.mutateAsync({ ...toCredential(preset, values), ...settings })}
      savedToast={{ title: `${preset.name} is connected`, detail: 'Its models are ready to use.', tone: 'good' }}
    >
      {(table) => (
        <>
          <CredentialCard preset={preset} form={form} />
          <Card title="Models and prices" description={preset.models.some(hasListPrice) ? COST_NOTE : undefined}>
            {table}
          </Card>
          <WatermarkCard preset={preset} control={form.control} />
          <TextModelCard preset={preset} control={form.control} />
        </>
      )}
    </ModelChoiceForm>
  );
}
