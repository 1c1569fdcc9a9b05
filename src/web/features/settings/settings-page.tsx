import { Monitor, Moon, Plug, Sun, Users, BookOpen, Braces } from 'lucide-react';
import { setTheme, type Theme, useTheme } from '#web/ui/theme.ts';
import { Card } from '#web/ui/card.tsx';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { Page } from '#web/ui/page.tsx';
import { SegmentedControl } from '#web/ui/segmented-control.tsx';
import { ConnectionCard } from './connection-card.tsx';
import { NotificationSettings } from './notification-settings.tsx';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useCan } from '#web/api/queries/permissions.ts';
import { referenceQuery } from '#web/api/queries/reference.ts';
import { serviceVersionQuery } from '#web/api/queries/service-version.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { SettingsRows } from './settings-rows.tsx';

const MembersCard = lazyComponent(async () => (await import('./members-card.tsx')).MembersCard);
const AlertsCard = lazyComponent(async () => (await import('./alerts-card.tsx')).AlertsCard);
const SharingCard = lazyComponent(async () => (await import('./sharing-card.tsx')).SharingCard);
const LogoCard = lazyComponent(async () => (await import('./logo-card.tsx')).LogoCard);
const TagsCard = lazyComponent(async () => (await import('./tags-card.tsx')).TagsCard);

const THEME_OPTIONS = [
  { value: 'system', label: <ThemeOption icon={<Monitor aria-hidden="true" className="size-4" />} text="System" /> },
  { value: 'light', label: <ThemeOption icon={<Sun aria-hidden="true" className="size-4" />} text="Light" /> },
  { value: 'dark', label: <ThemeOption icon={<Moon aria-hidden="true" className="size-4" />} text="Dark" /> },
] as const satisfies readonly { value: Theme; label: React.ReactNode }[];

export function SettingsPage() {
  const theme = useTheme();
  return (
    <Page title="Settings" width="reading">
      <div className="flex flex-col gap-4">
        <Card title="Appearance" description="On this device.">
          <SegmentedControl label="Theme" value={theme} options={THEME_OPTIONS} onChange={setTheme} />
        </Card>
        <ConnectionCard />
        <PeopleCard />
        <ProvidersCard />
        <OrganizationSettings />
        <NotificationSettings />
        <AboutCard />
      </div>
    </Page>
  );
}

/** Only administrators change them. */
function OrganizationSettings() {
  return useCan('settings.manage') ? (
    <>
      <MembersCard />
      <SharingCard />
      <LogoCard />
      <TagsCard />
      <AlertsCard />
    </>
  ) : null;
}

function PeopleCard() {
  const canManage = useCan('people.manage');
  if (!useCan('people.read')) return null;
  return (
    <Card
      title="People"
      description="Who works in this studio, and what they may do."
      footer={
        <Link to="/people" className={buttonClass()}>
          <Users aria-hidden="true" className="size-4" />
          {canManage ? 'Manage people' : 'See people'}
        </Link>
      }
    >
      <p className="text-ink-2">
        {canManage ? 'Invite people by a link, and choose their roles.' : 'Administrators invite people.'}
      </p>
    </Card>
  );
}

/** Only administrators can connect providers. */
function ProvidersCard() {
  if (!useCan('providers.manage')) return null;
  return (
    <Card
      title="Providers"
      description="The AI services whose models this studio uses."
      footer={
        <Link to="/providers" className={buttonClass()}>
          <Plug aria-hidden="true" className="size-4" />
          Manage providers
        </Link>
      }
    >
      <p className="text-ink-2">Paste a provider’s key, and its models replace the previews within seconds.</p>
    </Card>
  );
}

function ThemeOption({ icon, text }: { icon: React.ReactNode; text: string }) {
  return (
    <>
      {icon}
      {text}
    </>
  );
}

function AboutCard() {
  const { data, isPending } = useQuery(referenceQuery);
  const service = useQuery(serviceVersionQuery);
  const skeleton = <Skeleton className="h-4 w-16" />;
  const placeholder = isPending ? skeleton : 'Unknown';
  const version = service.data ? `Emulsion ${service.data}` : 'Unknown';
  return (
    <Card
      title="About Emulsion"
      description="A self-hosted studio for making images, video and audio with many models."
      footer={
        <>
          <Link to="/docs" className={buttonClass()}>
            <BookOpen aria-hidden="true" className="size-4" />
            API reference
          </Link>
          <a href="/openapi.json" target="_blank" rel="noreferrer" className={buttonClass({ variant: 'ghost' })}>
            <Braces aria-hidden="true" className="size-4" />
            OpenAPI document
          </a>
        </>
      }
    >
      <SettingsRows
        rows={[
          { name: 'Version', value: service.isPending ? skeleton : version },
          { name: 'API version', value: data?.info.version ?? placeholder },
          { name: 'License', value: data?.info.license?.name ?? placeholder },
        ]}
      />
    </Card>
  );
}
