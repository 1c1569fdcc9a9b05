import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ChevronsUpDown, type LucideIcon, LogIn, LogOut, Settings, Wallet } from 'lucide-react';
import type { BillingSummary } from '#contract/resources/billing.ts';
import type { Me } from '#contract/resources/api-key.ts';
import { billingSummaryQuery } from '#web/api/queries/billing-summary.ts';
import { meQuery } from '#web/api/queries/me.ts';
import { SignInLink } from '#web/api/session/require-session.tsx';
import { signOut, useSession } from '#web/api/session/session.ts';
import { cx } from '#web/ui/cx.ts';
import { MenuItem, MenuList, MenuSeparator, menuItemClass } from '#web/ui/menu.tsx';
import { formatMoney, Money } from '#web/ui/money.tsx';
import { Popover } from '#web/ui/popover.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';

const triggerClass =
  'flex h-11 w-full items-center gap-2.5 rounded-md px-2 text-left transition-colors hover:bg-hover max-xl:justify-center max-xl:px-0';
const compactTriggerClass =
  'flex h-9 items-center gap-2 rounded-md border border-line bg-surface px-3 text-sm font-medium tabular-nums pointer-coarse:h-10';

export function AccountMenu({ compact = false }: { compact?: boolean }) {
  const state = useSession();
  const signedIn = state === 'signed_in';
  const me = useQuery({ ...meQuery, enabled: signedIn });
  const summary = useQuery({ ...billingSummaryQuery(), enabled: signedIn });
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
  const name = me.data?.organization.name ?? 'Account';
  const funds = summary.data ? formatMoney(summary.data.available_usd, { cents: 'down' }) : null;
  const tooltip = summary.data
    ? `${funds} available, ${formatMoney(summary.data.reserved_usd, { cents: 'up' })} reserved`
    : `${name}: account`;
  return (
    <Popover
      side="top"
      align={compact ? 'end' : 'start'}
      aria-label="Account"
      className="w-68 p-1"
      renderTrigger={(props) => (
        <button
          type="button"
          {...props}
          data-tooltip={tooltip}
          className={compact ? compactTriggerClass : triggerClass}
        >
          {compact ? (
            <>
              <Wallet aria-hidden="true" className="size-4 text-ink-3" />
              {funds ?? <Skeleton className="h-3.5 w-12" />}
              <span className="sr-only">available</span>
            </>
          ) : (
            <>
              <Initial name={name} />
              <span className="min-w-0 flex-1 max-xl:sr-only">
                <span className="block truncate text-sm font-medium">{name}</span>
                <span className="block truncate text-xs text-ink-3 tabular-nums">
                  {funds ? (
                    `${funds} available`
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
      {(close) => (
        <>
          <AccountDetails me={me.data} summary={summary.data} />
          <MenuSeparator />
          <MenuList label="Account" close={close}>
            <MenuLink to="/billing" icon={Wallet}>
              Billing
            </MenuLink>
            <MenuLink to="/settings" icon={Settings}>
              Settings
            </MenuLink>
            <MenuItem icon={<LogOut aria-hidden="true" />} onSelect={signOut}>
              Sign out
            </MenuItem>
          </MenuList>
        </>
      )}
    </Popover>
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

const KEY_KIND_LABELS = {
  organization: 'Organization key',
  member: 'Member key',
  publishing: 'Publishing key',
} satisfies Record<Me['key']['kind'], string>;

function AccountDetails({ me, summary }: { me: Me | undefined; summary: BillingSummary | undefined }) {
  return (
    <div role="none" className="px-2 pt-2 pb-1.5">
      {me ? (
        <>
          <p className="truncate font-semibold">{me.organization.name}</p>
          <p className="truncate text-sm text-ink-3">
            {me.key.name} · {KEY_KIND_LABELS[me.key.kind]}
          </p>
        </>
      ) : null}
      {summary ? (
        <dl className="mt-3 grid grid-cols-[1fr_auto] gap-y-1 text-sm">
          <dt className="font-medium">Available</dt>
          <dd className="text-right font-medium">
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
