import { Monitor, Moon, Sun } from 'lucide-react';
import { Card } from '#web/ui/display/card.tsx';
import { Page } from '#web/ui/page.tsx';
import { SegmentedControl } from '#web/ui/controls/segmented-control.tsx';
import { setTheme, useTheme } from '#web/ui/theme.ts';
import { NotificationSettings } from './notification-settings.tsx';

const THEMES = [
  { value: 'system', label: 'System', Icon: Monitor },
  { value: 'light', label: 'Light', Icon: Sun },
  { value: 'dark', label: 'Dark', Icon: Moon },
] as const;

const THEME_OPTIONS = THEMES.map(({ value, label, Icon }) => ({
  value,
  label: (
    <>
      <Icon aria-hidden="true" className="size-4" />
      {label}
    </>
  ),
}));

/** What this browser alone remembers. */
export function DevicePage() {
  const theme = useTheme();
  return (
    <Page title="Your device" intro="Only for this browser." width="reading">
      <div className="flex flex-col gap-4">
        <Card title="Appearance">
          <SegmentedControl label="Theme" value={theme} options={THEME_OPTIONS} onChange={setTheme} />
        </Card>
        <NotificationSettings />
      </div>
    </Page>
  );
}
