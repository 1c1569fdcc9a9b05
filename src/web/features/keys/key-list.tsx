import { useState } from 'react';
import type { ApiKey } from '#contract/resources/api-key.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { KeyRow } from './key-row.tsx';
import { KeySpending } from './key-spending.tsx';
import { RevokeKeyDialog } from './revoke-key-dialog.tsx';

export interface KeyListProps {
  keys: readonly ApiKey[];
  /** ID of the key of this session. */
  ownId: string;
  onCreate: () => void;
}

/** Active keys, newest first, and revoked ones on demand. */
export function KeyList({ keys, ownId, onCreate }: KeyListProps) {
  const [revoking, setRevoking] = useState<ApiKey>();
  const [showRevoked, setShowRevoked] = useState(false);
  const active = keys.filter(({ revoked_at }) => revoked_at === null);
  const revoked = keys.filter(({ revoked_at }) => revoked_at !== null);
  const hasOthers = active.some(({ id }) => id !== ownId);
  return (
    <div className="flex flex-col gap-4">
      <ul
        aria-label="Active keys"
        tabIndex={-1}
        className="divide-y divide-line rounded-md border border-line bg-surface outline-none"
      >
        {active.map((key) => (
          <KeyRow
            key={key.id}
            apiKey={key}
            isOwn={key.id === ownId}
            onRevoke={() => setRevoking(key)}
            spending={<KeySpending apiKey={key} />}
          />
        ))}
      </ul>
      {hasOthers ? null : (
        <EmptyState title="This is the only key" actions={<Button onClick={onCreate}>New key</Button>}>
          Give every person and program its own key. A member key is enough to create generations.
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
      {revoking ? (
        <RevokeKeyDialog apiKey={revoking} isOwn={revoking.id === ownId} onClose={() => setRevoking(undefined)} />
      ) : null}
    </div>
  );
}
