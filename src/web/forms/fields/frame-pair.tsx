import { ArrowLeftRight } from 'lucide-react';
import { useEffect, useRef } from 'react';
import type { FieldSpec } from '#contract/task.ts';
import { useReferenceDetails } from '#web/api/queries/use-reference-details.ts';
import { Button } from '#web/ui/button.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { useFormValue, useTaskForm } from '../form-context.ts';
import { FormField } from '../form-field.tsx';
import { formatFieldValue } from '../format-field-value.ts';
import { leadingFrameUrl, matchRatio, type RatioMatch } from '../match-ratio.ts';

/** The frames of a video side by side. A new picture sets the ratio of the video. */
export function FramePair({ start, end }: { start: FieldSpec; end: FieldSpec }) {
  const { form } = useTaskForm();
  const values = useFormValue((all) => all);
  const match = useFrameRatio();
  const is_empty = !values[start.name] && !values[end.name];
  const swap = () => form.setValues({ [start.name]: values[end.name] ?? null, [end.name]: values[start.name] ?? null });
  return (
    <div className="flex flex-col gap-2">
      <div className="grid grid-cols-[minmax(0,1fr)_auto_minmax(0,1fr)] gap-1.5">
        <FormField field={start} />
        <IconButton
          size="sm"
          label="Swap start and end"
          disabled={is_empty}
          icon={<ArrowLeftRight aria-hidden="true" className="size-4" />}
          onClick={swap}
          // Beside the middle of the tiles, below their labels.
          className="mt-[3.75rem] pointer-coarse:mt-14"
        />
        <FormField field={end} />
      </div>
      {match ? <RatioNote match={match} current={values[match.field.name]} /> : null}
    </div>
  );
}

/** The ratio option for the picture, which is set when a new one comes. null without a picture. */
function useFrameRatio(): RatioMatch | null {
  const { form } = useTaskForm();
  const url = useFormValue((values) => leadingFrameUrl(form.contract, values));
  const info = useReferenceDetails(url ?? '');
  const match = useFormValue((values) => {
    const { width, height } = info ?? {};
    const found = url && width && height ? matchRatio(form.contract, values, width / height) : null;
    return found && String(found.value);
  });
  const field = form.contract.fields.find((each) => each.kind === 'choice' && each.control === 'ratio');
  // Pictures of a restored draft have their ratio, or another one on purpose.
  const matched = useRef({ form, url });
  useEffect(() => {
    if (matched.current.form !== form) matched.current = { form, url };
    if (matched.current.url === url) return;
    if (url !== null && match === null) return;
    matched.current = { form, url };
    if (match !== null && field) form.setValue(field.name, match);
  }, [form, url, match, field]);
  return match !== null && field?.kind === 'choice' ? { field, value: match } : null;
}

function RatioNote({ match: { field, value }, current }: { match: RatioMatch; current: unknown }) {
  const { form } = useTaskForm();
  const label = formatFieldValue(field, value);
  return (
    <p aria-live="polite" className="flex min-h-7 flex-wrap items-center gap-x-2 text-sm text-ink-3">
      {current === value ? (
        `${field.label} ${label} follows the picture.`
      ) : (
        <>
          {`${field.label} ${formatFieldValue(field, current)} is not that of the picture.`}
          <Button size="sm" variant="ghost" onClick={() => form.setValue(field.name, value)}>
            Use {label}
          </Button>
        </>
      )}
    </p>
  );
}
