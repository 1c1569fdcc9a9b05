import { useQuery } from '@tanstack/react-query';
import { FileSpreadsheet } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useWatch } from 'react-hook-form';
import { formatMoney } from '#contract/money/money.ts';
import {
  BILL_COLUMNS,
  type BillColumn,
  NO_COLUMN,
  type ProviderBillPreview,
} from '#contract/resources/provider-bill.ts';
import { type BillUpload, previewBill, useAddBill } from '#web/api/queries/provider-bills.ts';
import { FormDialog, useDialogForm } from '#web/forms/form-dialog.tsx';
import { Button } from '#web/ui/controls/button.tsx';
import { Callout } from '#web/ui/display/callout.tsx';
import { Field } from '#web/ui/controls/field.tsx';
import { formatNumber } from '#web/ui/formats.ts';
import { Refreshing } from '#web/ui/display/refreshing.tsx';
import { omitUndefined } from '#web/ui/search-params.ts';
import { Select } from '#web/ui/controls/select.tsx';
import { Loading, SkeletonText } from '#web/ui/display/skeleton.tsx';
import { TextInput } from '#web/ui/controls/text-input.tsx';
import { FileInput } from '#web/ui/controls/file-input.tsx';
import { showToast } from '#web/ui/overlays/toast-store.ts';
import { useDebounced } from '#web/ui/hooks/use-debounced.ts';
import { formatUtcMonth } from '../period.ts';
import { BillPreview } from './bill-preview.tsx';

interface AddBillDialogProps {
  month: string;
  providers: readonly { id: string; name: string }[];
  onClose: () => void;
}

type Columns = Partial<Record<BillColumn, string>>;

interface BillValues {
  provider_id: string;
  usd_rate: string;
  total: string;
}

const COLUMN_LABELS = {
  date: 'Date',
  amount: 'Amount',
  currency: 'Currency',
  service: 'Service or model',
  request_id: 'Request id',
  quantity: 'Quantity',
} as const satisfies Record<BillColumn, string>;
const REQUIRED: readonly BillColumn[] = ['date', 'amount'];
const TYPING_MS = 400;

/** As the service takes it; undefined for nothing. */
const toDecimal = (typed: string): string | undefined => typed.trim().replace(',', '.') || undefined;

/** Shows what a file holds before it is stored. */
export function AddBillDialog({ month, providers, onClose }: AddBillDialogProps) {
  const form = useDialogForm<BillValues>({ provider_id: providers[0]?.id ?? '', usd_rate: '', total: '' });
  const values = useWatch({ control: form.control }) as BillValues;
  const [choice, setChoice] = useState<{ file: File; number: number } | null>(null);
  const file = choice?.file ?? null;
  const [columns, setColumns] = useState<Columns>({});
  const { mutateAsync: add } = useAddBill();
  const toUpload = ({ provider_id, usd_rate, total }: BillValues, chosen: File): BillUpload => ({
    file: chosen,
    query: omitUndefined({
      provider_id,
      month,
      usd_rate: toDecimal(usd_rate),
      total: toDecimal(total),
      ...Object.fromEntries(Object.entries(columns).map(([name, header]) => [`${name}_column`, header])),
    }),
  });
  const usdRate = useDebounced(values.usd_rate, TYPING_MS);
  const total = useDebounced(values.total, TYPING_MS);
  const preview = useBillPreview(file && toUpload({ ...values, usd_rate: usdRate, total }, file), choice?.number);
  const submit = async (typed: BillValues) => {
    if (!file) throw new Error('Choose a file.');
    const bill = await add(toUpload(typed, file));
    showToast({
      title: 'Bill stored',
      detail: `${formatNumber(bill.line_count)} ${bill.line_count === 1 ? 'line' : 'lines'}, ${formatMoney(bill.amount_usd)}.`,
      tone: 'good',
    });
    onClose();
  };
  const { data } = preview;
  const needsRate = values.usd_rate !== '' || (data != null && data.currency !== null && data.currency !== 'USD');
  return (
    <FormDialog
      form={form}
      size="lg"
      title={`Add bill of ${formatUtcMonth(month)}`}
      description="FOCUS or any CSV of the provider, also with gzip. The file is kept."
      submitLabel="Store bill"
      onSubmit={submit}
      onClose={onClose}
    >
      <Field label="Provider">
        <Select
          value={values.provider_id}
          options={providers.map(({ id, name }) => ({ value: id, label: name }))}
          onChange={(id) => form.setValue('provider_id', id)}
        />
      </Field>
      <ChooseFile
        file={file}
        onChoose={(chosen) => {
          setChoice({ file: chosen, number: (choice?.number ?? 0) + 1 });
          setColumns({});
          // The next file may be in another currency.
          form.setValue('usd_rate', '');
        }}
      />
      {file && data?.format === 'csv' && data.headers.length > 0 ? (
        <ColumnFields preview={data} onChange={(name, header) => setColumns({ ...columns, [name]: header })} />
      ) : null}
      {file ? (
        <div className="grid gap-4 sm:grid-cols-2">
          {needsRate ? (
            <Field label={`Dollars for 1 ${data?.currency ?? 'unit'}`} error={form.formState.errors.usd_rate?.message}>
              <TextInput {...form.register('usd_rate')} inputMode="decimal" placeholder="1.0845" />
            </Field>
          ) : null}
          <Field label="Total of the invoice" optional error={form.formState.errors.total?.message}>
            <TextInput {...form.register('total')} inputMode="decimal" placeholder="1204.50" />
          </Field>
        </div>
      ) : null}
      <div aria-live="polite">
        {data ? (
          <Refreshing active={preview.isFetching}>
            <BillPreview preview={data} />
          </Refreshing>
        ) : preview.isFetching ? (
          <Loading label="Reading the file">
            <SkeletonText lines={4} />
          </Loading>
        ) : preview.error ? (
          <Callout tone="bad">{preview.error.message}</Callout>
        ) : null}
      </div>
    </FormDialog>
  );
}

/** @param number of the chosen file: files with one name differ */
function useBillPreview(upload: BillUpload | null, number: number | undefined) {
  return useQuery({
    queryKey: ['preview_provider_bill', number, upload?.query],
    queryFn: ({ signal }) => (upload ? previewBill(upload, signal) : null),
    enabled: upload !== null,
    placeholderData: (before) => (upload ? before : undefined),
    retry: false,
    gcTime: 0,
  });
}

function ChooseFile({ file, onChoose }: { file: File | null; onChoose: (file: File) => void }) {
  const input = useRef<HTMLInputElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => button.current?.focus(), []);
  return (
    <div className="flex items-center gap-3 rounded-md border border-dashed border-line-strong px-3 py-2.5">
      <FileInput
        ref={input}
        accept=".csv,.tsv,.txt,.gz,text/csv,application/gzip"
        label="File of the bill"
        onChoose={([chosen]) => chosen && onChoose(chosen)}
      />
      <FileSpreadsheet aria-hidden="true" className="size-5 flex-none text-ink-3" />
      <p className="min-w-0 flex-1 truncate text-sm">{file?.name ?? 'No file chosen'}</p>
      <Button ref={button} size="sm" onClick={() => input.current?.click()}>
        {file ? 'Replace' : 'Choose file'}
      </Button>
    </div>
  );
}

interface ColumnFieldsProps {
  preview: ProviderBillPreview;
  onChange: (name: BillColumn, header: string) => void;
}

function ColumnFields({ preview: { headers, columns }, onChange }: ColumnFieldsProps) {
  const options = [...new Set(headers)].filter(Boolean).map((header) => ({ value: header, label: header }));
  return (
    <fieldset>
      <legend className="mb-2 text-sm font-medium">Columns</legend>
      <div className="grid grid-cols-2 gap-3 sm:grid-cols-3">
        {BILL_COLUMNS.map((name) => (
          <Field key={name} label={COLUMN_LABELS[name]} required={REQUIRED.includes(name)}>
            <Select
              value={columns[name] ?? NO_COLUMN}
              options={[{ value: NO_COLUMN, label: 'No column' }, ...options]}
              onChange={(header) => onChange(name, header)}
            />
          </Field>
        ))}
      </div>
    </fieldset>
  );
}
