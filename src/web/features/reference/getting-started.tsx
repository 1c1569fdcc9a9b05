import { Link } from '@tanstack/react-router';
import { cx } from '#web/ui/cx.ts';
import { CodeBlock } from '#web/ui/code-block.tsx';
import { anchorOffsetClass } from './reference-layout.ts';

/** What holds for every call. */
export function GettingStarted({ server_url }: { server_url: string }) {
  return (
    <section aria-labelledby="start" className="max-w-3xl">
      <h2 id="start" className={cx('text-lg font-semibold tracking-[-0.01em]', anchorOffsetClass)}>
        Start here
      </h2>
      <div className="mt-3 flex flex-col gap-3 text-ink-2">
        <p>
          Calls go to <code className="font-mono text-sm text-ink">{server_url}</code>, take JSON and answer with JSON.
          Those that say “Needs a key” take yours in a header; get one under{' '}
          <Link to="/keys" className="text-ink underline underline-offset-2">
            Keys
          </Link>
          .
        </p>
        <CodeBlock
          label="First call"
          text={`export EMULSION_KEY='mgs_usr_…'\ncurl ${server_url}/v1/me -H "Authorization: Bearer $EMULSION_KEY"`}
        />
        <ul className="flex list-disc flex-col gap-1.5 pl-5 marker:text-ink-3">
          <li>A generation takes a while: start it, then read it until it has ended.</li>
          <li>
            Send an <code className="font-mono text-sm text-ink">Idempotency-Key</code> when you start work. The same
            call with the same key then takes effect once, however often it is sent.
          </li>
          <li>
            Lists come newest first, in pages. Give <code className="font-mono text-sm text-ink">next_cursor</code> back
            as <code className="font-mono text-sm text-ink">cursor</code> until{' '}
            <code className="font-mono text-sm text-ink">has_more</code> is false.
          </li>
          <li>
            Amounts are dollars as text, such as <code className="font-mono text-sm text-ink">"0.345"</code>: never
            reckon with them as floating point.
          </li>
          <li>
            Errors carry a <code className="font-mono text-sm text-ink">code</code> for your program, a{' '}
            <code className="font-mono text-sm text-ink">message</code> for a person, and a{' '}
            <code className="font-mono text-sm text-ink">request_id</code> for whoever helps.
          </li>
        </ul>
      </div>
    </section>
  );
}
