import type { ReactNode } from 'react';
import type { ApiKey } from '#contract/resources/api-key.ts';
import { keyIdSuffix } from '#web/api/queries/key-labels.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { RelativeTime } from '#web/ui/relative-time.tsx';
import { tooltipProps } from '#web/ui/tooltip-props.ts';
import { KEY_KIND_LABELS } from './key-kind-labels.ts';

interface KeyRowProps {
  apiKey: ApiKey;
  isOwn: boolean;
  /** Absent if the key is revoked. */
  onRevoke?: () => void;
  spending?: ReactNode;
}

export function KeyRow({ apiKey, isOwn, onRevoke, spending }: KeyRowProps) {
  const { id, name, kind, created_at, last_used_at, revoked_at } = apiKey;
  const { label, sentence } = KEY_KIND_LABELS[kind];
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-6 gap-y-1 px-4 py-3 md:grid-cols-[minmax(0,1fr)_9rem_9rem_5.5rem]">
      <div className="min-w-0">
        <p className="flex items-center gap-2">
          <span className="min-w-0 truncate font-medium">{name}</span>
          {isOwn ? <Badge tone="amber">This session</Badge> : null}
        </p>
        <p className="text-sm text-ink-3">
          <span {...tooltipProps(sentence)}>{label}</span> ·{' '}
          <span {...tooltipProps(id)} className="tabular-nums">
            ID {keyIdSuffix(id)}
          </span>
        </p>
      </div>
      <p className="text-sm text-ink-3 max-md:order-last max-md:col-span-2">
        <span className="md:block">Created </span>
        <RelativeTime at={created_at} className="text-ink-2" />
        <span className="md:hidden">
          {' · '}
          <LastUse at={last_used_at} />
        </span>
      </p>
      <p className="text-sm text-ink-3 max-md:hidden">
        {revoked_at ? (
          <>
            <span className="block">Revoked</span>
            <RelativeTime at={revoked_at} className="text-ink-2" />
          </>
        ) : (
          <LastUse at={last_used_at} />
        )}
      </p>
      <div className="flex justify-end">
        {onRevoke ? (
          <Button size="sm" onClick={onRevoke} aria-label={`Revoke ${name}, ID ${keyIdSuffix(id)}`}>
            Revoke
          </Button>
        ) : (
          <Badge>Revoked</Badge>
        )}
      </div>
      {spending ? <div className="col-span-full">{spending}</div> : null}
    </li>
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
