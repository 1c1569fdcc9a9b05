import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { Plug } from 'lucide-react';
import { type Control, useForm } from 'react-hook-form';
import type { ProviderPreset } from '#contract/resources/provider.ts';
import { providerPresetsQuery, useConnectProvider } from '#web/api/queries/providers.ts';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { ErrorText } from '#web/ui/field.tsx';
import { Page } from '#web/ui/page.tsx';
import { showToast } from '#web/ui/toast-store.ts';
import { BackToProvidersLink } from './back-to-providers-link.tsx';
import { type ConnectValues, CredentialCard, toCredential } from './credential-card.tsx';
import { defaultChoices, type ModelChoiceValues, toModelChoices } from './model-choice.ts';
import { ModelTable } from './model-table.tsx';
import { RequireProviderAdmin } from './require-provider-admin.tsx';
import { showRequestErrors } from './show-request-errors.ts';

const route = getRouteApi('/providers/connect/$preset');

export function ConnectPage() {
  const { preset: id } = route.useParams();
  const loaded = useQuery({ ...providerPresetsQuery, enabled: false }).data?.find((entry) => entry.id === id);
  return (
    <Page
      title={loaded ? `Connect ${loaded.name}` : 'Connect a provider'}
      intro={loaded?.description}
      above={<BackToProvidersLink />}
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

function ConnectForm({ preset }: { preset: ProviderPreset }) {
  const navigate = useNavigate();
  const connect = useConnectProvider();
  const form = useForm<ConnectValues>({
    defaultValues: {
      key: '',
      key_source: preset.environment_key === null ? 'typed' : 'environment',
      address: '',
      ...defaultChoices(preset),
    },
  });
  const { errors, isSubmitting } = form.formState;
  const submit = form.handleSubmit(async (values) => {
    const models = toModelChoices(preset, values);
    if (models.length === 0) {
      form.setError('root.models', { type: 'required', message: 'Select at least one model.' });
      return;
    }
    try {
      await connect.mutateAsync({ ...toCredential(preset, values), models });
    } catch (error) {
      showRequestErrors(form, ['key', 'address'], error);
      return;
    }
    showToast({ title: `${preset.name} is connected`, detail: 'Its models are ready to use.', tone: 'good' });
    void navigate({ to: '/providers' });
  });
  return (
    <form noValidate className="flex max-w-4xl flex-col gap-4" onSubmit={(event) => void submit(event)}>
      <CredentialCard preset={preset} form={form} />
      <Card
        title="Models and prices"
        description="Costs are the provider’s list prices. The cost of each job is recorded with its result."
      >
        <ModelTable
          preset={preset}
          // The table reads and writes the fields of ModelChoiceValues only.
          control={form.control as unknown as Control<ModelChoiceValues>}
          error={errors.root?.['models']?.message}
          onSelect={(selected) => form.setValue('selected', selected)}
        />
      </Card>
      <div role="alert" className="empty:-mt-4">
        <ErrorText>{errors.root?.['server']?.message}</ErrorText>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button
          type="submit"
          variant="primary"
          busy={isSubmitting}
          icon={<Plug aria-hidden="true" className="size-4" />}
        >
          Connect {preset.name}
        </Button>
        <Link to="/providers" className={buttonClass()}>
          Cancel
        </Link>
      </div>
    </form>
  );
}
