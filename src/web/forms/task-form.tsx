import { useEffect, useMemo, type ReactNode, useRef } from 'react';
import type { ChoiceFieldSpec, FieldSpec, FieldGroup, InputContract } from '#contract/task.ts';
import { FormField } from './form-field.tsx';
import { optionLabel, formatFieldValue } from './values/format-field-value.ts';
import { FormContext, type PromptTools, useFormValue, useTaskForm } from './form-context.ts';
import type { InputForm } from './values/input-form.ts';
import { isFilledIn } from './values/form-values.ts';
import { choiceOptions } from './models/compare-options.ts';
import { preloadValidator } from './values/validator.ts';
import type { FieldUploads } from './field-uploads.ts';
import { cx } from '#web/ui/cx.ts';
import { Disclosure } from '#web/ui/controls/disclosure.tsx';
import { ArrowLeftRight } from 'lucide-react';
import { useReferenceDetails } from '#web/api/queries/media.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { IconButton } from '#web/ui/controls/icon-button.tsx';
import { useDroppedMaskNotice } from './use-dropped-mask-notice.ts';
import { leadingFrameUrl, matchRatio, type RatioMatch } from './models/match-ratio.ts';

const GROUPS = {
  frames: { title: null, columns: 2 },
  main: { title: null, columns: 2 },
  shape: { title: null, columns: 2 },
  sound: { title: 'Sound', columns: 1 },
  references: { title: 'References', columns: 2 },
  more: { title: 'More', columns: 1 },
} satisfies Record<FieldGroup, { title: string | null; columns: 1 | 2 }>;

const GROUP_ORDER = Object.keys(GROUPS) as FieldGroup[];

export interface TaskFormProps {
  form: InputForm;
  uploads: FieldUploads;
  signedIn: boolean;
  label: string;
  /** Pass the same object while it holds the same. */
  promptTools?: PromptTools;
  onSubmit: () => void;
  children: ReactNode;
}

export function TaskForm({ form, uploads, signedIn, label, promptTools, onSubmit, children }: TaskFormProps) {
  useDroppedMaskNotice(form);
  const context = useMemo(() => ({ form, uploads, signedIn, promptTools }), [form, uploads, signedIn, promptTools]);
  useEffect(() => {
    if (!signedIn) return undefined;
    let cleanup: (() => void) | undefined;
    let unmounted = false;
    void import('./form-drop-target.ts').then(
      ({ registerFormDrops }) => (cleanup = unmounted ? undefined : registerFormDrops(form, uploads)),
      // Offline, files are dropped on the fields themselves.
      () => undefined,
    );
    return () => {
      unmounted = true;
      cleanup?.();
    };
  }, [form, uploads, signedIn]);
  return (
    <FormContext value={context}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- only preloads the code that checks the input */}
      <form
        aria-label={label}
        noValidate
        onFocus={preloadValidator}
        onPointerEnter={preloadValidator}
        className="flex min-w-0 flex-1 flex-col gap-6"
        onSubmit={(event) => {
          event.preventDefault();
          onSubmit();
        }}
      >
        {GROUP_ORDER.map((group) => (
          <Group key={group} group={group} form={form} />
        ))}
        {children}
      </form>
    </FormContext>
  );
}

const isNarrow = (field: FieldSpec, { rules }: InputContract) =>
  field.kind === 'boolean' ||
  field.group === 'frames' ||
  ('time_of' in field && field.time_of !== undefined) ||
  (field.kind === 'choice' &&
    field.control !== 'ratio' &&
    countLetters(field) <= 20 &&
    !rules.some((rule) => rule.field === field.name));

const countLetters = (field: ChoiceFieldSpec) =>
  choiceOptions(field).reduce<number>(
    (sum, option) => sum + optionLabel(field, option as string | number | null).length,
    0,
  );

function Group({ group, form }: { group: FieldGroup; form: InputForm }) {
  const fields = form.contract.fields.filter((field) => field.group === group);
  if (fields.length === 0) return null;
  const [start, end, ...others] = fields;
  if (group === 'frames' && start && end && others.length === 0) return <FramePair start={start} end={end} />;
  const { title, columns } = GROUPS[group];
  const rows = (
    <div className={cx('grid gap-5', columns === 2 && 'sm:grid-cols-2')}>
      {fields.map((field) => (
        <div
          key={field.name}
          className={cx('min-w-0', !(columns === 2 && isNarrow(field, form.contract)) && 'col-span-full')}
        >
          <FormField field={field} />
        </div>
      ))}
    </div>
  );
  const isFilled = fields.some((field) => isFilledIn(field, form.values()[field.name]));
  if (group === 'references' && form.contract.fields.some((field) => field.group === 'frames'))
    return <FoldedReferences fields={fields}>{rows}</FoldedReferences>;
  if (group !== 'more')
    return title === null || fields.length === 1 ? (
      rows
    ) : (
      <fieldset className="min-w-0">
        <legend className="mb-3 w-full border-t border-line pt-4 text-sm font-semibold">{title}</legend>
        {rows}
      </fieldset>
    );
  return (
    <Disclosure summary="More options" open={isFilled} className="border-t border-line pt-3">
      {rows}
    </Disclosure>
  );
}

/** Beside frames, references are the exception. A filled field, or media dragged onto it, opens them. */
function FoldedReferences({ fields, children }: { fields: readonly FieldSpec[]; children: ReactNode }) {
  const open = useFormValue((values) => fields.some((field) => isFilledIn(field, values[field.name])));
  return (
    <Disclosure
      summary="Add references"
      aside={<span className="text-ink-3">Images, videos or sounds</span>}
      open={open}
      onDragEnter={({ currentTarget }) => (currentTarget.open = true)}
      className="border-t border-line pt-3"
    >
      {children}
    </Disclosure>
  );
}

/** The frames of a video side by side. A new picture sets the ratio of the video. */
function FramePair({ start, end }: { start: FieldSpec; end: FieldSpec }) {
  const { form } = useTaskForm();
  const values = useFormValue((all) => all);
  const match = useFrameRatio();
  const isEmpty = !values[start.name] && !values[end.name];
  const swap = () => form.setValues({ [start.name]: values[end.name] ?? null, [end.name]: values[start.name] ?? null });
  return (
    <div className="flex flex-col gap-2">
      <div className="grid grid-cols-[minmax(0,1fr)_auto_minmax(0,1fr)] gap-1.5">
        <FormField field={start} />
        <IconButton
          size="sm"
          label="Swap start and end"
          disabled={isEmpty}
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
            Use <bdi>{label}</bdi>
          </Button>
        </>
      )}
    </p>
  );
}
