import { Link } from '@tanstack/react-router';
import { type LucideIcon, LogOut, Settings, UserRound, Wallet } from 'lucide-react';
import type { Me } from '#contract/resources/api-key.ts';
import type { BillingSummary } from '#contract/resources/billing.ts';
import type { Budget } from '#contract/resources/budget.ts';
import { ROLE_LABELS } from '#web/api/role-labels.ts';
import { signOut } from '#web/api/session/session.ts';
import { THIS_INTERVAL } from '#web/budgets/scope-name.ts';
import { cx } from '#web/ui/cx.ts';
import { MenuItem, MenuList, MenuSeparator, menuItemClass } from '#web/ui/menu.tsx';
import { Money } from '#web/api/money.tsx';

interface AccountMenuContentProps {
  me: Me | undefined;
  canSeeFunds: boolean;
  summary: BillingSummary | undefined;
  ownBudget: Budget | null;
  close: () => void;
}

export function AccountMenuContent({ me, canSeeFunds, summary, ownBudget, close }: AccountMenuContentProps) {
  return (
    <>
      <AccountDetails me={me} summary={summary} ownBudget={ownBudget} />
      <MenuSeparator />
      <MenuList label="Account" close={close}>
        <MenuLink to="/account" icon={UserRound}>
          Your account
        </MenuLink>
        {canSeeFunds ? (
          <MenuLink to="/billing" icon={Wallet}>
            Billing
          </MenuLink>
        ) : null}
        <MenuLink to="/settings" icon={Settings}>
          Settings
        </MenuLink>
        <MenuItem icon={<LogOut aria-hidden="true" />} onSelect={signOut}>
          Sign out
        </MenuItem>
      </MenuList>
    </>
  );
}

function MenuLink({ to, icon: Icon, children }: { to: string; icon: LucideIcon; children: string }) {
  return (
    <Link to={to} role="menuitem" tabIndex={-1} className={menuItemClass}>
      <Icon aria-hidden="true" />
      {children}
    </Link>
  );
}

const KEY_KIND_LABELS = {
  organization: 'Organization key',
  member: 'Standard key',
  publishing: 'Publishing key',
} satisfies Record<Me['key']['kind'], string>;

const accessLabel = ({ person, key }: Me): string =>
  person ? ROLE_LABELS[person.role].label : KEY_KIND_LABELS[key.kind];

function AccountDetails({ me, summary, ownBudget }: Pick<AccountMenuContentProps, 'me' | 'summary' | 'ownBudget'>) {
  const isMember = me?.person?.role === 'member';
  return (
    <div role="none" className="px-2 pt-2 pb-1.5">
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
