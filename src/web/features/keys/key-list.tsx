import { createContext, use, useMemo, useState } from 'react';
import type { ApiKey } from '#contract/resources/api-key.ts';
import type { AuditEvent } from '#contract/resources/audit-event.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { EmptyState } from '#web/ui/display/empty-state.tsx';
import { KeyRow } from './key-row.tsx';
import { keyIdSuffix } from '#web/api/queries/key-labels.ts';
import { useLatestChanges } from '#web/api/queries/audit-events.ts';
import { keysQuery, useRevokeKey } from '#web/api/queries/keys.ts';
import { meQuery } from '#web/api/queries/me.ts';
import { useWholeList } from '#web/collections/collection-list.ts';
import { CollectionView, defineCollection, type EmptyProps } from '#web/collections/collection-view.tsx';
import type { QueryOf } from '#web/collections/filter-rows.ts';
import { KEY_FILTERS } from './keys-search.ts';
import { signOut } from '#web/api/session/session.ts';
import { ConfirmDialog } from '#web/ui/overlays/confirm-dialog.tsx';
import { ExactTime } from '#web/ui/display/relative-time.tsx';
import { showToast } from '#web/ui/overlays/toast-store.ts';
import { EditKeyDialog, RotateKeyDialog } from './edit-key-dialog.tsx';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { BudgetMeter } from '#web/budgets/budget-meter.tsx';
import { billingSummaryQuery, budgetsQuery } from '#web/api/queries/billing.ts';
import { useCan } from '#web/api/queries/permissions.ts';
import { Money } from '#web/api/money.tsx';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { Skeleton } from '#web/ui/display/skeleton.tsx';

type KeyDialog = 'edit' | 'rotate' | 'revoke';

interface KeyRowsState {
  /** Of the session; undefined until it is known. */
  ownId: string | undefined;
  /** The newest change of each key. */
  changes: ReadonlyMap<string, AuditEvent>;
  /** A dialog outlives its row, which leaves the list when its key is revoked. */
  open: (dialog: KeyDialog, key: ApiKey) => void;
}

/** What the rows share. */
const KeyRowsContext = createContext<KeyRowsState | null>(null);

function KeyListRow({ row: key }: { row: ApiKey }) {
  const rows = use(KeyRowsContext);
  if (!rows || key.revoked_at !== null) return <KeyRow apiKey={key} isOwn={false} />;
  return (
    <KeyRow
      apiKey={key}
      change={rows.changes.get(key.id)}
      isOwn={key.id === rows.ownId}
      onRevoke={() => rows.open('revoke', key)}
      onEdit={() => rows.open('edit', key)}
      onRotate={() => rows.open('rotate', key)}
      spending={<KeySpending apiKey={key} />}
    />
  );
}

function useKeyList({ show }: QueryOf<typeof KEY_FILTERS>) {
  const list = useWholeList(keysQuery);
  const { rows } = list;
  return {
    ...list,
    rows: useMemo(() => rows.filter(({ revoked_at }) => (revoked_at !== null) === (show === 'revoked')), [rows, show]),
  };
}

const NoKeys = ({ search: { show } }: EmptyProps<typeof KEY_FILTERS>) =>
  show === 'revoked' ? <EmptyState title="No revoked keys" /> : <NoOtherKeys title="No keys yet" />;

/** Opens the dialog of the page. */
export const NewKeyContext = createContext<() => void>(() => undefined);

function NoOtherKeys({ title }: { title: string }) {
  return (
    <EmptyState title={title} actions={<Button onClick={use(NewKeyContext)}>New key</Button>}>
      Give every person and program its own key. A standard key is enough to create generations.
    </EmptyState>
  );
}

const KEYS = defineCollection({
  label: 'Keys',
  item: 'key',
  filters: KEY_FILTERS,
  useList: useKeyList,
  body: {
    Row: KeyListRow,
    skeletonClass: 'flex h-32.25 gap-4 py-3.5 md:h-24.25',
    skeleton: (
      <>
        <span className="flex-1">
          <Skeleton className="h-4 w-40" />
          <Skeleton className="mt-2 h-3 w-28" />
          <Skeleton className="mt-4 h-3.5 w-36" />
          <Skeleton className="mt-4 h-3.5 w-44 md:hidden" />
        </span>
        <Skeleton className="mt-1 hidden h-4 w-24 md:block" />
        <Skeleton className="mt-1 h-7 w-16 pointer-coarse:h-9" />
      </>
    ),
  },
  skeletonRows: 3,
  Empty: NoKeys,
});

const route = getRouteApi('/keys');

export function KeyList() {
  const search = route.useSearch();
  const { data: me } = useQuery(meQuery);
  const { data: keys } = useQuery(keysQuery);
  const ids = useMemo(() => keys?.filter(({ revoked_at }) => revoked_at === null).map(({ id }) => id) ?? [], [keys]);
  const changes = useLatestChanges('key', ids);
  const [opened, setOpened] = useState<{ dialog: KeyDialog; key: ApiKey } | null>(null);
  const close = () => setOpened(null);
  const ownId = me?.key.id;
  const shared = useMemo(
    () => ({ ownId, changes, open: (dialog: KeyDialog, key: ApiKey) => setOpened({ dialog, key }) }),
    [ownId, changes],
  );
  const isOnlyOwn = ids.length === 1 && ids[0] === ownId && search.show === undefined;
  return (
    <KeyRowsContext value={shared}>
      <CollectionView collection={KEYS} search={search} />
      {isOnlyOwn ? (
        <div className="mt-4">
          <NoOtherKeys title="This is the only key" />
        </div>
      ) : null}
      {opened?.dialog === 'edit' ? <EditKeyDialog apiKey={opened.key} onClose={close} /> : null}
      {opened?.dialog === 'rotate' ? <RotateKeyDialog apiKey={opened.key} onClose={close} /> : null}
      {opened?.dialog === 'revoke' ? (
        <RevokeKeyDialog apiKey={opened.key} isOwn={opened.key.id === ownId} onClose={close} />
      ) : null}
    </KeyRowsContext>
  );
}

interface RevokeKeyDialogProps {
  apiKey: ApiKey;
  isOwn: boolean;
  onClose: () => void;
}

function RevokeKeyDialog({ apiKey, isOwn, onClose }: RevokeKeyDialogProps) {
  const { id, name, created_at, last_used_at } = apiKey;
  const { mutate, isPending, error } = useRevokeKey();
  const revoke = () =>
    mutate(id, {
      onSuccess: () => {
        showToast({ title: 'Key revoked', detail: `“${name}” (${keyIdSuffix(id)}) no longer works.` });
        onClose();
        if (isOwn) signOut();
      },
    });
  return (
    <ConfirmDialog
      title="Revoke this key?"
      description={
        <>
          <bdi className="font-medium text-ink-2">{name}</bdi> · ID {keyIdSuffix(id)}
          <br />
          Created <ExactTime at={created_at} />,{' '}
          {last_used_at ? (
            <>
              last used <ExactTime at={last_used_at} />
            </>
          ) : (
            'never used'
          )}
        </>
      }
      cancelLabel="Cancel"
      confirmLabel="Revoke key"
      variant="danger"
      busy={isPending}
      error={error}
      consequences={[
        'The key stops working immediately. This can’t be undone.',
        'Queued work is canceled and workflow runs stop. Running work finishes and is charged.',
        'Everything created with it is kept.',
      ]}
      gravest={isOwn ? 'You are signed in with this key and will be signed out.' : null}
      onConfirm={revoke}
      onClose={onClose}
    />
  );
}

const BudgetDialog = lazyComponent(async () => (await import('#web/budgets/budget-dialog.tsx')).BudgetDialog);

/** The start of this month in UTC. All rows use the same time, so that they share one request. */
const startOfUtcMonth = () => {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1)).toISOString();
};

function KeySpending({ apiKey: { id, name, kind } }: { apiKey: ApiKey }) {
  const [from] = useState(startOfUtcMonth);
  const { data: summary, isPending } = useQuery(billingSummaryQuery({ from }));
  const { data: budgets } = useQuery(budgetsQuery);
  const canSet = useCan('budgets.manage');
  const [open, setOpen] = useState(false);
  const label = `${name} · ${keyIdSuffix(id)}`;
  // A publishing key can only upload, which is free.
  if (kind === 'publishing') return null;
  if (!summary) return isPending ? <Skeleton className="my-1.5 h-4 w-36 pointer-coarse:my-2.5" /> : null;
  const spent = summary.by_key.find(({ key_id }) => key_id === id);
  const budget = budgets?.find((each) => each.id === id) ?? null;
  return (
    <div className="flex flex-wrap items-center gap-x-6 gap-y-2 text-sm text-ink-2">
      <Link
        to="/billing"
        search={{ part: 'ledger', key: id, from: from.slice(0, 10) }}
        className="underline-offset-2 hover:underline"
      >
        <Money amount_usd={spent?.amount_usd ?? '0.00'} /> this month
      </Link>
      {budget ? (
        <div className="min-w-0 flex-[1_1_16rem]">
          <BudgetMeter quiet budget={budget} />
        </div>
      ) : null}
      {budgets && canSet ? (
        <Button
          size="sm"
          variant="ghost"
          onPointerEnter={BudgetDialog.preload}
          onFocus={BudgetDialog.preload}
          onClick={() => setOpen(true)}
        >
          {budget ? 'Change budget' : 'Set budget'}
          <span className="sr-only"> for {label}</span>
        </Button>
      ) : null}
      {open ? <BudgetDialog name={label} scope={`key:${id}`} budget={budget} onClose={() => setOpen(false)} /> : null}
    </div>
  );
}
