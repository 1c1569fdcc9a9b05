import { Link } from '@tanstack/react-router';
import { KeyRound } from 'lucide-react';
import type { Provider } from '#contract/resources/provider.ts';
import type { ProviderPreset } from '#contract/resources/provider-preset.ts';
import { AddedModelsLink } from '#web/api/added-models-link.tsx';
import { useLatestChanges } from '#web/api/queries/audit-events.ts';
import { useConnectProvider } from '#web/api/queries/providers.ts';
import { Badge } from '#web/ui/display/badge.tsx';
import { Button, buttonClass } from '#web/ui/controls/button.tsx';
import { Callout } from '#web/ui/display/callout.tsx';
import { Page } from '#web/ui/page.tsx';
import { toastError } from '#web/ui/overlays/toast-error.ts';
import { showToast } from '#web/ui/overlays/toast-store.ts';
import { Section } from '#web/ui/display/section.tsx';
import { defaultChoices, toModelChoices } from './model-choice.ts';
import { ConnectedProvider } from './connected-provider.tsx';
import { RequireProviderAdmin } from './require-provider-admin.tsx';

export function ProvidersPage() {
  return (
    <Page
      title="Providers"
      intro="Connect AI providers with your own keys. Their models replace the preview models within seconds."
      actions={<AddedModelsLink />}
    >
      <RequireProviderAdmin>
        {(providers, presets) => <ProviderLists providers={providers} presets={presets} />}
      </RequireProviderAdmin>
    </Page>
  );
}

function ProviderLists({ providers, presets }: { providers: readonly Provider[]; presets: readonly ProviderPreset[] }) {
  const changes = useLatestChanges(
    'provider',
    providers.filter(({ source }) => source === 'dashboard').map(({ id }) => id),
  );
  return (
    <div className="flex flex-col gap-8">
      {providers.length === 0 ? (
        <Callout title="No provider is connected">
          All models make previews: examples drawn on this machine, not AI images or videos. Connect a provider to make
          real ones.
        </Callout>
      ) : (
        <Section title="Connected">
          {providers.length > 1 ? (
            <p className="mb-3 max-w-2xl text-sm text-ink-2">
              The first in this list that offers a model runs it. The others are its fallbacks: they get a job that
              those before them rejected or were too busy for.
            </p>
          ) : null}
          <ul aria-label="Connected providers" className="flex flex-col gap-3">
            {providers.map((provider) => (
              <ConnectedProvider
                key={provider.id}
                provider={provider}
                providers={providers}
                change={changes.get(provider.id)}
              />
            ))}
          </ul>
        </Section>
      )}
      <Section title="Connect a provider">
        <ul aria-label="Providers" className="grid gap-3 sm:grid-cols-2 xl:grid-cols-3">
          {presets.map((preset) => (
            <PresetCard key={preset.id} preset={preset} />
          ))}
        </ul>
      </Section>
    </div>
  );
}

/** Connects every model that no other provider runs, at prices that cover the cost. */
function EnvironmentButton({ preset }: { preset: ProviderPreset }) {
  const { mutate, isPending } = useConnectProvider();
  const { id, name, environment_key } = preset;
  const choices = defaultChoices(preset);
  const models = toModelChoices(preset, choices);
  const prices =
    choices.pricing === 'keep'
      ? 'Prices stay as they are.'
      : `Prices are now those of ${name} plus ${choices.markup_percent}%.`;
  if (models.length === 0) return null;
  const connect = () =>
    mutate(
      { provider: id, use_environment: true, models },
      {
        onSuccess: () => showToast({ title: `${name} is connected`, detail: prices, tone: 'good' }),
        onError: toastError(`${name} is not connected`),
      },
    );
  return (
    <Button
      size="sm"
      variant="primary"
      busy={isPending}
      icon={<KeyRound aria-hidden="true" className="size-4" />}
      aria-label={`Connect ${name} with ${environment_key}`}
      onClick={connect}
    >
      Connect
    </Button>
  );
}

function PresetCard({ preset }: { preset: ProviderPreset }) {
  const { id, name, description, models, environment_key, model_setting } = preset;
  const count = new Set(models.map(({ model }) => model)).size;
  return (
    <li className="flex flex-col gap-3 rounded-md border border-line bg-surface p-4">
      <div className="flex-1">
        <div className="flex flex-wrap items-center gap-2">
          <h3 className="font-semibold">{name}</h3>
          <Badge>{count === 1 ? '1 model' : `${count} models`}</Badge>
        </div>
        <p className="mt-1 text-sm text-ink-2">{description}</p>
        {environment_key === null ? null : (
          <p className="mt-2 text-sm text-ink-3">
            Key found in <code className="font-mono text-xs">{environment_key}</code>
          </p>
        )}
      </div>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        {environment_key === null || model_setting !== null ? null : <EnvironmentButton preset={preset} />}
        <Link
          to="/providers/connect/$preset"
          params={{ preset: id }}
          className={buttonClass({ size: 'sm' })}
          aria-label={environment_key === null ? `Connect ${name}` : `Choose models of ${name}`}
        >
          {environment_key === null ? 'Connect' : 'Choose models'}
        </Link>
      </div>
    </li>
  );
}
