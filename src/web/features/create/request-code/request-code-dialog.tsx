import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import type { AnyModelId, TaskId } from '#contract/ids.ts';
import { localServiceOrigin } from '#web/api/reference-info.ts';
import { newIdempotencyKey } from '#web/api/queries/idempotency-key.ts';
import { toInput } from '#web/forms/values/form-values.ts';
import type { InputForm } from '#web/forms/values/input-form.ts';
import { tagMetadata } from '#web/forms/tags/tag-metadata.ts';
import { loadedValidator, onValidatorLoad, preloadValidator } from '#web/forms/values/validator.ts';
import { Callout } from '#web/ui/display/callout.tsx';
import { CodeBlock } from '#web/ui/display/code-block.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { Tabs } from '#web/ui/tabs.tsx';
import { SNIPPET_LANGUAGES, type SnippetLanguage, writeSnippet } from './request-snippets.ts';

interface RequestCodeDialogProps {
  task: TaskId;
  model: AnyModelId | null;
  form: InputForm;
  pendingUploads: number;
  onClose: () => void;
}

/** Shows code for the request that Generate would send now. */
export function RequestCodeDialog({ task, model, form, pendingUploads, onClose }: RequestCodeDialogProps) {
  const [language, setLanguage] = useState<SnippetLanguage>('curl');
  const [idempotency_key] = useState(newIdempotencyKey);
  const { input, problems } = useRequestInput(form, pendingUploads);
  const origin = window.location.origin;
  const body = { task, model, input, ...tagMetadata() };
  const snippet = writeSnippet(language, { origin, body, idempotency_key });
  const name = SNIPPET_LANGUAGES.find(({ value }) => value === language)?.label;
  return (
    <Dialog
      open
      size="lg"
      title="Code of this request"
      description="Sends what Generate would send now."
      onClose={onClose}
    >
      <div className="grid gap-4">
        {problems.length > 0 ? (
          <Callout tone="amber" title="The request is not complete yet">
            <ul>
              {problems.map((problem) => (
                <li key={problem}>{problem}</li>
              ))}
            </ul>
          </Callout>
        ) : null}
        <Tabs label="Language" value={language} onChange={setLanguage} tabs={SNIPPET_LANGUAGES}>
          <div className="grid gap-4">
            <CodeBlock text={snippet.order} label={`${name} code`} copyLabel={`Copy ${name} code`} />
            <div className="grid gap-2">
              <h3 className="text-sm font-medium">Wait for the result</h3>
              {language === 'curl' ? (
                <p className="text-sm text-ink-2">
                  Repeat with the id of the response until the status is neither queued nor running.
                </p>
              ) : null}
              <CodeBlock text={snippet.wait} label={`${name} code to wait`} copyLabel={`Copy ${name} code to wait`} />
            </div>
          </div>
        </Tabs>
        <ul className="grid gap-1 text-sm text-ink-2">
          <li>
            The code reads your API key from the environment variable{' '}
            <code className="font-mono text-xs">EMULSION_KEY</code>. Create a key under Keys.
          </li>
          <li>Use a new Idempotency-Key for each order. Sent again, the same one orders nothing twice.</li>
          {JSON.stringify(input).includes(`${origin}/media/`) ? (
            <li>Links to files of this studio expire. For later use, upload the files with POST /v1/uploads.</li>
          ) : null}
        </ul>
      </div>
    </Dialog>
  );
}

/** The input as Generate would send it, and what keeps it from being sent. */
function useRequestInput(form: InputForm, pendingUploads: number) {
  const validate = useSyncExternalStore(onValidatorLoad, loadedValidator);
  useEffect(preloadValidator, []);
  return useMemo(() => {
    const filled = toInput(form.contract, form.values());
    const parsed = validate?.(form.contract, filled, localServiceOrigin());
    const uploads = pendingUploads > 0 ? ['Files are still being uploaded.'] : [];
    if (!parsed) return { input: filled, problems: uploads };
    if (parsed.ok) return { input: parsed.input, problems: uploads };
    return { input: filled, problems: [...new Set([...uploads, ...parsed.details.map(({ message }) => message)])] };
  }, [form, validate, pendingUploads]);
}
