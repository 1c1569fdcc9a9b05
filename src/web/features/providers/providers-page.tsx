import { Link } from '@tanstack/react-router';
import { KeyRound } from 'lucide-react';
import type { Provider, ProviderPreset } from '#contract/resources/provider.ts';
import { Badge } from '#web/ui/badge.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { Callout } from '#web/ui/callout.tsx';
import { Page } from '#web/ui/page.tsx';
import { Section } from '#web/ui/section.tsx';
import { ConnectedProvider } from './connected-provider.tsx';
import { RequireProviderAdmin } from './require-provider-admin.tsx';

export function ProvidersPage() {
  return (
    <Page
      title="Providers"
      intro="Connect AI providers with your own keys. Their models replace the preview models within seconds."
    >
      <RequireProviderAdmin>
        {(providers, presets) => <ProviderLists providers={providers} presets={presets} />}
      </RequireProviderAdmin>
    </Page>
  );
}

function ProviderLists({ providers, presets }: { providers: readonly Provider[]; presets: readonly ProviderPreset[] }) {
  return (
    <div className="flex flex-col gap-8">
      {providers.length === 0 ? (
        <Callout title="No provider is connected">
          All models make previews: examples drawn on this machine, not AI images or videos. Connect a provider to make
          real ones.
        </Callout>
      ) : (
        <Section title="Connected">
          <ul aria-label="Connected providers" className="flex flex-col gap-3">
            {providers.map((provider) => (
              <ConnectedProvider key={provider.id} provider={provider} />
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

function PresetCard({ preset: { id, name, description, models, environment_key } }: { preset: ProviderPreset }) {
  const count = new Set(models.map(({ model }) => model)).size;
  return (
    <li className="flex flex-col gap-3 rounded-md border border-line bg-surface p-4">
      <div className="flex-1">
        <div className="flex flex-wrap items-center gap-2">
          <h3 className="font-semibold">{name}</h3>
          <Badge>{count === 1 ? '1 model' : `${count} models`}</Badge>
        </div>
        <p className="mt-1 text-sm text-ink-2">{description}</p>
      </div>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <Link
          to="/providers/connect/$preset"
          params={{ preset: id }}
          className={buttonClass({ size: 'sm' })}
          aria-label={`Connect ${name}`}
        >
          Connect
        </Link>
        {environment_key === null ? null : (
          <span className="flex min-w-0 items-center gap-1.5 text-sm text-ink-3">
            <KeyRound aria-hidden="true" className="size-4 flex-none" />
            <span className="min-w-0 truncate">
              Key found in <code className="font-mono">{environment_key}</code>
            </span>
          </span>
        )}
      </div>
    </li>
  );
}
