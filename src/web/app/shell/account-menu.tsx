import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import {
  ChevronsUpDown,
  CircleHelp,
  KeyRound,
  LogIn,
  LogOut,
  type LucideIcon,
  Monitor,
  Smartphone,
  UserRound,
  Wallet,
} from 'lucide-react';
import { meQuery } from '#web/api/queries/me.ts';
import { useCan } from '#web/api/queries/permissions.ts';
import { SignInLink } from '#web/api/session/require-session.tsx';
import { signOut, useSession } from '#web/api/session/session.ts';
import { Avatar } from '#web/ui/display/avatar.tsx';
import { cx } from '#web/ui/cx.ts';
import { Menu, MenuItem, MenuLink } from '#web/ui/overlays/menu.tsx';
import { Skeleton } from '#web/ui/display/skeleton.tsx';
import { AccountDetails, accessLabel } from './account-details.tsx';
import { useFunds } from './nav-funds.tsx';
import { showOverlay } from './overlay.ts';

const triggerClass =
  'flex h-11 w-full min-w-0 items-center gap-2.5 rounded-md px-2 text-left transition-colors hover:bg-hover max-xl:justify-center max-xl:px-0';
const compactTriggerClass =
  'flex h-9 items-center gap-2 rounded-md border border-line bg-surface px-3 text-sm font-medium tabular-nums pointer-coarse:h-10';

export function AccountMenu({ compact = false }: { compact?: boolean }) {
  const state = useSession();
  const signedIn = state === 'signed_in';
  const me = useQuery({ ...meQuery, enabled: signedIn });
  const canManageKeys = useCan('keys.manage_own');
  const managesAllKeys = useCan('keys.manage');
  const funds = useFunds();
  if (!signedIn) {
    return (
      <SignInLink className={compact ? compactTriggerClass : triggerClass}>
        <span
          className={
            compact ? '' : 'flex size-7 flex-none items-center justify-center rounded-sm bg-amber text-amber-ink'
          }
        >
          <LogIn aria-hidden="true" className="size-4" />
        </span>
        <span className={cx('font-medium', !compact && 'max-xl:sr-only')}>Sign in</span>
      </SignInLink>
    );
  }
  const name = me.data?.person?.name ?? me.data?.organization.name ?? 'Account';
  return (
    <Menu
      side="top"
      align={compact ? 'end' : 'start'}
      label="Account"
      className="w-68"
      header={<AccountDetails me={me.data} funds={funds} />}
      renderTrigger={(props) => (
        <button
          type="button"
          {...props}
          data-tooltip={compact ? funds?.exact : name}
          className={compact ? compactTriggerClass : triggerClass}
        >
          {compact ? (
            <>
              {me.data?.person ? (
                <Avatar id={me.data.person.id} name={name} size="sm" className="-ml-1" />
              ) : (
                <Wallet aria-hidden="true" className="size-4 text-ink-3" />
              )}
              {funds ? (
                <>
                  {funds.amount ?? <Skeleton className="h-3.5 w-12" />}
                  <span className="sr-only">{funds.label}</span>
                </>
              ) : (
                <span className="max-w-32 truncate">{name}</span>
              )}
            </>
          ) : (
            <>
              {me.data?.person ? <Avatar id={me.data.person.id} name={name} /> : <Initial name={name} />}
              <span data-shows-label="" className="min-w-0 flex-1 max-xl:sr-only">
                <span className="block truncate text-sm font-medium">{name}</span>
                {me.data ? (
                  <span className="block truncate text-xs text-ink-3">{accessLabel(me.data)}</span>
                ) : (
                  <Skeleton className="mt-0.5 h-3 w-20" />
                )}
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
      {me.data?.person ? (
        <AccountItem to="/account" hash="phone" icon={Smartphone}>
          Sign in on your phone
        </AccountItem>
      ) : null}
      {canManageKeys && !managesAllKeys ? (
        <AccountItem to="/keys" icon={KeyRound}>
          Your keys
        </AccountItem>
      ) : null}
      <AccountItem to="/device" icon={Monitor}>
        Your device
      </AccountItem>
      <MenuItem icon={<CircleHelp aria-hidden="true" />} onSelect={() => showOverlay('help')}>
        Help
      </MenuItem>
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

function AccountItem({
  to,
  hash,
  icon: Icon,
  children,
}: {
  to: string;
  hash?: string;
  icon: LucideIcon;
  children: string;
}) {
  return (
    <MenuLink link={<Link to={to} {...(hash ? { hash } : {})} />}>
      <Icon aria-hidden="true" />
      {children}
    </MenuLink>
  );
}
