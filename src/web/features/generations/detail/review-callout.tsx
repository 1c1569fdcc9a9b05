import { Link } from '@tanstack/react-router';
import type { Generation } from '#contract/resources/generation.ts';
import { useIsOperator } from '#web/api/queries/me.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { Callout } from '#web/ui/callout.tsx';
import { formatMoney } from '#web/ui/money.tsx';
import { STATUS_DESCRIPTIONS } from '../status-descriptions.ts';

/** It waits for a person: what that means for whoever asked for it, and the way to decide for whoever may. */
export function ReviewCallout({ generation: { id, error, usage } }: { generation: Generation }) {
  const may_decide = useIsOperator();
  return (
    <Callout
      tone="amber"
      title="In review: a person has to look at it"
      action={
        may_decide ? (
          <Link to="/review/$id" params={{ id }} className={buttonClass({ size: 'sm', variant: 'primary' })}>
            Decide
          </Link>
        ) : null
      }
    >
      <p>{error?.message ?? STATUS_DESCRIPTIONS.manual_review}</p>
      <p className="mt-1">
        {Number(usage.amount_usd) > 0 ? `${formatMoney(usage.amount_usd)} is held, not charged. ` : ''}
        {may_decide
          ? 'Approving charges it, rejecting gives it back.'
          : 'You have nothing to do: once somebody who runs this studio has decided, you see it here.'}
      </p>
    </Callout>
  );
}
