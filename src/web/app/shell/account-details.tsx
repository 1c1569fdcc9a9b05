import type { Me } from '#contract/resources/api-key.ts';
import { ROLE_LABELS } from '#web/api/role-labels.ts';
import { THIS_INTERVAL } from '#web/budgets/scope-name.ts';
import { cx } from '#web/ui/cx.ts';
import { Money } from '#web/api/money.tsx';
import type { useFunds } from './nav-funds.tsx';

interface AccountDetailsProps {
  me: Me | undefined;
  funds: ReturnType<typeof useFunds>;
}

const KEY_KIND_LABELS = {
  organization: 'Organization key',
  member: 'Standard key',
  publishing: 'Publishing key',
} satisfies Record<Me['key']['kind'], string>;

export const accessLabel = ({ person, key }: Me): string =>
  person ? ROLE_LABELS[person.role].label : KEY_KIND_LABELS[key.kind];

/** Says who is signed in and what they may spend. */
export function AccountDetails({ me, funds }: AccountDetailsProps) {
  const { summary, ownBudget } = funds ?? {};
  const isMember = me?.person?.role === 'member';
  return (
    <div className="-mx-1 mb-1 border-b border-line px-3 pt-2 pb-2.5">
      {me ? (
        <>
          <p className="truncate font-semibold">{me.person?.name ?? me.organization.name}</p>
          <p className="truncate text-sm text-ink-3">
            {me.person ? me.organization.name : me.key.name} · {accessLabel(me)}
          </p>
        </>
      ) : null}
      {summary ? (
        <dl className="mt-3 grid grid-cols-[1fr_auto] gap-y-1 text-sm">
          {ownBudget ? (
            <>
              <dt className="font-medium">Yours {THIS_INTERVAL[ownBudget.interval]}</dt>
              <dd className="text-right font-medium">
                <Money amount_usd={ownBudget.left_usd} /> left
              </dd>
            </>
          ) : null}
          <dt className={ownBudget ? 'text-ink-3' : 'font-medium'}>
            {isMember ? 'Available to everybody' : 'Available'}
          </dt>
          <dd className={cx('text-right', ownBudget ? 'text-ink-2' : 'font-medium')}>
            <Money amount_usd={summary.available_usd} />
          </dd>
          <dt className="text-ink-3">Reserved for running work</dt>
          <dd className="text-right text-ink-2">
            <Money amount_usd={summary.reserved_usd} />
          </dd>
        </dl>
      ) : null}
    </div>
  );
}
