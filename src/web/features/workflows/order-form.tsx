import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { OrderRequest } from '#contract/resources/request.ts';
import { ApiError } from '#web/api/api-errors.ts';
import { newIdempotencyKey } from '#web/api/queries/idempotency-key.ts';
import { useSession } from '#web/api/session/session.ts';
import { createDraftStorage } from '#web/api/drafts/draft-storage.ts';
import { detailField } from '#web/forms/values/field-errors.ts';
import { focusPending } from '#web/forms/focus-pending.ts';
import { focusField } from '#web/forms/focus-field.ts';
import type { InputForm } from '#web/forms/values/input-form.ts';
import { showTagProblems } from '#web/forms/tags/tag-problems.ts';
import { TaskForm } from '#web/forms/task-form.tsx';
import { useFieldUploads } from '#web/forms/use-field-uploads.ts';
import { useCommands } from '#web/ui/hooks/commands.ts';
import { isOutcomeUnknown, type StartFailure } from './starter/start-problem.tsx';

interface PreparedOrder {
  order: OrderRequest;
  send: (idempotency_key: string) => Promise<{ id: string }>;
}

export interface OrderState {
  busy: boolean;
  failure: StartFailure | null;
  onAsked: () => void;
}

interface OrderFormProps {
  form: InputForm;
  label: string;
  action: string;
  /** Of the uploads, and of the order while it is not known whether it arrived. */
  name: string;
  isUnavailable?: boolean;
  /** The input that gets the focus. */
  field?: string | undefined;
  prepare: (input: Record<string, unknown>) => PreparedOrder;
  children: (state: OrderState) => ReactNode;
}

/** The inputs of a new run; submitting starts it and opens it. */
export function OrderForm({ form, label, action, name, isUnavailable, field, prepare, children }: OrderFormProps) {
  const uploads = useFieldUploads(form, `workflow/${name}`);
  const box = useRef<HTMLDivElement>(null);
  const { start, ...state } = useOrder(name, form, prepare, (fields) => {
    // The problems take up space, so scrolling waits for them.
    requestAnimationFrame(() => box.current && focusField(box.current, fields));
  });
  useInitialFocus(box, field);
  const signedIn = useSession() === 'signed_in';
  const submit = () => {
    if (state.busy || isUnavailable || uploads.pendingCount() > 0 || focusPending(box.current)) return;
    void start();
  };
  useCommands([{ group: 'Workflows', label: action, keys: 'mod+enter', run: submit }]);
  return (
    <div ref={box}>
      <TaskForm form={form} uploads={uploads} signedIn={signedIn} label={label} onSubmit={submit}>
        {children(state)}
      </TaskForm>
    </div>
  );
}

function useInitialFocus(box: React.RefObject<HTMLElement | null>, field: string | undefined) {
  useEffect(() => {
    const { current } = box;
    const names = new Set(field === undefined ? [] : [field]);
    if (field === undefined || !current || focusField(current, names)) return undefined;
    // The controls of a media field load later.
    const observer = new MutationObserver(() => {
      if (current.contains(document.activeElement) || focusField(current, names)) observer.disconnect();
    });
    observer.observe(current, { childList: true, subtree: true });
    return () => observer.disconnect();
  }, [box, field]);
}

/** Orders of which it is not known whether they arrived: kept over a reload too. */
const pendingOrders = createDraftStorage<{ body: string; idempotency_key: string }>('workflow-orders', 40);

/** The key of the same order before, if that may have arrived, so that it never starts twice. */
function idempotencyKeyOf(name: string, order: OrderRequest): string {
  const body = JSON.stringify(order);
  const before = pendingOrders.get(name);
  const idempotencyKey = before?.body === body ? before.idempotency_key : newIdempotencyKey();
  pendingOrders.set(name, { body, idempotency_key: idempotencyKey });
  return idempotencyKey;
}

/** @param focusFirst moves the focus to the first of the named fields */
function useOrder(
  name: string,
  form: InputForm,
  prepare: OrderFormProps['prepare'],
  focusFirst: (names: ReadonlySet<string>) => void,
) {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<StartFailure | null>(null);
  const navigate = useNavigate();
  const submit = async (input: Record<string, unknown>) => {
    const { order, send } = prepare(input);
    setBusy(true);
    try {
      const { id } = await send(idempotencyKeyOf(name, order));
      pendingOrders.delete(name);
      await navigate({ to: '/workflows/runs/$id', params: { id } });
    } catch (error) {
      if (!isOutcomeUnknown(error)) pendingOrders.delete(name);
      const details = error instanceof ApiError ? error.details : [];
      if (form.setServerErrors(showTagProblems(details)).length === details.length) setFailure({ error, order });
      if (details.length > 0) focusFirst(new Set(details.map(detailField)));
    } finally {
      setBusy(false);
    }
  };
  const start = async () => {
    setFailure(null);
    await form.submit(submit, focusFirst);
  };
  return { start, busy, failure, onAsked: () => setFailure(null) };
}
