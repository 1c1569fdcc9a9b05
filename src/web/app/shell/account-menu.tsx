import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ChevronsUpDown, LogIn, LogOut, type LucideIcon, Settings, UserRound, Wallet } from 'lucide-react';
import { formatMoney } from '#contract/money.ts';
import { billingSummaryQuery } from '#web/api/queries/billing.ts';
import { meQuery } from '#web/api/queries/me.ts';
import { useCan } from '#web/api/queries/permissions.ts';
import { SignInLink } from '#web/api/session/require-session.tsx';
import { signOut, useSession } from '#web/api/session/session.ts';
import { THIS_INTERVAL } from '#web/budgets/scope-name.ts';
import { useOwnBudget } from '#web/budgets/use-own-budget.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import { cx } from '#web/ui/cx.ts';
import { Menu, MenuItem, MenuLink } from '#web/ui/menu.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { AccountDetails } from './account-details.tsx';

const triggerClass =
  'flex h-11 w-full items-center gap-2.5 rounded-md px-2 text-left transition-colors hover:bg-hover max-xl:justify-center max-xl:px-0';
const compactTriggerClass =
  'flex h-9 items-center gap-2 rounded-md border border-line bg-surface px-3 text-sm font-medium tabular-nums pointer-coarse:h-10';

export function AccountMenu({ compact = false }: { compact?: boolean }) {
  const state = useSession();
  const signedIn = state === 'signed_in';
  const me = useQuery({ ...meQuery, enabled: signedIn });
  const canSeeFunds = useCan('billing.read_own');
  const summary = useQuery({ ...billingSummaryQuery(), enabled: signedIn && canSeeFunds });
  const ownBudget = useOwnBudget();
  if (!signedIn) {
    return (
      <SignInLink className={compact ? compactTriggerClass : triggerClass}>
        <span
          className={cx(
            !compact && 'flex size-7 flex-none items-center justify-center rounded-sm bg-amber text-amber-ink',
          )}
        >
          <LogIn aria-hidden="true" className="size-4" />
        </span>
        <span className={cx('font-medium', !compact && 'max-xl:sr-only')}>Sign in</span>
      </SignInLink>
    );
  }
  const name = me.data?.person?.name ?? me.data?.organization.name ?? 'Account';
  const funds = ownBudget
    ? { amount: formatMoney(ownBudget.left_usd), label: `left ${THIS_INTERVAL[ownBudget.interval]}` }
    : summary.data && { amount: formatMoney(summary.data.available_usd), label: 'available' };
  const reserved = summary.data && !ownBudget ? `, ${formatMoney(summary.data.reserved_usd)} reserved` : '';
  const tooltip = funds ? `${funds.amount} ${funds.label}${reserved}` : `${name}: account`;
  return (
    <Menu
      side="top"
      align={compact ? 'end' : 'start'}
      label="Account"
      className="w-68"
      header={<AccountDetails me={me.data} summary={summary.data} ownBudget={ownBudget} />}
      renderTrigger={(props) => (
        <button
          type="button"
          {...props}
          data-tooltip={tooltip}
          className={compact ? compactTriggerClass : triggerClass}
        >
          {compact ? (
            <>
              {me.data?.person ? (
                <Avatar id={me.data.person.id} name={name} size="sm" className="-ml-1" />
              ) : (
                <Wallet aria-hidden="true" className="size-4 text-ink-3" />
              )}
              {canSeeFunds ? (
                <>
                  {funds?.amount ?? <Skeleton className="h-3.5 w-12" />}
                  <span className="sr-only">{funds?.label ?? 'available'}</span>
                </>
              ) : (
                <span className="max-w-32 truncate">{name}</span>
              )}
            </>
          ) : (
            <>
              {me.data?.person ? <Avatar id={me.data.person.id} name={name} /> : <Initial name={name} />}
              <span className="min-w-0 flex-1 max-xl:sr-only">
                <span className="block truncate text-sm font-medium">{name}</span>
                <span className="block truncate text-xs text-ink-3 tabular-nums">
                  {me.data && !canSeeFunds ? (
                    <span className="capitalize">{me.data.person?.role ?? me.data.key.name}</span>
                  ) : funds ? (
                    `${funds.amount} ${funds.label}`
                  ) : summary.isError ? (
                    'Funds unknown'
                  ) : (
                    <Skeleton className="mt-0.5 h-3 w-20" />
                  )}
                </span>
              </span>
              <ChevronsUpDown aria-hidden="true" className="size-3.5 flex-none text-ink-3 max-xl:hidden" />
            </>
          )}
        </button>
      )}
    >
      <AccountItem to="/account" icon={UserRound}>
        Your account
      </AccountItem>
      {canSeeFunds ? (
        <AccountItem to="/billing" icon={Wallet}>
          Billing
        </AccountItem>
      ) : null}
      <AccountItem to="/settings" icon={Settings}>
        Settings
      </AccountItem>
      <MenuItem icon={<LogOut aria-hidden="true" />} onSelect={signOut}>
        Sign out
      </MenuItem>
    </Menu>
  );
}

function Initial({ name }: { name: string }) {
  return (
    <span
      aria-hidden="true"
      className="flex size-7 flex-none items-center justify-center rounded-sm border border-line-strong text-xs font-semibold text-ink-2"
    >
      {name.trim().charAt(0).toUpperCase()}
    </span>
  );
}

function AccountItem({ to, icon: Icon, children }: { to: string; icon: LucideIcon; children: string }) {
  return (
    <MenuLink link={<Link to={to} />}>
      <Icon aria-hidden="true" />
      {children}
    </MenuLink>
  );
}
