import type { ReactNode } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { MAX_SHARE_TITLE_LENGTH, SHARE_CODE_LENGTH } from '#contract/limits.ts';
import type { ShareRequest } from '#contract/resources/share.ts';
import { Switch } from '#web/ui/controls/checkbox.tsx';
import { Field } from '#web/ui/controls/field.tsx';
import { Select } from '#web/ui/controls/select.tsx';
import { TextInput } from '#web/ui/controls/text-input.tsx';
import { type ExpiryChoice, expiryDays, REQUEST_OPTIONS } from './share-labels.ts';

export interface ShareValues {
  title: string;
  expiry: ExpiryChoice;
  allow_downloads: boolean;
  show_prompts: boolean;
  show_organization: boolean;
  asks_for: ShareRequest | 'nothing';
  /** Whether clients need a code. */
  locked: boolean;
  /** Empty: the one of before. */
  code: string;
}

/** The values as a request takes them. */
export const toShareBody = ({ expiry, asks_for, locked, code, ...rest }: ShareValues) => ({
  ...rest,
  expires_in_days: expiryDays(expiry),
  asks_for: asks_for === 'nothing' ? null : asks_for,
  code: locked ? code.trim() || undefined : null,
});

interface ShareOptionsProps {
  form: UseFormReturn<ShareValues>;
  expiryLabel: string;
  expiryOptions: readonly { value: ExpiryChoice; label: string }[];
  expiryHint?: ReactNode;
  /** The page has a code already. */
  hasCode?: boolean;
}

/** What visitors of a page get, and when it ends. */
export function ShareOptions({ form, expiryLabel, expiryOptions, expiryHint, hasCode = false }: ShareOptionsProps) {
  const { errors } = form.formState;
  const { min, max } = SHARE_CODE_LENGTH;
  const values = form.watch();
  const option = (name: 'allow_downloads' | 'show_prompts' | 'show_organization', label: string, hint: string) => (
    <Switch label={label} hint={hint} checked={values[name]} onChange={(on) => form.setValue(name, on)} />
  );
  return (
    <>
      <Field label="Heading" optional error={errors.title?.message} hint="Visitors see it above the files.">
        <TextInput {...form.register('title')} maxLength={MAX_SHARE_TITLE_LENGTH} autoComplete="off" />
      </Field>
      <Field label={expiryLabel} hint={expiryHint}>
        <Select value={values.expiry} options={expiryOptions} onChange={(expiry) => form.setValue('expiry', expiry)} />
      </Field>
      <Field
        label="Ask the client for"
        hint={
          values.asks_for === 'nothing'
            ? 'They only look.'
            : 'They give a name, no account. Their answers appear in the Library, and each can have a comment.'
        }
      >
        <Select
          value={values.asks_for}
          options={REQUEST_OPTIONS}
          onChange={(asks_for) => {
            form.setValue('asks_for', asks_for);
            if (asks_for !== 'nothing') form.setValue('show_organization', true);
          }}
        />
      </Field>
      {values.asks_for === 'nothing' ? null : (
        <>
          <Switch
            label="Require a code to answer"
            hint="Send it apart from the link. Without it, whoever has the link can answer."
            checked={values.locked}
            onChange={(on) => form.setValue('locked', on)}
          />
          {values.locked ? (
            <Field
              label="Code"
              error={errors.code?.message}
              hint={hasCode ? 'Leave it empty to keep the code.' : undefined}
            >
              <TextInput
                {...form.register('code', {
                  required: hasCode ? false : 'Enter a code, or switch it off.',
                  minLength: { value: min, message: `A code has at least ${min} characters.` },
                })}
                maxLength={max}
                autoComplete="off"
              />
            </Field>
          ) : null}
        </>
      )}
      {option(
        'allow_downloads',
        'Full quality and downloads',
        values.allow_downloads
          ? 'Visitors get the original files, with the data inside them.'
          : 'Small pictures and three silent seconds of videos. Sound can’t be played.',
      )}
      {option('show_prompts', 'Show prompts', 'Below each result.')}
      {option(
        'show_organization',
        'Show the organization’s name and logo',
        'Otherwise the page does not say who shares it.',
      )}
    </>
  );
}
