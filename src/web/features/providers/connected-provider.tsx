import { CircleCheck, CirclePause } from 'lucide-react';
import { Link } from '@tanstack/react-router';
import type { Provider } from '#contract/resources/provider.ts';
import type { AuditEvent } from '#contract/resources/audit-event.ts';
import { ChangedBy } from '#web/api/changed-by.tsx';
import { useCatalogNames } from '#web/api/catalog-names.ts';
import { useTestProvider } from '#web/api/queries/providers.ts';
import { Badge } from '#web/ui/badge.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { Callout } from '#web/ui/callout.tsx';
import { Money } from '#web/api/money.tsx';
import { RelativeTime } from '#web/ui/relative-time.tsx';
import { ModelLines } from './model-lines.tsx';
import { ProviderActions } from './provider-actions.tsx';
import { TextModelLine } from './text-model-line.tsx';

interface ConnectedProviderProps {
  provider: Provider;
  /** All of them, in order of preference. */
  providers: readonly Provider[];
  /** The newest one. */
  change: AuditEvent | undefined;
}

export function ConnectedProvider({ provider, providers, change }: ConnectedProviderProps) {
  const test = useTestProvider();
  const { name, source, state, paused_reason, key_last_four, running_jobs } = provider;
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
          <ModelLines provider={provider} providers={providers} />
          <TextModelLine provider={provider} />
          <ProviderHealthLine provider={provider} />
          <ChangedBy change={change} className="mt-1" />
        </div>
        {source === 'dashboard' ? <ProviderActions provider={provider} providers={providers} test={test} /> : null}
      </div>
      {source === 'file' ? (
        <p className="mt-2 text-sm text-ink-3">
          Set up in the file of this service. It comes before all connections and can’t be changed here.
        </p>
      ) : null}
      {paused_reason === null ? null : (
        <div className="mt-3">
          <Callout tone="bad" title="Paused by the service">
            {paused_reason} {running_jobs > 0 ? 'Running jobs finish.' : ''}
          </Callout>
        </div>
      )}
      {test.data?.ok === false ? (
        <div className="mt-3">
          <Callout tone="bad" title="The test failed">
            {test.data.message}
          </Callout>
        </div>
      ) : null}
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
              Cost <Money amount_usd={spent_usd} />
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
function LossNotice({ provider: { id, models } }: { provider: Provider }) {
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
        action={
          <Link to="/providers/$provider/models" params={{ provider: id }} className={buttonClass({ size: 'sm' })}>
            Change prices
          </Link>
        }
      >
        {modelNames.join(', ')}: a typical request costs more at the provider than it is charged here.
      </Callout>
    </div>
  );
}
