import { useQuery } from '@tanstack/react-query';
import { Fingerprint } from 'lucide-react';
import { useState } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import type { Passkey } from '#contract/resources/passkey.ts';
import { describeBrowser } from '#web/api/describe-browser.ts';
import {
  passkeysQuery,
  signInMethodsQuery,
  useAddPasskey,
  useDeletePasskey,
  useRenamePasskey,
} from '#web/api/queries/account.ts';
import { hasPasskeySupport } from '#web/api/session/passkeys.ts';
import { requestSignInAgain, useHasRecentSignIn } from '#web/api/session/sign-in-again.ts';
import { FormDialog, useDialogForm } from '#web/forms/form-dialog.tsx';
import { Button } from '#web/ui/controls/button.tsx';
import { Card } from '#web/ui/display/card.tsx';
import { ConfirmDialog } from '#web/ui/overlays/confirm-dialog.tsx';
import { Field } from '#web/ui/controls/field.tsx';
import { RelativeTime } from '#web/ui/display/relative-time.tsx';
import { Skeleton } from '#web/ui/display/skeleton.tsx';
import { TextInput } from '#web/ui/controls/text-input.tsx';
import { showToast } from '#web/ui/overlays/toast-store.ts';

export function PasskeysCard() {
  const { data: methods } = useQuery(signInMethodsQuery);
  const { data: passkeys, error } = useQuery(passkeysQuery);
  const [isAdding, setAdding] = useState(false);
  const [renaming, setRenaming] = useState<Passkey | null>(null);
  const [removing, setRemoving] = useState<Passkey | null>(null);
  const isPossible = methods?.passkey === true && hasPasskeySupport();
  const isRecent = useHasRecentSignIn();
  return (
    <Card
      title="Passkeys"
      description="Sign in with your fingerprint, face or device PIN."
      actions={
        isRecent ? (
          isPossible && <Button onClick={() => setAdding(true)}>Add passkey</Button>
        ) : (
          <Button onClick={requestSignInAgain}>Sign in again to change</Button>
        )
      }
    >
      {error ? <p className="text-ink-2">Your passkeys could not be loaded. {error.message}</p> : null}
      {!passkeys && !error ? <Skeleton className="h-10 w-full" /> : null}
      {passkeys?.length === 0 ? (
        <p className="text-ink-2">
          {isPossible
            ? 'No passkeys yet.'
            : 'Passkeys need HTTPS (or localhost) and a browser that supports them. They do not work at this address.'}
        </p>
      ) : null}
      {passkeys && passkeys.length > 0 ? (
        <ul aria-label="Passkeys" className="-my-2 divide-y divide-line">
          {passkeys.map((passkey) => (
            <li key={passkey.id} className="flex items-center gap-3 py-2">
              <Fingerprint aria-hidden="true" className="size-4.5 flex-none text-ink-3" />
              <p className="min-w-0 flex-1">
                <span className="block truncate font-medium">{passkey.name}</span>
                <span className="block text-sm text-ink-3">
                  Added <RelativeTime at={passkey.created_at} />
                  {passkey.last_used_at ? (
                    <>
                      , used <RelativeTime at={passkey.last_used_at} />
                    </>
                  ) : (
                    ', never used'
                  )}
                </span>
              </p>
              <Button size="sm" aria-label={`Rename ${passkey.name}`} onClick={() => setRenaming(passkey)}>
                Rename
              </Button>
              {isRecent ? (
                <Button size="sm" aria-label={`Remove ${passkey.name}`} onClick={() => setRemoving(passkey)}>
                  Remove
                </Button>
              ) : null}
            </li>
          ))}
        </ul>
      ) : null}
      {isAdding ? <AddPasskeyDialog onClose={() => setAdding(false)} /> : null}
      {renaming ? <RenamePasskeyDialog passkey={renaming} onClose={() => setRenaming(null)} /> : null}
      {removing ? <RemovePasskeyDialog passkey={removing} onClose={() => setRemoving(null)} /> : null}
    </Card>
  );
}

function AddPasskeyDialog({ onClose }: { onClose: () => void }) {
  const { mutateAsync: add } = useAddPasskey();
  const form = useDialogForm({ name: describeBrowser(navigator.userAgent) });
  return (
    <FormDialog
      form={form}
      size="sm"
      title="Add a passkey"
      description="Your browser then asks you to confirm."
      submitLabel="Continue"
      onSubmit={async ({ name }) => {
        await add(name.trim());
        showToast({ title: 'Passkey added', tone: 'good' });
        onClose();
      }}
      onClose={onClose}
    >
      <NameField form={form} />
    </FormDialog>
  );
}

function RenamePasskeyDialog({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  const { mutateAsync: rename } = useRenamePasskey();
  const form = useDialogForm({ name: passkey.name });
  return (
    <FormDialog
      form={form}
      size="sm"
      title="Rename passkey"
      submitLabel="Save"
      onSubmit={async ({ name }) => {
        await rename({ id: passkey.id, name: name.trim() });
        onClose();
      }}
      onClose={onClose}
    >
      <NameField form={form} />
    </FormDialog>
  );
}

function NameField({ form: { register, formState } }: { form: UseFormReturn<{ name: string }> }) {
  return (
    <Field label="Name" hint="To recognize it in this list." error={formState.errors.name?.message}>
      <TextInput
        {...register('name', { validate: (name) => name.trim() !== '' || 'Enter a name.' })}
        maxLength={80}
        autoComplete="off"
      />
    </Field>
  );
}

function RemovePasskeyDialog({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  const { mutate, isPending, error } = useDeletePasskey();
  return (
    <ConfirmDialog
      title="Remove this passkey?"
      description={passkey.name}
      cancelLabel="Cancel"
      confirmLabel="Remove passkey"
      variant="danger"
      busy={isPending}
      error={error}
      consequences={['It can no longer sign you in here. Your sessions stay open.']}
      onConfirm={() => mutate(passkey.id, { onSuccess: onClose })}
      onClose={onClose}
    />
  );
}
