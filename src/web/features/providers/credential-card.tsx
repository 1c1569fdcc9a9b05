import { ExternalLink, Stethoscope } from 'lucide-react';
import { useState } from 'react';
import { type UseFormReturn, useWatch } from 'react-hook-form';
import type { ProviderPreset } from '#contract/resources/provider-preset.ts';
import type { ProviderTest } from '#contract/resources/provider.ts';
import { useTestProviderKey } from '#web/api/queries/providers.ts';
import { Button, buttonClass } from '#web/ui/controls/button.tsx';
import { Callout } from '#web/ui/display/callout.tsx';
import { Card } from '#web/ui/display/card.tsx';
import { Field } from '#web/ui/controls/field.tsx';
import { RevealButton } from '#web/ui/display/secret-box.tsx';
import { SegmentedControl } from '#web/ui/controls/segmented-control.tsx';
import { TextInput } from '#web/ui/controls/text-input.tsx';
import type { ProviderFormValues } from './model-choice.ts';
import { showRequestErrors } from './show-request-errors.ts';

/** The part of the request that says how to reach the provider. */
export const toCredential = (
  preset: ProviderPreset,
  { key, key_source, address }: ProviderFormValues,
): ProviderTest => ({
  provider: preset.id,
  ...(preset.key === 'none' || (key_source === 'typed' && key.trim() === '')
    ? {}
    : key_source === 'environment'
      ? { use_environment: true }
      : { key: key.trim() }),
  ...(address.trim() === '' || key_source === 'environment' ? {} : { address: address.trim() }),
});

interface CredentialCardProps {
  preset: ProviderPreset;
  form: UseFormReturn<ProviderFormValues>;
}

export function CredentialCard({ preset, form }: CredentialCardProps) {
  const test = useTestProviderKey();
  const [isRevealed, setIsRevealed] = useState(false);
  const { name, key, key_url, terms_url, address, environment_key } = preset;
  const { errors } = form.formState;
  const keySource = useWatch({ control: form.control, name: 'key_source' });
  const takesKey = key !== 'none';
  const isTyped = takesKey && keySource === 'typed';
  const runTest = async () => {
    if (await form.trigger(['key', 'address'], { shouldFocus: true }))
      test.mutate(toCredential(preset, form.getValues()), {
        onError: (error) => showRequestErrors(form, ['key', 'address'], error),
      });
  };
  const resetTest = () => test.reset();
  return (
    <Card
      title={takesKey ? 'Key' : 'Server'}
      description={
        takesKey ? 'It is stored encrypted and never shown again.' : 'The address at which this service reaches it.'
      }
      footer={
        <>
          <Button
            busy={test.isPending}
            icon={<Stethoscope aria-hidden="true" className="size-4" />}
            onClick={() => void runTest()}
          >
            {takesKey ? 'Test key' : 'Test connection'}
          </Button>
          {key_url === null ? null : <OutsideLink href={key_url}>Get a key</OutsideLink>}
          {terms_url === null ? null : (
            <OutsideLink href={terms_url}>
              Terms of <bdi>{name}</bdi>
            </OutsideLink>
          )}
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {takesKey && environment_key !== null ? (
          <SegmentedControl
            label="Key"
            value={keySource}
            options={[
              { value: 'environment', label: `Use ${environment_key}` },
              { value: 'typed', label: 'Paste a key' },
            ]}
            onChange={(next) => {
              form.setValue('key_source', next);
              resetTest();
            }}
          />
        ) : null}
        {isTyped ? (
          <Field label={key === 'optional' ? 'Key (optional)' : 'Key'} error={errors.key?.message}>
            <TextInput
              type={isRevealed ? 'text' : 'password'}
              {...form.register('key', {
                validate: (text, values) =>
                  key === 'optional' ||
                  values.key_source === 'environment' ||
                  text.trim() !== '' ||
                  'Paste your key first.',
                onChange: resetTest,
              })}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              suffix={<RevealButton what="the key" shown={isRevealed} onChange={setIsRevealed} />}
            />
          </Field>
        ) : null}
        {takesKey && !isTyped ? (
          <p className="text-sm wrap-anywhere text-ink-3">
            This key is only sent to {address}. To use another address, paste a key.
          </p>
        ) : (
          <AddressField preset={preset} form={form} required={address === null} onChange={resetTest} />
        )}
        <div aria-live="polite" className="empty:-mt-4">
          {test.data ? (
            <Callout tone={test.data.ok ? 'good' : 'bad'} title={test.data.ok ? 'It works' : 'It does not work'}>
              {test.data.message}
            </Callout>
          ) : null}
        </div>
      </div>
    </Card>
  );
}

interface AddressFieldProps extends CredentialCardProps {
  required: boolean;
  onChange: () => void;
}

/** Providers with a usual address need none; a gateway or another region is the exception. */
function AddressField({ preset: { address }, form, required, onChange }: AddressFieldProps) {
  const [isOpen, setIsOpen] = useState(required || form.getValues('address') !== '');
  if (!isOpen)
    return (
      <Button variant="ghost" size="sm" className="self-start" onClick={() => setIsOpen(true)}>
        Use another address
      </Button>
    );
  return (
    <Field
      label="Address"
      error={form.formState.errors.address?.message}
      hint={
        required
          ? 'An address in your own network must be allowed with ALLOW_PRIVATE_NETWORKS.'
          : `Leave empty for ${address}.`
      }
    >
      <TextInput
        {...form.register('address', {
          validate: (text) => !required || text.trim() !== '' || 'Enter the address of the server.',
          onChange,
        })}
        inputMode="url"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        placeholder={address ?? 'https://models.example.com/v1'}
      />
    </Field>
  );
}

const OutsideLink = ({ href, children }: { href: string; children: React.ReactNode }) => (
  <a href={href} target="_blank" rel="noreferrer" className={buttonClass({ variant: 'ghost' })}>
    {children}
    <ExternalLink aria-hidden="true" className="size-4" />
  </a>
);
