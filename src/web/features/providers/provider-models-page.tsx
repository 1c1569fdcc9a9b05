import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { Plug } from 'lucide-react';
import { useForm } from 'react-hook-form';
import type { Provider, ProviderPreset } from '#contract/resources/provider.ts';
import { providersQuery, useUpdateProvider } from '#web/api/queries/providers.ts';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { ErrorText } from '#web/ui/field.tsx';
import { Page } from '#web/ui/page.tsx';
import { showToast } from '#web/ui/toast-store.ts';
import { BackToProvidersLink } from './back-to-providers-link.tsx';
import { defaultChoices, type ModelChoiceValues, toModelChoices } from './model-choice.ts';
import { ModelTable } from './model-table.tsx';
import { RequireProviderAdmin } from './require-provider-admin.tsx';
import { showRequestErrors } from './show-request-errors.ts';

const route = getRouteApi('/providers/$provider/models');

export function ProviderModelsPage() {
  const { provider: id } = route.useParams();
  const loaded = useQuery({ ...providersQuery, enabled: false }).data?.find((entry) => entry.id === id);
  return (
    <Page
      title={loaded ? `Models and prices of ${loaded.name}` : 'Models and prices'}
      intro="Changes apply to new requests. Running jobs finish as they started."
      above={<BackToProvidersLink />}
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
  const navigate = useNavigate();
  const update = useUpdateProvider();
  const form = useForm<ModelChoiceValues>({ defaultValues: defaultChoices(preset, provider) });
  const { errors, isSubmitting } = form.formState;
  const submit = form.handleSubmit(async (values) => {
    const models = toModelChoices(preset, values);
    if (models.length === 0) {
      form.setError('root.models', { type: 'required', message: 'Select at least one model, or pause the provider.' });
      return;
    }
    try {
      await update.mutateAsync({ id: provider.id, models });
    } catch (error) {
      showRequestErrors(form, [], error);
      return;
    }
    showToast({ title: 'Models and prices are saved', tone: 'good' });
    void navigate({ to: '/providers' });
  });
  return (
    <form noValidate className="flex max-w-4xl flex-col gap-4" onSubmit={(event) => void submit(event)}>
      <ModelTable
        preset={preset}
        connected_as={provider.name}
        control={form.control}
        error={errors.root?.['models']?.message}
        onSelect={(selected) => form.setValue('selected', selected)}
      />
      <div role="alert" className="empty:-mt-4">
        <ErrorText>{errors.root?.['server']?.message}</ErrorText>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="primary" busy={isSubmitting}>
          Save
        </Button>
        <Link to="/providers" className={buttonClass()}>
          Cancel
        </Link>
      </div>
    </form>
  );
}
