import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Plug } from 'lucide-react';
import { providerPresetsQuery } from '#web/api/queries/providers.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { Page } from '#web/ui/page.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { BackToProvidersLink } from './back-to-providers-link.tsx';
import { RequireProviderAdmin } from './require-provider-admin.tsx';

const ConnectForm = lazyComponent(async () => (await import('./connect-form.tsx')).ConnectForm);
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
          return preset ? (
            <ConnectForm key={id} preset={preset} fallback={<Skeleton className="h-80 w-full rounded-md" />} />
          ) : (
            <UnknownProvider />
          );
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
