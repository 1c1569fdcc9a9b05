import { useQuery } from '@tanstack/react-query';
import { queryError } from '#web/api/api-errors.ts';
import { settingsQuery, useUpdateSettings } from '#web/api/queries/settings.ts';
import { LoadError } from '#web/api/load-error.tsx';
import { Card } from '#web/ui/display/card.tsx';
import { Switch } from '#web/ui/controls/checkbox.tsx';
import { Skeleton } from '#web/ui/display/skeleton.tsx';
import { toastError } from '#web/ui/overlays/toast-error.ts';

/** Whether public pages of media may exist. */
export function SharingCard() {
  const settings = useQuery(settingsQuery);
  const { mutate, isPending, variables } = useUpdateSettings();
  const problem = queryError(settings);
  const enabled = (isPending ? variables.sharing_enabled : undefined) ?? settings.data?.sharing_enabled;
  return (
    <Card title="Sharing" description="Public pages of files and collections, for people without an account.">
      {settings.data ? (
        <Switch
          label="Allow share pages"
          hint="While this is off, nobody can create them, and existing links open nothing."
          checked={enabled ?? false}
          onChange={(sharing_enabled) => mutate({ sharing_enabled }, { onError: toastError('Not changed') })}
        />
      ) : problem ? (
        <LoadError what="Settings" error={problem} onRetry={() => void settings.refetch()} />
      ) : (
        <Skeleton className="h-10 w-full" />
      )}
    </Card>
  );
}
