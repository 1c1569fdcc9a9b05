import { CopyButton } from './copy-button.tsx';

/** An ID or hash with a button that copies it. */
export function CopyableCode({ text, label }: { text: string; label: string }) {
  return (
    <span className="-my-1 flex items-center gap-1">
      <code className="min-w-0 truncate font-mono text-xs select-all">{text}</code>
      <CopyButton text={text} label={label} />
    </span>
  );
}
