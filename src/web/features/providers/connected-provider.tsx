import { CircleCheck, CirclePause } from 'lucide-react';
import { Link } from '@tanstack/react-router';
import type { Provider } from '#contract/resources/provider.ts';
import type { AuditEvent } from '#contract/resources/audit-event.ts';
import { ChangedBy } from '#web/collections/creator.tsx';
import { useCatalogNames } from '#web/api/catalog-names.ts';
import { useTestProvider } from '#web/api/queries/providers.ts';
import { Badge } from '#web/ui/display/badge.tsx';
import { buttonClass } from '#web/ui/controls/button.tsx';
import { Callout } from '#web/ui/display/callout.tsx';
import { Money } from '#web/api/money.tsx';
import { RelativeTime } from '#web/ui/display/relative-time.tsx';
import { ProviderActions } from './provider-actions.tsx';
import { SuggestedModels } from './suggested-models.tsx';
import { formatMoney } from '#contract/money/money.ts';
import { formatNumber } from '#web/ui/formats.ts';
import { groupByRunner, type RunnerGroup } from './model-runners.ts';

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
          <BillingLine provider={provider} />
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
      <SuggestedModels provider={provider} />
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

/** Says whether the bills of a connection with a billing key are read. */
function BillingLine({ provider: { billing } }: { provider: Provider }) {
  if (!billing?.key_last_four) return null;
  const { key_last_four, read_at, problem } = billing;
  return (
    <p className="mt-1 text-sm wrap-anywhere text-ink-3">
      Bills{' '}
      {read_at === null ? (
        'not read yet'
      ) : (
        <>
          read <RelativeTime at={read_at} />
        </>
      )}
      , key <code className="font-mono">…{key_last_four}</code>
      {problem === null ? null : <span className="block text-bad">Bills can’t be read: {problem}</span>}
    </p>
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

/** Says which text model of a connection improves prompts, and what that costs. */
function TextModelLine({ provider: { text_model, state } }: { provider: Provider }) {
  if (text_model === null) return null;
  const { model, daily_limit_usd, is_used, today, this_month } = text_model;
  const note = is_used ? '' : state === 'paused' ? ' (not while paused)' : ' (a provider before it does so)';
  return (
    <p className="mt-1 flex flex-wrap gap-x-3 text-sm text-ink-2 tabular-nums">
      <span className="wrap-anywhere">
        Improves prompts with {model}
        {note}
      </span>
      <span className="text-ink-3">
        {formatNumber(today.count)} today, <Money amount_usd={today.cost_usd} /> of {formatMoney(daily_limit_usd)}
      </span>
      <span className="text-ink-3">
        {formatNumber(this_month.count)} this month, <Money amount_usd={this_month.cost_usd} />
      </span>
    </p>
  );
}

interface ModelLinesProps {
  provider: Provider;
  providers: readonly Provider[];
}

/** Says which models of a connection it runs, and which another one runs before it. */
function ModelLines({ provider, providers }: ModelLinesProps) {
  const names = useCatalogNames();
  const groups = groupByRunner(provider, providers);
  if (groups.length === 0)
    return provider.text_model === null ? <p className="mt-1 text-sm text-ink-2">No models</p> : null;
  const nameModels = ({ models }: RunnerGroup) => {
    const labels = models.map((entry) => {
      const name = names.modelOrTask(entry);
      const isSplit = groups.some(
        (group) => group.models !== models && group.models.some(({ model }) => model === entry.model),
      );
      return isSplit && entry.model !== null ? `${name} (${names.task(entry.task)})` : name;
    });
    return [...new Set(labels)].join(', ');
  };
  return groups.map((group) => (
    <p key={group.runner?.id ?? ''} className="mt-1 text-sm text-ink-2">
      {describeGroup(group, provider, nameModels(group))}
    </p>
  ));
}

function describeGroup({ runner }: RunnerGroup, { id, state }: Provider, models: string): string {
  if (runner?.id === id) return models;
  if (state === 'paused')
    return runner ? `On ${runner.name} while paused: ${models}` : `Unavailable while paused: ${models}`;
  return runner ? `Fallback for ${models}: ${runner.name} comes first.` : models;
}
