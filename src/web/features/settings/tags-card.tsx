import { useQuery } from '@tanstack/react-query';
import { Pencil, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { Tag } from '#contract/resources/tag.ts';
import { MAX_TAGS } from '#contract/limits.ts';
import { tagsQuery, useDeleteTag, useSetTag } from '#web/api/queries/settings.ts';
import { LoadingOrError } from '#web/api/load-error.tsx';
import { FormDialog, useDialogForm } from '#web/forms/form-dialog.tsx';
import { Button } from '#web/ui/controls/button.tsx';
import { Card } from '#web/ui/display/card.tsx';
import { Checkbox } from '#web/ui/controls/checkbox.tsx';
import { ConfirmDialog } from '#web/ui/overlays/confirm-dialog.tsx';
import { Field } from '#web/ui/controls/field.tsx';
import { IconButton } from '#web/ui/controls/icon-button.tsx';
import { Skeleton } from '#web/ui/display/skeleton.tsx';
import { TextArea, TextInput } from '#web/ui/controls/text-input.tsx';
import { showToast } from '#web/ui/overlays/toast-store.ts';

/** Defines what work is grouped by in billing. */
export function TagsCard() {
  const tags = useQuery(tagsQuery);
  const [editing, setEditing] = useState<Tag | 'new'>();
  const [removing, setRemoving] = useState<Tag>();
  const { data } = tags;
  return (
    <Card
      title="Tags"
      description="People choose a value, such as a project or a client, when they generate. Billing filters and groups by them."
      footer={
        data && data.length < MAX_TAGS ? (
          <Button icon={<Plus aria-hidden="true" className="size-4" />} onClick={() => setEditing('new')}>
            New tag
          </Button>
        ) : null
      }
    >
      {data ? (
        data.length === 0 ? (
          <p className="text-ink-2">No tags yet. You can define up to five.</p>
        ) : (
          <ul aria-label="Tags" className="divide-y divide-line">
            {data.map((tag) => (
              <TagRow key={tag.name} tag={tag} onEdit={() => setEditing(tag)} onRemove={() => setRemoving(tag)} />
            ))}
          </ul>
        )
      ) : (
        <LoadingOrError query={tags} what="Tags">
          <Skeleton className="h-4 w-48" />
        </LoadingOrError>
      )}
      {editing ? <TagDialog tag={editing === 'new' ? null : editing} onClose={() => setEditing(undefined)} /> : null}
      {removing ? <RemoveTagDialog tag={removing} onClose={() => setRemoving(undefined)} /> : null}
    </Card>
  );
}

function TagRow({ tag, onEdit, onRemove }: { tag: Tag; onEdit: () => void; onRemove: () => void }) {
  const { name, label, required, values } = tag;
  const kind = values ? `${values.length} ${values.length === 1 ? 'value' : 'values'}` : 'Any text';
  return (
    <li className="flex items-center gap-3 py-2 first:pt-0 last:pb-0">
      <div className="min-w-0 flex-1">
        <p className="truncate font-medium">{label}</p>
        <p className="truncate text-sm text-ink-3">
          <code className="font-mono">{name}</code> · {kind} · {required ? 'Required' : 'Optional'}
        </p>
      </div>
      <IconButton label={`Change ${label}`} icon={<Pencil aria-hidden="true" className="size-4" />} onClick={onEdit} />
      <IconButton
        label={`Remove ${label}`}
        icon={<Trash2 aria-hidden="true" className="size-4" />}
        onClick={onRemove}
      />
    </li>
  );
}

interface TagFormValues {
  label: string;
  name: string;
  required: boolean;
  /** One value per line. */
  values: string;
}

const toName = (label: string): string =>
  label
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^[^a-z]+|_$/g, '')
    .slice(0, 32);

function TagDialog({ tag, onClose }: { tag: Tag | null; onClose: () => void }) {
  const { mutateAsync: setTag } = useSetTag();
  const form = useDialogForm<TagFormValues>({
    label: tag?.label ?? '',
    name: tag?.name ?? '',
    required: tag?.required ?? false,
    values: tag?.values?.join('\n') ?? '',
  });
  const { register, formState, watch, setValue } = form;
  const required = watch('required');
  return (
    <FormDialog
      form={form}
      title={tag ? `Change “${tag.label}”` : 'New tag'}
      submitLabel={tag ? 'Save' : 'Create tag'}
      onSubmit={async ({ label, name, values, ...rest }) => {
        const lines = [...new Set(values.split('\n').map((line) => line.trim()))].filter((line) => line !== '');
        await setTag({
          ...rest,
          name: tag?.name ?? name,
          label: label.trim(),
          values: lines.length > 0 ? lines : null,
        });
        onClose();
      }}
      onClose={onClose}
    >
      <Field label="Label" hint="What people see, for example “Client”." error={formState.errors.label?.message}>
        <TextInput
          {...register('label', {
            validate: (label) => label.trim() !== '' || 'Enter a label.',
            onChange: ({ target }: { target: { value: string } }) => {
              if (!tag && !formState.dirtyFields.name) setValue('name', toName(target.value));
            },
          })}
          maxLength={40}
          autoComplete="off"
        />
      </Field>
      {tag ? null : (
        <Field
          label="Name in metadata"
          hint="For programs and exports. It cannot be changed later."
          error={formState.errors.name?.message}
        >
          <TextInput
            {...register('name', {
              validate: (name) =>
                /^[a-z][a-z0-9_]{0,31}$/.test(name) || 'Use lower-case letters, digits and underscores.',
            })}
            maxLength={32}
            autoComplete="off"
          />
        </Field>
      )}
      <Field
        label="Values"
        optional
        hint="One per line. Leave it empty to let people type anything."
        error={formState.errors.values?.message}
      >
        <TextArea {...register('values')} rows={5} />
      </Field>
      <Checkbox
        checked={required}
        onChange={(next) => setValue('required', next)}
        label="Required"
        hint="People cannot generate without a value, in the studio or with a key of their own. Keys that belong to nobody still can."
      />
    </FormDialog>
  );
}

function RemoveTagDialog({ tag, onClose }: { tag: Tag; onClose: () => void }) {
  const { mutate, isPending, error } = useDeleteTag();
  return (
    <ConfirmDialog
      title={`Remove “${tag.label}”?`}
      description="Programs may go on to send it; it then counts as plain metadata."
      cancelLabel="Cancel"
      confirmLabel="Remove tag"
      variant="danger"
      busy={isPending}
      error={error}
      consequences={['People are no longer asked for it.', 'Work and charges keep the values that they have.']}
      onConfirm={() =>
        mutate(tag.name, {
          onSuccess: () => {
            showToast({ title: 'Tag removed' });
            onClose();
          },
        })
      }
      onClose={onClose}
    />
  );
}
