import { CopyButton } from '#web/ui/controls/copy-button.tsx';

interface CodeBlockProps {
  text: string;
  label: string;
  /** Needed where the label contains a name, which keeps its capitals. */
  copyLabel?: string;
}

export function CodeBlock({ text, label, copyLabel = `Copy ${label.toLowerCase()}` }: CodeBlockProps) {
  return (
    <div className="relative min-w-0">
      <pre
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls has to take focus
        tabIndex={0}
        aria-label={label}
        className="max-h-96 overflow-auto rounded-md border border-line bg-sunken py-3 pr-12 pl-4 font-mono text-xs leading-relaxed"
      >
        {text}
      </pre>
      <span className="absolute top-1.5 right-1.5 rounded-md bg-sunken">
        <CopyButton text={text} label={copyLabel} />
      </span>
    </div>
  );
}

export function CopyableCode({ text, label }: { text: string; label: string }) {
  return (
    <span className="-my-1 flex items-center gap-1">
      <code className="min-w-0 truncate font-mono text-xs select-all">{text}</code>
      <CopyButton text={text} label={label} />
    </span>
  );
}
