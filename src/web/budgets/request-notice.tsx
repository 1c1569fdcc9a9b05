import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { ApprovalRequest } from '#contract/resources/request.ts';
import { recentRequestsQuery } from '#web/api/queries/requests.ts';
import { Callout, type CalloutTone } from '#web/ui/display/callout.tsx';
import { RelativeTime } from '#web/ui/display/relative-time.tsx';
import { describeRequest } from './describe-request.ts';
import { RequestResultLink } from './request-result-link.tsx';
import { WithdrawButton } from './withdraw-button.tsx';

const DAY_MS = 86_400_000;

type Order = NonNullable<ApprovalRequest['order']>;

/** The newest of one's own orders that match, while it waits and for a day after the decision. */
export function RequestNotice({ matches }: { matches: (order: Order) => boolean }) {
  const { data: requests, dataUpdatedAt } = useQuery(recentRequestsQuery);
  const request = requests?.find(({ order }) => order !== null && matches(order));
  if (!request || (request.decided_at && dataUpdatedAt - Date.parse(request.decided_at) > DAY_MS)) return null;
  return <RequestCallout request={request} />;
}

const NOTICES = {
  pending: { tone: 'amber', title: 'Waiting for approval' },
  approved: { tone: 'good', title: 'Approved' },
  rejected: { tone: 'bad', title: 'Not approved' },
  canceled: null,
} as const satisfies Record<ApprovalRequest['status'], { tone: CalloutTone; title: string } | null>;

function RequestCallout({ request }: { request: ApprovalRequest }): ReactNode {
  const { status, note, reason, created_at, decided_by } = request;
  const notice = NOTICES[status];
  if (!notice) return null;
  const action = status === 'pending' ? <WithdrawButton request={request} /> : <RequestResultLink request={request} />;
  return (
    <Callout {...notice} action={action}>
      <p>
        {describeRequest(request)}, asked for <RelativeTime at={created_at} />.
      </p>
      {status === 'pending' ? <p dir="auto">“{note}”</p> : null}
      {reason ? (
        <p dir="auto">
          {decided_by ? `${decided_by.name}: ` : null}
          {reason}
        </p>
      ) : null}
    </Callout>
  );
}
