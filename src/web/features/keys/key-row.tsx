import { type ReactNode, useState } from 'react';
import { Pencil, RefreshCw } from 'lucide-react';
import type { ApiKey } from '#contract/resources/api-key.ts';
import type { AuditEvent } from '#contract/resources/audit-event.ts';
import { ChangedBy } from '#web/collections/creator.tsx';
import { keyIdSuffix } from '#web/api/queries/key-labels.ts';
import { Badge } from '#web/ui/display/badge.tsx';
import { Button } from '#web/ui/controls/button.tsx';
import { MoreMenu, MenuItem } from '#web/ui/overlays/menu.tsx';
import { PersonName } from '#web/ui/display/person-name.tsx';
import { RelativeTime } from '#web/ui/display/relative-time.tsx';
import { tooltipProps } from '#web/ui/overlays/tooltip-props.ts';
import { lastValidTime } from './key-fields.tsx';
import { KEY_KIND_LABELS } from './key-kind-labels.ts';

interface KeyRowProps {
  apiKey: ApiKey;
  isOwn: boolean;
  /** Absent if the key is revoked. */
  onRevoke?: () => void;
  onEdit?: () => void;
  onRotate?: () => void;
  spending?: ReactNode;
  /** The newest one. */
  change?: AuditEvent | undefined;
}

export function KeyRow({ apiKey, isOwn, onRevoke, onEdit, onRotate, spending, change }: KeyRowProps) {
  const { id, name, kind, person, last_four, created_at, last_used_at, revoked_at } = apiKey;
  const limits = describeLimits(apiKey);
  const endsAt = apiKey.expires_at;
  const [now] = useState(() => new Date().toISOString());
  const { label, sentence } = KEY_KIND_LABELS[kind];
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-6 gap-y-1 px-4 py-3 md:grid-cols-[minmax(0,1fr)_9rem_9rem_8rem]">
      <p className="flex min-w-0 items-center gap-2">
        <bdi className="min-w-0 truncate font-medium">{name}</bdi>
        {isOwn ? <Badge tone="amber">This session</Badge> : null}
      </p>
      <div className="min-w-0 max-md:order-1 max-md:col-span-2 md:col-start-1 md:row-start-2">
        <p className="text-sm text-ink-3">
          <span {...tooltipProps(sentence)}>{label}</span> ·{' '}
          <span {...tooltipProps(id)} className="tabular-nums">
            ID {keyIdSuffix(id)}
          </span>
          {last_four ? (
            <>
              {' · '}
              <span {...tooltipProps('The last characters of the key')}>ends in {last_four}</span>
            </>
          ) : null}
        </p>
        {person || limits || endsAt || apiKey.previous_valid_until ? (
          <p className="mt-0.5 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-ink-3">
            {person ? <PersonName size="xs" id={person.id} name={person.name} prefix="Belongs to" /> : null}
            {limits ? <span>{limits}</span> : null}
            {endsAt ? (
              <span>
                {revoked_at === null && endsAt <= now ? 'Expired ' : 'Expires '}
                <RelativeTime mayBeFuture at={lastValidTime(endsAt)} className="text-ink-2" />
              </span>
            ) : null}
            {apiKey.previous_valid_until ? (
              <span>
                Previous secret ends{' '}
                <RelativeTime mayBeFuture at={apiKey.previous_valid_until} className="text-ink-2" />
              </span>
            ) : null}
          </p>
        ) : null}
        <ChangedBy change={change} className="mt-0.5" />
      </div>
      <p className="text-sm text-ink-3 max-md:order-last max-md:col-span-2 md:col-start-2 md:row-span-2 md:row-start-1">
        <span className="md:block">Created </span>
        <RelativeTime at={created_at} className="text-ink-2" />
        <span className="md:hidden">
          {' · '}
          <LastUse at={last_used_at} />
        </span>
      </p>
      <p className="text-sm text-ink-3 max-md:hidden md:col-start-3 md:row-span-2 md:row-start-1">
        {revoked_at ? (
          <>
            <span className="block">Revoked</span>
            <RelativeTime at={revoked_at} className="text-ink-2" />
          </>
        ) : (
          <LastUse at={last_used_at} />
        )}
      </p>
      <div className="flex justify-end gap-2 md:col-start-4 md:row-span-2 md:row-start-1">
        {onRevoke ? (
          <>
            <Button size="sm" onClick={onRevoke} aria-label={`Revoke ${name}, ID ${keyIdSuffix(id)}`}>
              Revoke
            </Button>
            <MoreMenu size="sm" label={`Actions for ${name}, ID ${keyIdSuffix(id)}`}>
              <MenuItem icon={<Pencil aria-hidden="true" />} onSelect={() => onEdit?.()}>
                Name and limits…
              </MenuItem>
              <MenuItem icon={<RefreshCw aria-hidden="true" />} onSelect={() => onRotate?.()}>
                Rotate…
              </MenuItem>
            </MoreMenu>
          </>
        ) : (
          <Badge>Revoked</Badge>
        )}
      </div>
      {spending ? <div className="col-span-full max-md:order-2">{spending}</div> : null}
    </div>
  );
}

function LastUse({ at }: { at: string | null }) {
  return at ? (
    <>
      <span className="md:block">Used </span>
      <RelativeTime at={at} className="text-ink-2" />
    </>
  ) : (
    'Never used'
  );
}

/** Says what a key is limited to, in a few words; empty for one without limits. */
function describeLimits({ scopes }: Pick<ApiKey, 'scopes'>): string {
  if (scopes === null) return '';
  const count = (ids: readonly string[] | null, one: string) =>
    ids === null ? [] : [`${ids.length} ${ids.length === 1 ? one : `${one}s`}`];
  return [
    ...(scopes.read_only ? ['Read-only'] : []),
    ...count(scopes.tasks, 'task'),
    ...count(scopes.models, 'model'),
  ].join(', ');
}
