import { Link } from '@tanstack/react-router';
import { cx } from '#web/ui/cx.ts';
import { CodeBlock } from '#web/ui/code-block.tsx';
import { anchorOffsetClass } from './reference-layout.ts';

export function GettingStarted({ server_url }: { server_url: string }) {
  return (
    <section aria-labelledby="start" className="max-w-3xl">
      <h2 id="start" className={cx('text-lg font-semibold tracking-[-0.01em]', anchorOffsetClass)}>
        Getting started
      </h2>
      <div className="mt-3 flex flex-col gap-3 text-ink-2">
        <p>
          Send requests to <code className="font-mono text-sm text-ink">{server_url}</code>. Requests and responses are
          JSON. Endpoints marked “Requires key” expect an API key in the Authorization header. Create one in{' '}
          <Link to="/keys" className="text-ink underline underline-offset-2">
            Keys
          </Link>
          .
        </p>
        <CodeBlock
          label="First request"
          text={`export EMULSION_KEY='mgs_usr_…'\ncurl ${server_url}/v1/me -H "Authorization: Bearer $EMULSION_KEY"`}
        />
        <ul className="flex list-disc flex-col gap-1.5 pl-5 marker:text-ink-3">
          <li>Generations are asynchronous: create one, then poll it until its status is final, or use webhooks.</li>
          <li>
            Send an <code className="font-mono text-sm text-ink">Idempotency-Key</code> header when you start work. A
            repeated request with the same key takes effect only once.
          </li>
          <li>
            Lists are paginated, newest first. Pass <code className="font-mono text-sm text-ink">next_cursor</code> as{' '}
            <code className="font-mono text-sm text-ink">cursor</code> until{' '}
            <code className="font-mono text-sm text-ink">has_more</code> is false.
          </li>
          <li>
            Amounts are decimal strings in US dollars, such as{' '}
            <code className="font-mono text-sm text-ink">"0.345"</code>. Do not calculate with them as floating point.
          </li>
          <li>
            Errors have a <code className="font-mono text-sm text-ink">code</code> for your program, a{' '}
            <code className="font-mono text-sm text-ink">message</code> for a person, and a{' '}
            <code className="font-mono text-sm text-ink">request_id</code> for support.
          </li>
        </ul>
      </div>
    </section>
  );
}
