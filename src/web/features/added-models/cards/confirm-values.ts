import { type RefObject, useRef, useState } from 'react';
import type { BodyInput } from '#contract/api/endpoints.ts';
import type { InputContract } from '#contract/task.ts';
import { ApiError } from '#web/api/api-errors.ts';
import { focusInvalid } from '#web/forms/focus-invalid.ts';
import type { ConfirmedValues } from '#web/features/added-models/add-draft.ts';
import { parseMarkup } from '#web/features/added-models/price/price-editor.tsx';
import { findPriceErrors, parsePrice, priceErrorField } from '#web/features/added-models/price/price-values.ts';

/** Messages by field of the form. */
export type FormErrors = Readonly<Record<string, string>>;

export type Sale = Pick<BodyInput<'upgrade_added_model'>, 'task' | 'price' | 'markup_percent'>;
export type Checked<T> = { ok: true; body: T } | { ok: false; errors: FormErrors };

/** Reads what a model is sold as: kind of work, price and markup. */
export function checkSale(
  { task, price: values, markup }: Pick<ConfirmedValues, 'task' | 'price' | 'markup'>,
  contract: InputContract,
): Checked<Sale> {
  const markupPercent = parseMarkup(markup);
  const markupErrors: FormErrors =
    markupPercent === null ? { markup: 'Enter a whole percentage from 0 to 1,000.' } : {};
  const parsed = parsePrice(values);
  const priceErrors = parsed.errors ?? findPriceErrors(parsed.price, '', contract);
  const errors = { ...priceErrors, ...markupErrors };
  if (parsed.price === null || markupPercent === null || Object.keys(errors).length > 0) return { ok: false, errors };
  return { ok: true, body: { task, price: parsed.price, markup_percent: markupPercent } };
}

type Confirmed = Sale & Pick<BodyInput<'create_added_model'>, 'name' | 'description'>;

export function checkConfirmed(values: ConfirmedValues, contract: InputContract): Checked<Confirmed> {
  const sale = checkSale(values, contract);
  const name = values.name.trim();
  const nameErrors: FormErrors = name === '' ? { name: 'Enter a name.' } : {};
  const errors = { ...nameErrors, ...(sale.ok ? {} : sale.errors) };
  if (!sale.ok || Object.keys(errors).length > 0) return { ok: false, errors };
  return { ok: true, body: { ...sale.body, name, description: values.description.trim() || null } };
}

const FIELDS = ['name', 'description', 'task', 'markup'];

/** Errors of the service by field; those of no field are under the empty name. */
function toFormErrors(error: unknown): FormErrors {
  const details = error instanceof ApiError ? error.details : [];
  const errors: Record<string, string> = {};
  for (const { path, message } of details) {
    const [first = ''] = path.split('.');
    const field = first === 'markup_percent' ? 'markup' : (priceErrorField(path) ?? first);
    errors[FIELDS.includes(field) || first === 'price' ? field : ''] ??= message;
  }
  if (details.length === 0) errors[''] = error instanceof Error ? error.message : 'Something went wrong. Try again.';
  return errors;
}

interface ConfirmForm<E> {
  /** Around the controls. */
  container: RefObject<E | null>;
  errors: FormErrors;
  /** To be called on each change. */
  clearErrors: () => void;
  submit: () => Promise<void>;
}

/**
 * Saves what was checked. Errors show once it was tried; then the first of them is focused.
 * @param options.onSchemaChanged the provider changed the model since its form was shown
 */
export function useConfirmForm<T, E extends HTMLElement = HTMLFormElement>(
  checked: Checked<T>,
  save: (body: T) => Promise<void>,
  { onSchemaChanged, showsErrors = false }: { onSchemaChanged?: () => void; showsErrors?: boolean } = {},
): ConfirmForm<E> {
  const container = useRef<E>(null);
  const isSaving = useRef(false);
  const [isSubmitted, setIsSubmitted] = useState(showsErrors);
  const [serverErrors, setServerErrors] = useState<FormErrors>({});
  const submit = async () => {
    if (isSaving.current) return;
    setIsSubmitted(true);
    setServerErrors({});
    if (!checked.ok) return focusInvalid(container.current);
    isSaving.current = true;
    try {
      await save(checked.body);
    } catch (error) {
      if (onSchemaChanged && error instanceof ApiError && error.code === 'schema_changed') return onSchemaChanged();
      setServerErrors(toFormErrors(error));
      focusInvalid(container.current);
    } finally {
      isSaving.current = false;
    }
  };
  const errors = { ...(isSubmitted && !checked.ok ? checked.errors : {}), ...serverErrors };
  return { container, errors, clearErrors: () => setServerErrors({}), submit };
}
