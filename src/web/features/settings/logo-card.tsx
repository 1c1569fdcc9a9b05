import { useQuery } from '@tanstack/react-query';
import { ImageUp, Trash2 } from 'lucide-react';
import { useRef, useState } from 'react';
import { MAX_LOGO_BYTES } from '#contract/limits.ts';
import { queryError } from '#web/api/api-errors.ts';
import { LoadError } from '#web/api/load-error.tsx';
import { logoQuery, useSetLogo } from '#web/api/queries/settings.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Card } from '#web/ui/display/card.tsx';
import { ErrorText } from '#web/ui/controls/field.tsx';
import { FileInput } from '#web/ui/controls/file-input.tsx';
import { Skeleton } from '#web/ui/display/skeleton.tsx';

/** The logo that share pages carry. */
export function LogoCard() {
  const logo = useQuery(logoQuery);
  const { mutate, isPending, error } = useSetLogo();
  const [problem, setProblem] = useState<string | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const loadProblem = queryError(logo);
  const choose = async (file: File | undefined) => {
    if (!file) return;
    const isTooLarge = file.size > MAX_LOGO_BYTES;
    setProblem(isTooLarge ? `The file is larger than ${MAX_LOGO_BYTES / 1024} kB. Choose a smaller one.` : null);
    if (isTooLarge) return;
    const bytes = new Uint8Array(await file.arrayBuffer());
    mutate(btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')));
  };
  return (
    <Card
      title="Logo"
      description="Share pages show it beside the name of the organization."
      footer={
        logo.data === undefined ? null : (
          <>
            <FileInput
              ref={input}
              accept="image/png,image/jpeg,image/webp"
              onChoose={([chosen]) => void choose(chosen)}
            />
            <Button
              busy={isPending}
              icon={<ImageUp aria-hidden="true" className="size-4" />}
              onClick={() => input.current?.click()}
            >
              {logo.data === null ? 'Upload logo' : 'Replace logo'}
            </Button>
            {logo.data === null ? null : (
              <Button
                variant="ghost"
                disabled={isPending}
                icon={<Trash2 aria-hidden="true" className="size-4" />}
                onClick={() => mutate(null)}
              >
                Remove
              </Button>
            )}
          </>
        )
      }
    >
      {logo.data ? (
        <img src={logo.data} alt="Current logo" className="h-12 max-w-60 object-contain object-left" />
      ) : loadProblem ? (
        <LoadError what="The logo" error={loadProblem} onRetry={() => void logo.refetch()} />
      ) : logo.data === null ? (
        <p className="text-ink-2">No logo yet. PNG, JPEG or WebP, up to {MAX_LOGO_BYTES / 1024} kB.</p>
      ) : (
        <Skeleton className="h-12 w-40" />
      )}
      <div role="alert">
        <ErrorText>{problem ?? error?.message}</ErrorText>
      </div>
    </Card>
  );
}
