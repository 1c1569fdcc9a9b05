import { useState } from 'react';
import { ArrowUpToLine, KeyRound, ListChecks, Pause, Play, ReceiptText, Stethoscope, Unplug } from 'lucide-react';
import { useNavigate, Link } from '@tanstack/react-router';
import type { Provider } from '#contract/resources/provider.ts';
import {
  type useTestProvider,
  useUpdateProvider,
  useRotateProviderKey,
  providerJobsQuery,
  useDisconnectProvider,
} from '#web/api/queries/providers.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { MoreMenu, MenuItem, MenuSeparator } from '#web/ui/overlays/menu.tsx';
import { toastError } from '#web/ui/overlays/toast-error.ts';
import { showToast } from '#web/ui/overlays/toast-store.ts';
import { canRunFirst } from './model-runners.ts';
import { FormDialog, useDialogForm } from '#web/forms/form-dialog.tsx';
import { Field } from '#web/ui/controls/field.tsx';
import { TextInput } from '#web/ui/controls/text-input.tsx';
import { useQuery } from '@tanstack/react-query';
import { useCatalogNames } from '#web/api/catalog-names.ts';
import { ConfirmDialog } from '#web/ui/overlays/confirm-dialog.tsx';
import { BillingKeyDialog } from './billing-key-dialog.tsx';
import { RelativeTime } from '#web/ui/display/relative-time.tsx';

interface ProviderActionsProps {
  provider: Provider;
  providers: readonly Provider[];
  test: ReturnType<typeof useTestProvider>;
}

export function ProviderActions({ provider, providers, test }: ProviderActionsProps) {
  const [dialog, setDialog] = useState<'key' | 'billing' | 'disconnect' | null>(null);
  const navigate = useNavigate();
  const update = useUpdateProvider();
  const { id, name, state, key_last_four, billing } = provider;
  const close = () => setDialog(null);
  const runTest = () =>
    test.mutate(id, {
      // The card shows why it failed.
      onSuccess: ({ ok, message }) => ok && showToast({ title: `${name} works`, detail: message, tone: 'good' }),
      onError: toastError('Not tested'),
    });
  const setState = (next: 'active' | 'paused') =>
    update.mutate(
      { id, state: next },
      {
        onSuccess: () =>
          showToast(
            next === 'paused'
              ? {
                  title: `${name} is paused`,
                  detail:
                    'Running jobs finish. Its models are unavailable until you resume it, unless another provider runs them.',
                }
              : { title: `${name} is active` },
          ),
        onError: toastError('Not changed'),
      },
    );
  const putFirst = () =>
    update.mutate(
      { id, prefer: true },
      {
        onSuccess: () =>
          showToast({
            title: `${name} comes first`,
            detail: 'It runs all its models from now on. Running jobs finish where they are.',
            tone: 'good',
          }),
        onError: toastError('Not changed'),
      },
    );
  return (
    <div className="flex flex-none items-center gap-2">
      <Button
        size="sm"
        busy={test.isPending}
        icon={<Stethoscope aria-hidden="true" className="size-4" />}
        onClick={runTest}
      >
        Test
      </Button>
      <MoreMenu outlined label={`Actions for ${name}`}>
        <MenuItem
          icon={<ListChecks aria-hidden="true" />}
          onSelect={() => void navigate({ to: '/providers/$provider/models', params: { provider: id } })}
        >
          Models and prices…
        </MenuItem>
        {canRunFirst(provider, providers) ? (
          <MenuItem icon={<ArrowUpToLine aria-hidden="true" />} onSelect={putFirst}>
            Put first
          </MenuItem>
        ) : null}
        {key_last_four === null ? null : (
          <MenuItem icon={<KeyRound aria-hidden="true" />} onSelect={() => setDialog('key')}>
            Replace key…
          </MenuItem>
        )}
        {billing === null ? null : (
          <MenuItem icon={<ReceiptText aria-hidden="true" />} onSelect={() => setDialog('billing')}>
            Billing key…
          </MenuItem>
        )}
        {state === 'active' ? (
          <MenuItem icon={<Pause aria-hidden="true" />} onSelect={() => setState('paused')}>
            Pause
          </MenuItem>
        ) : (
          <MenuItem icon={<Play aria-hidden="true" />} onSelect={() => setState('active')}>
            Resume
          </MenuItem>
        )}
        <MenuSeparator />
        <MenuItem tone="danger" icon={<Unplug aria-hidden="true" />} onSelect={() => setDialog('disconnect')}>
          Disconnect…
        </MenuItem>
      </MoreMenu>
      {dialog === 'key' ? <RotateKeyDialog provider={provider} onClose={close} /> : null}
      {dialog === 'billing' && billing ? (
        <BillingKeyDialog provider={{ ...provider, billing }} onClose={close} />
      ) : null}
      {dialog === 'disconnect' ? <DisconnectDialog provider={provider} onClose={close} /> : null}
    </div>
  );
}

function RotateKeyDialog({ provider: { id, name }, onClose }: { provider: Provider; onClose: () => void }) {
  const { mutateAsync: rotate } = useRotateProviderKey();
  const form = useDialogForm({ key: '' });
  return (
    <FormDialog
      form={form}
      title={`Replace the key of ${name}`}
      description="The new key is tested first. Running jobs finish with the previous one, which is then deleted."
      submitLabel="Replace key"
      awaitsResponse
      onSubmit={async ({ key }) => {
        await rotate({ id, key: key.trim() });
        showToast({ title: `${name} uses the new key` });
        onClose();
      }}
      onClose={onClose}
    >
      <Field label="New key" error={form.formState.errors.key?.message}>
        <TextInput
          type="password"
          {...form.register('key', { validate: (key) => key.trim() !== '' || 'Paste the new key.' })}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
      </Field>
    </FormDialog>
  );
}

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

function DisconnectDialog({ provider, onClose }: { provider: Provider; onClose: () => void }) {
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
