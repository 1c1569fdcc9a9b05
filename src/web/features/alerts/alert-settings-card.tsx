import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { formatMoney } from '#contract/money/money.ts';
import { ALERT_MAIL_ROLES, type AlertMailRole, MAX_ALERT_ADDRESSES } from '#contract/alert-kinds.ts';
import type { Settings } from '#contract/resources/settings.ts';
import { LoadingOrError } from '#web/api/load-error.tsx';
import { signInMethodsQuery } from '#web/api/queries/account.ts';
import { settingsQuery, useUpdateSettings } from '#web/api/queries/settings.ts';
import { ROLE_LABELS } from '#web/api/role-labels.ts';
import { AmountField } from '#web/forms/money/amount-field.tsx';
import { FormDialog, useDialogForm } from '#web/forms/form-dialog.tsx';
import { Button } from '#web/ui/controls/button.tsx';
import { Card } from '#web/ui/display/card.tsx';
import { Checkbox } from '#web/ui/controls/checkbox.tsx';
import { Field, useFieldGroup } from '#web/ui/controls/field.tsx';
import { Skeleton } from '#web/ui/display/skeleton.tsx';
import { TextArea, TextInput } from '#web/ui/controls/text-input.tsx';
import { showToast } from '#web/ui/overlays/toast-store.ts';
import { DescriptionList } from '#web/ui/display/section.tsx';

type AlertSettings = NonNullable<Settings['alerts']>;

const MAIL_ROLE_LABELS = {
  administrator: 'Administrators',
  auditor: 'Auditors',
} as const satisfies Record<AlertMailRole, string>;

/** When the balance counts as low, and who gets mail. */
export function AlertSettingsCard() {
  const settings = useQuery(settingsQuery);
  const methods = useQuery(signInMethodsQuery);
  const [editing, setEditing] = useState(false);
  const alerts = settings.data?.alerts;
  // A service without alerts has no such settings.
  if (settings.data && !alerts) return null;
  return (
    <Card
      title="Settings"
      description="Who hears of low funds, used-up budgets, failing endpoints and waiting reviews."
      footer={alerts ? <Button onClick={() => setEditing(true)}>Change alerts</Button> : null}
    >
      {alerts ? (
        <>
          <DescriptionList rows={describeSettings(alerts)} />
          {methods.data?.mail === false ? (
            <p className="mt-3 text-sm text-ink-3">
              This service sends no mail: <code className="font-mono">SMTP_URL</code> is not set. Alerts still appear
              here and go to webhooks.
            </p>
          ) : null}
        </>
      ) : (
        <LoadingOrError query={settings} what="Settings">
          <Skeleton className="h-20 w-full" />
        </LoadingOrError>
      )}
      {editing && alerts ? <AlertsDialog settings={alerts} onClose={() => setEditing(false)} /> : null}
    </Card>
  );
}

const describeSettings = ({
  low_balance_usd,
  bill_difference_percent,
  mail_roles,
  mail_to,
  verification_mail_to,
}: AlertSettings) => [
  { name: 'Low balance', value: low_balance_usd === null ? 'No alert' : `Below ${formatMoney(low_balance_usd)}` },
  {
    name: 'Bill differs',
    value: bill_difference_percent === null ? 'No alert' : `By more than ${bill_difference_percent} %`,
  },
  {
    name: 'Mail to',
    value: [...mail_roles.map((role) => MAIL_ROLE_LABELS[role]), ...mail_to].join(', ') || 'Nobody',
  },
  { name: 'Verification', value: verification_mail_to ?? 'Not mailed' },
];

interface AlertsFormValues {
  low_balance_usd: string;
  bill_difference_percent: string;
  mail_roles: AlertMailRole[];
  /** One address per line. */
  mail_to: string;
  verification_mail_to: string;
}

function AlertsDialog({ settings, onClose }: { settings: AlertSettings; onClose: () => void }) {
  const { mutateAsync } = useUpdateSettings();
  const form = useDialogForm<AlertsFormValues>({
    low_balance_usd: settings.low_balance_usd ?? '',
    bill_difference_percent: String(settings.bill_difference_percent ?? ''),
    mail_roles: settings.mail_roles,
    mail_to: settings.mail_to.join('\n'),
    verification_mail_to: settings.verification_mail_to ?? '',
  });
  const { register, formState, watch, setValue } = form;
  const { errors } = formState;
  return (
    <FormDialog
      form={form}
      title="Alerts"
      submitLabel="Save"
      onSubmit={async ({ low_balance_usd, bill_difference_percent, mail_roles, mail_to, verification_mail_to }) => {
        const alerts = {
          low_balance_usd: low_balance_usd.trim() || null,
          bill_difference_percent: bill_difference_percent.trim() === '' ? null : Number(bill_difference_percent),
          mail_roles,
          mail_to: splitAddresses(mail_to),
          verification_mail_to: verification_mail_to.trim() || null,
        };
        await mutateAsync({ alerts });
        showToast({ title: 'Alerts changed' });
        onClose();
      }}
      onClose={onClose}
    >
      <AmountField
        control={form.control}
        name="low_balance_usd"
        label="Low balance"
        optional
        hint="Raises an alert when less is available. Leave it empty for none."
        placeholder="5"
      />
      <Field
        label="Bill differs by more than"
        optional
        hint="Percent of our cost of a past month. Leave it empty for no alert."
        error={errors.bill_difference_percent?.message}
      >
        <TextInput
          {...register('bill_difference_percent', {
            validate: (text) => /^(\d{1,2}|100)?$/.test(text.trim()) || 'Enter a whole number from 0 to 100.',
          })}
          inputMode="numeric"
          autoComplete="off"
          suffix="%"
        />
      </Field>
      <Field
        label="Mail alerts to"
        hint="People need a confirmed mail address."
        error={errors.mail_roles?.message}
        group
      >
        <MailRoles value={watch('mail_roles')} onChange={(roles) => setValue('mail_roles', roles)} />
      </Field>
      <Field
        label="Further addresses"
        optional
        hint={`One per line, at most ${MAX_ALERT_ADDRESSES}.`}
        error={errors.mail_to?.message}
      >
        <TextArea
          {...register('mail_to', {
            validate: (text) =>
              splitAddresses(text).length <= MAX_ALERT_ADDRESSES || `Enter at most ${MAX_ALERT_ADDRESSES} addresses.`,
          })}
          rows={3}
          spellCheck={false}
          autoComplete="off"
        />
      </Field>
      <Field
        label="Mail the daily verification to"
        optional
        hint="Choose an address outside of this service. It gets number and hash of the last ledger entry, which prove later that nothing was changed."
        error={errors.verification_mail_to?.message}
      >
        <TextInput {...register('verification_mail_to')} type="email" autoComplete="off" />
      </Field>
    </FormDialog>
  );
}

const splitAddresses = (text: string): string[] => {
  const addresses = text
    .split(/[\n,;]/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return [...new Map(addresses.map((address) => [address.toLowerCase(), address])).values()];
};

function MailRoles({
  value,
  onChange,
}: {
  value: readonly AlertMailRole[];
  onChange: (roles: AlertMailRole[]) => void;
}) {
  const { 'aria-invalid': invalid, ...group } = useFieldGroup();
  return (
    <fieldset {...group} className="flex flex-col gap-2">
      {ALERT_MAIL_ROLES.map((role) => (
        <Checkbox
          key={role}
          label={MAIL_ROLE_LABELS[role]}
          hint={ROLE_LABELS[role].description}
          checked={value.includes(role)}
          aria-invalid={invalid}
          onChange={(checked) =>
            onChange(ALERT_MAIL_ROLES.filter((each) => (each === role ? checked : value.includes(each))))
          }
        />
      ))}
    </fieldset>
  );
}
