import type { ReactNode } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { MAX_SHARE_TITLE_LENGTH } from '#contract/limits.ts';
import { Switch } from '#web/ui/checkbox.tsx';
import { Field } from '#web/ui/field.tsx';
import { Select } from '#web/ui/select.tsx';
import { TextInput } from '#web/ui/text-input.tsx';
import type { ExpiryChoice } from './share-labels.ts';

export interface ShareValues {
  title: string;
  expiry: ExpiryChoice;
  allow_downloads: boolean;
  show_prompts: boolean;
  show_organization: boolean;
}

interface ShareOptionsProps {
  form: UseFormReturn<ShareValues>;
  expiryLabel: string;
  expiryOptions: readonly { value: ExpiryChoice; label: string }[];
  expiryHint?: ReactNode;
}

/** What visitors of a page get, and when it ends. */
export function ShareOptions({ form, expiryLabel, expiryOptions, expiryHint }: ShareOptionsProps) {
  const { errors } = form.formState;
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
      {option(
        'allow_downloads',
        'Full quality and downloads',
        values.allow_downloads
          ? 'Visitors get the original files, with the data inside them.'
          : 'Small pictures and three silent seconds of videos. Sound can’t be played.',
      )}
      {option('show_prompts', 'Show prompts', 'Below each result.')}
      {option('show_organization', 'Show the organization’s name', 'Otherwise the page does not say who shares it.')}
    </>
  );
}
