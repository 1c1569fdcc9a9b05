import { Monitor, Moon, Sun } from 'lucide-react';
import { setTheme, type Theme, useTheme } from '#web/ui/theme.ts';
import { Card } from '#web/ui/card.tsx';
import { Page } from '#web/ui/page.tsx';
import { SegmentedControl } from '#web/ui/segmented-control.tsx';
import { AboutCard } from './about-card.tsx';
import { ConnectionCard } from './connection-card.tsx';
import { DeviceCard } from './device-card.tsx';
import { NotificationSettings } from './notification-settings.tsx';

const THEME_OPTIONS = [
  { value: 'system', label: <ThemeOption icon={<Monitor aria-hidden="true" className="size-4" />} text="System" /> },
  { value: 'light', label: <ThemeOption icon={<Sun aria-hidden="true" className="size-4" />} text="Light" /> },
  { value: 'dark', label: <ThemeOption icon={<Moon aria-hidden="true" className="size-4" />} text="Dark" /> },
] as const satisfies readonly { value: Theme; label: React.ReactNode }[];

/** How the app looks here, what this device keeps, and what it is connected to. */
export function SettingsPage() {
  const theme = useTheme();
  return (
    <Page title="Settings" width="reading">
      <div className="flex flex-col gap-4">
        <Card title="Appearance" description="On this device.">
          <SegmentedControl label="Theme" value={theme} options={THEME_OPTIONS} onChange={setTheme} />
        </Card>
        <ConnectionCard />
        <NotificationSettings />
        <DeviceCard />
        <AboutCard />
      </div>
    </Page>
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
