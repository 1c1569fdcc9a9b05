import { useQuery } from '@tanstack/react-query';
import { settingsQuery } from '#web/api/queries/settings.ts';
import { LoadingOrError } from '#web/api/load-error.tsx';
import { Card } from '#web/ui/display/card.tsx';
import { Skeleton } from '#web/ui/display/skeleton.tsx';
import { SettingSwitch } from './setting-switch.tsx';

/** Whether public pages of media may exist. */
export function SharingCard() {
  const settings = useQuery(settingsQuery);
  return (
    <Card title="Sharing" description="Public pages of files and collections, for people without an account.">
      {settings.data ? (
        <SettingSwitch
          settings={settings.data}
          name="sharing_enabled"
          label="Allow share pages"
          hint="While this is off, nobody can create them, and existing links open nothing."
        />
      ) : (
        <LoadingOrError query={settings} what="Settings">
          <Skeleton className="h-10 w-full" />
        </LoadingOrError>
      )}
    </Card>
  );
}
