import { useState } from 'react';
import { ArrowUpToLine, Ellipsis, KeyRound, ListChecks, Pause, Play, Stethoscope, Unplug } from 'lucide-react';
import { useNavigate } from '@tanstack/react-router';
import type { Provider } from '#contract/resources/provider.ts';
import { type useTestProvider, useUpdateProvider } from '#web/api/queries/providers.ts';
import { Button } from '#web/ui/button.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { Menu, MenuItem, MenuSeparator } from '#web/ui/menu.tsx';
import { showToast } from '#web/ui/toast-store.ts';
import { DisconnectDialog } from './disconnect-dialog.tsx';
import { canRunFirst } from './model-runners.ts';

const RotateKeyDialog = lazyComponent(async () => (await import('./rotate-key-dialog.tsx')).RotateKeyDialog);

interface ProviderActionsProps {
  provider: Provider;
  providers: readonly Provider[];
  test: ReturnType<typeof useTestProvider>;
}

export function ProviderActions({ provider, providers, test }: ProviderActionsProps) {
  const [dialog, setDialog] = useState<'key' | 'disconnect' | null>(null);
  const navigate = useNavigate();
  const update = useUpdateProvider();
  const { id, name, state, key_last_four } = provider;
  const close = () => setDialog(null);
  const runTest = () =>
    test.mutate(id, {
      // The card shows why it failed.
      onSuccess: ({ ok, message }) => ok && showToast({ title: `${name} works`, detail: message, tone: 'good' }),
      onError: (error) => showToast({ title: 'Not tested', detail: error.message, tone: 'bad' }),
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
        onError: (error) => showToast({ title: 'Not changed', detail: error.message, tone: 'bad' }),
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
        onError: (error) => showToast({ title: 'Not changed', detail: error.message, tone: 'bad' }),
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
      <Menu
        label={`Actions for ${name}`}
        renderTrigger={(props) => (
          <IconButton
            {...props}
            outlined
            label={`Actions for ${name}`}
            icon={<Ellipsis aria-hidden="true" className="size-4" />}
          />
        )}
      >
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
      </Menu>
      {dialog === 'key' ? <RotateKeyDialog provider={provider} onClose={close} /> : null}
      {dialog === 'disconnect' ? <DisconnectDialog provider={provider} onClose={close} /> : null}
    </div>
  );
}
