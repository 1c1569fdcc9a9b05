import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { formatMoney } from '#contract/money/money.ts';
import { settingsQuery, useUpdateSettings } from '#web/api/queries/settings.ts';
import { LoadingOrError } from '#web/api/load-error.tsx';
import { AmountField } from '#web/forms/money/amount-field.tsx';
import { FormDialog, useDialogForm } from '#web/forms/form-dialog.tsx';
import { Button } from '#web/ui/controls/button.tsx';
import { Card } from '#web/ui/display/card.tsx';
import { Skeleton } from '#web/ui/display/skeleton.tsx';
import { SettingSwitch } from './setting-switch.tsx';

/** What members see, and what they have to ask for. */
export function MembersCard() {
  const settings = useQuery(settingsQuery);
  const [asking, setAsking] = useState(false);
  const { data } = settings;
  return (
    <Card title="Members" description="For people with the role member. Administrators and auditors are not limited.">
      {data ? (
        <div className="flex flex-col gap-4">
          <SettingSwitch
            settings={data}
            name="members_see_own_work_only"
            label="Members see only their own work"
            hint="Generations, media and workflow runs of others are hidden from them."
          />
          <div className="flex flex-wrap items-center justify-between gap-3">
            <div className="min-w-0">
              <p className="text-sm font-medium">
                {data.approval_above_usd === null
                  ? 'Orders need no approval'
                  : `Orders above ${formatMoney(data.approval_above_usd)} need an approval`}
              </p>
              <p className="text-sm text-ink-3">
                Members ask for it with a note. Administrators answer in Billing → Overview.
              </p>
            </div>
            <Button onClick={() => setAsking(true)}>Change limit</Button>
          </div>
        </div>
      ) : (
        <LoadingOrError query={settings} what="Settings">
          <Skeleton className="h-16 w-full" />
        </LoadingOrError>
      )}
      {asking && data ? (
        <ApprovalLimitDialog limit_usd={data.approval_above_usd} onClose={() => setAsking(false)} />
      ) : null}
    </Card>
  );
}

function ApprovalLimitDialog({ limit_usd, onClose }: { limit_usd: string | null; onClose: () => void }) {
  const { mutateAsync } = useUpdateSettings();
  const form = useDialogForm<{ approval_above_usd: string }>({ approval_above_usd: limit_usd ?? '' });
  return (
    <FormDialog
      form={form}
      title="Approval limit"
      description="Orders of members above this amount wait until an administrator approves them."
      submitLabel="Save"
      onSubmit={async ({ approval_above_usd }) => {
        const limit = approval_above_usd.trim();
        await mutateAsync({ approval_above_usd: limit === '' ? null : limit });
        onClose();
      }}
      onClose={onClose}
    >
      <AmountField
        control={form.control}
        name="approval_above_usd"
        label="Limit"
        optional
        hint="Leave it empty if no order needs an approval."
        placeholder="5"
      />
    </FormDialog>
  );
}
