import { useState } from 'react';
import type { ApiKey } from '#contract/resources/api-key.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { KeyRow } from './key-row.tsx';
import { keyIdSuffix } from '#web/api/queries/key-labels.ts';
import { useLatestChanges } from '#web/api/queries/audit-events.ts';
import { useRevokeKey } from '#web/api/queries/keys.ts';
import { signOut } from '#web/api/session/session.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { ExactTime } from '#web/ui/relative-time.tsx';
import { showToast } from '#web/ui/toast-store.ts';
import { EditKeyDialog, RotateKeyDialog } from './edit-key-dialog.tsx';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { BudgetMeter } from '#web/budgets/budget-meter.tsx';
import { billingSummaryQuery, budgetsQuery } from '#web/api/queries/billing.ts';
import { useCan } from '#web/api/queries/permissions.ts';
import { Money } from '#web/api/money.tsx';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';

interface KeyListProps {
  keys: readonly ApiKey[];
  ownId: string;
  onCreate: () => void;
}

export function KeyList({ keys, ownId, onCreate }: KeyListProps) {
  const [revoking, setRevoking] = useState<ApiKey>();
  const [editing, setEditing] = useState<ApiKey>();
  const [rotating, setRotating] = useState<ApiKey>();
  const [showRevoked, setShowRevoked] = useState(false);
  const active = keys.filter(({ revoked_at }) => revoked_at === null);
  const revoked = keys.filter(({ revoked_at }) => revoked_at !== null);
  const changes = useLatestChanges(
    'key',
    active.map(({ id }) => id),
  );
  const hasOthers = active.some(({ id }) => id !== ownId);
  return (
    <div className="flex flex-col gap-4">
      {active.length === 0 ? null : (
        <ul
          aria-label="Active keys"
          tabIndex={-1}
          className="divide-y divide-line rounded-md border border-line bg-surface outline-none"
        >
          {active.map((key) => (
            <KeyRow
              key={key.id}
              apiKey={key}
              change={changes.get(key.id)}
              isOwn={key.id === ownId}
              onRevoke={() => setRevoking(key)}
              onEdit={() => setEditing(key)}
              onRotate={() => setRotating(key)}
              spending={<KeySpending apiKey={key} />}
            />
          ))}
        </ul>
      )}
      {hasOthers ? null : (
        <EmptyState
          title={active.length === 0 ? 'No keys yet' : 'This is the only key'}
          actions={<Button onClick={onCreate}>New key</Button>}
        >
          Give every person and program its own key. A standard key is enough to create generations.
        </EmptyState>
      )}
      {revoked.length > 0 ? (
        <section aria-label="Revoked keys">
          <Button variant="ghost" size="sm" aria-expanded={showRevoked} onClick={() => setShowRevoked(!showRevoked)}>
            {showRevoked ? 'Hide revoked keys' : `Show revoked keys (${revoked.length})`}
          </Button>
          {showRevoked ? (
            <ul aria-label="Revoked keys" className="mt-2 divide-y divide-line rounded-md border border-line">
              {revoked.map((key) => (
                <KeyRow key={key.id} apiKey={key} isOwn={false} />
              ))}
            </ul>
          ) : null}
        </section>
      ) : null}
      {editing ? <EditKeyDialog apiKey={editing} onClose={() => setEditing(undefined)} /> : null}
      {rotating ? <RotateKeyDialog apiKey={rotating} onClose={() => setRotating(undefined)} /> : null}
      {revoking ? (
        <RevokeKeyDialog apiKey={revoking} isOwn={revoking.id === ownId} onClose={() => setRevoking(undefined)} />
      ) : null}
    </div>
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
