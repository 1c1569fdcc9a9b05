import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Provider } from '#contract/resources/provider.ts';
import { useCatalogNames } from '#web/api/catalog-names.ts';
import { providerJobsQuery, useDisconnectProvider } from '#web/api/queries/providers.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { RelativeTime } from '#web/ui/relative-time.tsx';
import { showToast } from '#web/ui/toast-store.ts';

const MAX_SHOWN = 5;

function RunningJobs({ provider: { id } }: { provider: Provider }) {
  const names = useCatalogNames();
  const { data: jobs } = useQuery(providerJobsQuery(id));
  if (!jobs || jobs.length === 0) return null;
  return (
    <div>
      <h3 className="text-sm font-medium">Running jobs</h3>
      <ul className="mt-1.5 flex flex-col gap-1 text-sm">
        {jobs.slice(0, MAX_SHOWN).map(({ generation_id, task, model, submitted_at }) => (
          <li key={generation_id} className="flex flex-wrap gap-x-2">
            <Link
              to="/generations/$id"
              params={{ id: generation_id }}
              className="underline underline-offset-2 hover:text-ink"
            >
              {names.task(task)}
              {model === null ? '' : ` · ${names.model(model)}`}
            </Link>
            <span className="text-ink-3">
              started <RelativeTime at={submitted_at} />
            </span>
          </li>
        ))}
        {jobs.length > MAX_SHOWN ? <li className="text-ink-3">and {jobs.length - MAX_SHOWN} more</li> : null}
      </ul>
    </div>
  );
}

export function DisconnectDialog({ provider, onClose }: { provider: Provider; onClose: () => void }) {
  const { mutateAsync, isPending, error } = useDisconnectProvider();
  const { id, name, running_jobs } = provider;
  const disconnect = async () => {
    try {
      // The dialog unmounts together with its row, and callbacks given to `mutate` would not run.
      await mutateAsync(id);
    } catch {
      return;
    }
    showToast({ title: `${name} is disconnected` });
    onClose();
  };
  return (
    <ConfirmDialog
      title={`Disconnect ${name}?`}
      description="Its models go back to the next provider, or to the preview."
      cancelLabel="Cancel"
      confirmLabel="Disconnect"
      variant="danger"
      busy={isPending}
      error={error}
      consequences={[
        running_jobs === 0
          ? 'No job is running at this provider.'
          : `${running_jobs === 1 ? 'One running job finishes' : `${running_jobs} running jobs finish`} with the key, and ${running_jobs === 1 ? 'is' : 'are'} charged.`,
        'The key is deleted once no job needs it. To connect again, you need the key.',
        'Prices that came from this provider go back to what they were.',
        'Results and their costs are kept.',
      ]}
      onConfirm={() => void disconnect()}
      onClose={onClose}
    >
      {running_jobs > 0 ? <RunningJobs provider={provider} /> : null}
    </ConfirmDialog>
  );
}
