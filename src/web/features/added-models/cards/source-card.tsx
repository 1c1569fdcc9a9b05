import { FileUp, Search } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { ModelProvider, ModelSource } from '#contract/resources/added-model.ts';
import { focusInvalid } from '#web/forms/focus-invalid.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Card } from '#web/ui/display/card.tsx';
import { ErrorText, Field } from '#web/ui/controls/field.tsx';
import { SegmentedControl } from '#web/ui/controls/segmented-control.tsx';
import { Select } from '#web/ui/controls/select.tsx';
import { TextArea, TextInput } from '#web/ui/controls/text-input.tsx';
import { FileInput } from '#web/ui/controls/file-input.tsx';
import type { AddDraft } from '#web/features/added-models/add-draft.ts';
import type { FormErrors } from './confirm-values.ts';
import { SearchResults } from '#web/features/added-models/search-results.tsx';

const TAKES_WORKFLOW: readonly ModelProvider['provider'][] = ['comfyui', 'comfy-cloud'];
export const takesWorkflow = ({ provider }: Pick<ModelProvider, 'provider'>): boolean =>
  TAKES_WORKFLOW.includes(provider);
const takesKind = ({ provider }: ModelProvider): boolean => provider === 'openai-compatible';

const KINDS = [
  { value: 'image', label: 'Images' },
  { value: 'video', label: 'Video' },
  { value: 'speech', label: 'Speech' },
] as const;

/** An address has a slash; anything else is searched for, where the provider has a search. */
const isSearch = ({ has_search }: ModelProvider, text: string): boolean => has_search && !text.includes('/');

interface SourceCardProps {
  providers: readonly ModelProvider[];
  provider: ModelProvider;
  draft: AddDraft;
  errors: FormErrors;
  isLoading: boolean;
  onChange: (draft: Partial<AddDraft>) => void;
  onInspect: (source: ModelSource) => void;
}

/** Says which model: an address, a search, or a workflow. */
export function SourceCard({ providers, provider, draft, errors, isLoading, onChange, onInspect }: SourceCardProps) {
  const { address, workflow, kind } = draft;
  const [problem, setProblem] = useState<FormErrors>({});
  const container = useRef<HTMLFormElement>(null);
  const errorText = Object.values(errors).join();
  useEffect(() => {
    if (errorText !== '' && container.current?.contains(document.activeElement)) focusInvalid(container.current);
  }, [errorText]);
  const shown = { ...errors, ...problem };
  const isSearching = isSearch(provider, address) && address.trim() !== '';
  const inspect = (name: string) => {
    const missing = {
      ...(name.trim() === '' ? { address: takesWorkflow(provider) ? 'Enter a name.' : 'Enter an address.' } : {}),
      ...(takesWorkflow(provider) && workflow.trim() === ''
        ? { workflow: 'Paste the workflow, or choose its file.' }
        : {}),
    };
    setProblem(missing);
    if (Object.keys(missing).length > 0) return focusInvalid(container.current);
    onInspect({
      provider_id: provider.id,
      address: name.trim(),
      overrides: {},
      ...(takesWorkflow(provider) ? { workflow } : {}),
      ...(takesKind(provider) ? { kind } : {}),
    });
  };
  const change = (next: Partial<AddDraft>) => {
    setProblem({});
    onChange(next);
  };
  return (
    <Card title="Model">
      <form
        ref={container}
        noValidate
        aria-label="Model"
        className="flex max-w-3xl flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (!isSearching) inspect(address);
        }}
      >
        {providers.length > 1 ? (
          <Field label="Provider" error={shown['provider_id']} className="max-w-80">
            <Select
              value={provider.id}
              options={providers.map(({ id, name }) => ({ value: id, label: name }))}
              onChange={(providerId) => change({ providerId })}
            />
          </Field>
        ) : (
          <p className="text-sm text-ink-2">
            From <span className="font-medium text-ink">{provider.name}</span>
          </p>
        )}
        <Field label={addressLabel(provider)} hint={provider.address_hint} error={shown['address']}>
          <TextInput
            autoComplete="off"
            spellCheck={false}
            maxLength={500}
            value={address}
            prefix={provider.has_search ? <Search aria-hidden="true" className="size-4" /> : undefined}
            onChange={(event) => change({ address: event.target.value })}
          />
        </Field>
        {takesKind(provider) ? (
          <Field label="Makes" group error={shown['kind']}>
            <SegmentedControl value={kind} options={KINDS} onChange={(next) => change({ kind: next })} />
          </Field>
        ) : null}
        {takesWorkflow(provider) ? (
          <WorkflowField value={workflow} error={shown['workflow']} onChange={(next) => change({ workflow: next })} />
        ) : null}
        <ErrorText>{providers.length > 1 ? undefined : shown['provider_id']}</ErrorText>
        {isSearching ? (
          <SearchResults
            provider={provider}
            text={address.trim()}
            onChoose={(chosen) => {
              change({ address: chosen });
              inspect(chosen);
            }}
          />
        ) : (
          <Button
            type="submit"
            variant={draft.source ? 'secondary' : 'primary'}
            busy={isLoading}
            className="self-start"
          >
            Show the form
          </Button>
        )}
      </form>
    </Card>
  );
}

const addressLabel = (provider: ModelProvider): string =>
  takesWorkflow(provider)
    ? 'Name of the workflow'
    : takesKind(provider)
      ? 'Name of the model'
      : provider.has_search
        ? 'Address, or words to search for'
        : 'Address';

interface WorkflowFieldProps {
  value: string;
  error: string | undefined;
  onChange: (text: string) => void;
}

function WorkflowField({ value, error, onChange }: WorkflowFieldProps) {
  const file = useRef<HTMLInputElement>(null);
  const read = (chosen: File | undefined) => void chosen?.text().then(onChange);
  return (
    <Field
      label="Workflow"
      hint="In API format. In ComfyUI, choose Workflow → Export (API)."
      error={error}
      aside={
        <Button
          size="sm"
          icon={<FileUp aria-hidden="true" className="size-3.5" />}
          onClick={() => file.current?.click()}
        >
          Choose a file
        </Button>
      }
    >
      <TextArea
        rows={4}
        maxRows={10}
        spellCheck={false}
        className="font-mono text-sm"
        placeholder='{ "3": { "class_type": "KSampler", "inputs": { … } } }'
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
      <FileInput ref={file} accept="application/json,.json" onChoose={([chosen]) => read(chosen)} />
    </Field>
  );
}
