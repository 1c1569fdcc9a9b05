import { useState } from 'react';
import {
  CircleCheck,
  CirclePause,
  Ellipsis,
  KeyRound,
  ListChecks,
  Pause,
  Play,
  Stethoscope,
  Unplug,
} from 'lucide-react';
import { useNavigate } from '@tanstack/react-router';
import type { Provider } from '#contract/resources/provider.ts';
import type { AuditEvent } from '#contract/resources/audit-event.ts';
import { ChangedBy } from '#web/api/changed-by.tsx';
import { useCatalogNames } from '#web/api/catalog-names.ts';
import { useTestProvider, useUpdateProvider } from '#web/api/queries/providers.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { Callout } from '#web/ui/callout.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { Menu, MenuItem, MenuSeparator } from '#web/ui/menu.tsx';
import { Money } from '#web/ui/money.tsx';
import { RelativeTime } from '#web/ui/relative-time.tsx';
import { showToast } from '#web/ui/toast-store.ts';
import { DisconnectDialog } from './disconnect-dialog.tsx';

const RotateKeyDialog = lazyComponent(async () => (await import('./rotate-key-dialog.tsx')).RotateKeyDialog);

interface ConnectedProviderProps {
  provider: Provider;
  /** The newest one. */
  change: AuditEvent | undefined;
}

export function ConnectedProvider({ provider, change }: ConnectedProviderProps) {
  const names = useCatalogNames();
  const { name, source, state, paused_reason, key_last_four, models, running_jobs } = provider;
  const modelNames = [...new Set(models.map(names.modelOrTask))];
  return (
    <li className="rounded-md border border-line bg-surface p-4">
      <div className="flex flex-wrap items-start gap-x-4 gap-y-3">
        <div className="min-w-0 flex-[1_1_16rem]">
          <div className="flex flex-wrap items-center gap-2">
            <h4 className="font-semibold">{name}</h4>
            {state === 'active' ? (
              <Badge tone="good" icon={<CircleCheck aria-hidden="true" />}>
                Active
              </Badge>
            ) : (
              <Badge tone="amber" icon={<CirclePause aria-hidden="true" />}>
                Paused
              </Badge>
            )}
            {key_last_four === null ? null : (
              <span className="text-sm text-ink-3">
                Key <code className="font-mono">…{key_last_four}</code>
              </span>
            )}
            {source === 'file' ? <Badge>From engines.json</Badge> : null}
          </div>
          <p className="mt-1 text-sm text-ink-2">{modelNames.join(', ') || 'No models'}</p>
          <ProviderHealthLine provider={provider} />
          <ChangedBy change={change} className="mt-1" />
        </div>
        {source === 'dashboard' ? <ProviderActions provider={provider} /> : null}
      </div>
      {source === 'file' ? (
        <p className="mt-2 text-sm text-ink-3">
          Set up in the file of this service. It comes before the connections below and can’t be changed here.
        </p>
      ) : null}
      {paused_reason === null ? null : (
        <div className="mt-3">
          <Callout tone="bad" title="Paused by the service">
            {paused_reason} {running_jobs > 0 ? 'Running jobs finish.' : ''}
          </Callout>
        </div>
      )}
      <LossNotice provider={provider} />
    </li>
  );
}

function ProviderHealthLine({ provider: { health, running_jobs } }: { provider: Provider }) {
  if (!health) return null;
  const { succeeded, failed, median_seconds, spent_usd, last_problem } = health;
  const total = succeeded + failed;
  return (
    <>
      <p className="mt-1 flex flex-wrap gap-x-3 text-sm text-ink-3 tabular-nums">
        {total === 0 ? (
          <span>No jobs in the last 24 hours</span>
        ) : (
          <>
            <span>
              {succeeded} of {total} succeeded in 24 hours
            </span>
            {median_seconds === null ? null : <span>Usually {formatSeconds(median_seconds)}</span>}
            <span>
              Cost <Money amount_usd={spent_usd} cents="nearest" />
            </span>
          </>
        )}
        {running_jobs > 0 ? <span>{running_jobs === 1 ? '1 job running' : `${running_jobs} jobs running`}</span> : null}
      </p>
      {last_problem ? (
        <p className="mt-1 text-sm wrap-anywhere text-ink-2">
          Last problem <RelativeTime at={last_problem.at} />: {last_problem.message}
        </p>
      ) : null}
    </>
  );
}

const formatSeconds = (seconds: number): string =>
  seconds < 60 ? `${Math.max(1, Math.round(seconds))} s` : `${Math.round(seconds / 60)} min`;

/** Models that cost more at the provider than they bring here. */
function LossNotice({ provider: { models } }: { provider: Provider }) {
  const names = useCatalogNames();
  const losses = models.filter(
    ({ price_usd, cost_usd, is_fallback }) =>
      !is_fallback && price_usd !== null && cost_usd !== null && Number(price_usd) < Number(cost_usd),
  );
  if (losses.length === 0) return null;
  const modelNames = [...new Set(losses.map(names.modelOrTask))];
  return (
    <div className="mt-3">
      <Callout
        tone="amber"
        title={losses.length === 1 ? 'One price is below cost' : `${losses.length} prices are below cost`}
      >
        {modelNames.join(', ')}: a typical request costs more at the provider than it is charged here. Change the prices
        under Models and prices.
      </Callout>
    </div>
  );
}

function ProviderActions({ provider }: { provider: Provider }) {
  const [dialog, setDialog] = useState<'key' | 'disconnect' | null>(null);
  const navigate = useNavigate();
  const test = useTestProvider();
  const update = useUpdateProvider();
  const { id, name, state, key_last_four } = provider;
  const close = () => setDialog(null);
  const runTest = () =>
    test.mutate(id, {
      onSuccess: ({ ok, message }) =>
        showToast({
          title: ok ? `${name} works` : `${name} does not work`,
          detail: message,
          tone: ok ? 'good' : 'bad',
        }),
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
