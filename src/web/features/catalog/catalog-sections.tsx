import { Link } from '@tanstack/react-router';
import { type ReactNode, useDeferredValue } from 'react';
import { isModelId, TASKS } from '#contract/catalog.ts';
import { MEDIA_KINDS, type MediaKind } from '#contract/task.ts';
import { catalogName } from '#web/api/known-models.ts';
import { useIsAdministrator } from '#web/api/queries/me.ts';
import { Callout } from '#web/ui/display/callout.tsx';
import type { ModelOffers, Offer } from './offers.ts';
import { ENGINE_LABELS } from '#web/forms/models/engine-labels.ts';
import { Badge } from '#web/ui/display/badge.tsx';
import { OfferLine } from './offer-line.tsx';
import { RenameEntryButton } from './rename-entry-button.tsx';
import { formatMaker } from '#web/api/model-names.ts';
import { formatInputLimits } from '#web/forms/values/format-input-limits.ts';
import { ModelIcon } from '#web/forms/models/model-icon.tsx';
import { tooltipProps } from '#web/ui/overlays/tooltip-props.ts';
import { Disclosure } from '#web/ui/controls/disclosure.tsx';
import { describeInputs } from './describe-inputs.ts';

const HEADINGS = { image: 'Images', video: 'Video', audio: 'Audio' } satisfies Record<MediaKind, string>;

interface CatalogSectionsProps {
  models: readonly ModelOffers[];
  tools: readonly Offer[];
  /** Tasks that models run. Their names stand on several cards, so administrators rename them in a section of their own. */
  tasks: readonly Offer[];
}

export function CatalogSections({ models, tools, tasks }: CatalogSectionsProps) {
  const isAdministrator = useIsAdministrator();
  const engines = models.flatMap(({ offers }) => offers.map(({ engine }) => engine));
  const isAllPreviews = engines.every((engine) => engine === 'preview');
  return (
    <div className="flex flex-col gap-9">
      {engines.includes('preview') ? (
        <Callout title={isAllPreviews ? 'All models are previews' : 'Some models are previews'}>
          {isAllPreviews ? 'Their results' : 'Results of models marked “Preview”'} are drawn on this server without an
          AI model, so that you can try things out. Prices and limits are those of the real model.{' '}
          {isAdministrator ? (
            <>
              Connect a service under{' '}
              <Link to="/providers" className="underline underline-offset-2">
                Providers
              </Link>
              .
            </>
          ) : (
            'An administrator can connect real services.'
          )}
        </Callout>
      ) : null}
      {MEDIA_KINDS.map((kind) => {
        const group = models.filter((model) => model.media === kind);
        return group.length > 0 ? (
          <Section key={kind} title={HEADINGS[kind]}>
            {group.map((model) => (
              <ModelCard key={model.model} model={model} />
            ))}
          </Section>
        ) : null;
      })}
      {tools.length > 0 ? (
        <Section title="Tools">
          {tools.map((tool) => (
            <ToolCard key={tool.task} offer={tool} />
          ))}
        </Section>
      ) : null}
      {isAdministrator && tasks.length > 0 ? (
        <Section title="Tasks" hint="What the models above are used for. Only administrators see this section.">
          {tasks.map((task) => (
            <TaskCard key={task.task} offer={task} />
          ))}
        </Section>
      ) : null}
    </div>
  );
}

function Section({ title, hint, children }: { title: string; hint?: string; children: ReactNode }) {
  return (
    <section aria-label={title}>
      <h2 className="text-md font-semibold">{title}</h2>
      {hint ? <p className="text-sm text-ink-3">{hint}</p> : null}
      <div className="mt-3 grid items-start gap-3 lg:grid-cols-2 4k:grid-cols-3">{children}</div>
    </section>
  );
}

function TaskCard({ offer, engine, children }: { offer: Offer; engine?: Offer['engine']; children?: ReactNode }) {
  const { name, description } = TASKS[offer.task];
  return (
    <article aria-label={offer.name} className="min-w-0 rounded-md border border-line bg-surface px-4 py-3.5">
      <div className="flex items-start gap-3.5">
        <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-2.5">
          <h3 className="font-semibold">{offer.name}</h3>
          {engine ? <Badge>{ENGINE_LABELS[engine].label}</Badge> : null}
          {offer.available ? null : <Badge tone="amber">Disabled</Badge>}
        </div>
        <RenameEntryButton
          id={offer.task}
          originalName={name}
          originalDescription={description}
          display={offer.display}
        />
      </div>
      {offer.display ? <p className="mt-0.5 text-sm text-ink-3">{name}</p> : null}
      <p className="mt-0.5 text-sm text-ink-3">{offer.description}</p>
      {children}
    </article>
  );
}

const ToolCard = ({ offer }: { offer: Offer }) => (
  <TaskCard offer={offer} engine={offer.engine}>
    <div className="mt-2 mb-1.5">
      <OfferLine offer={offer} title="Use it" isAvailable={offer.available} />
    </div>
    <AcceptedInputs offers={[offer]} />
  </TaskCard>
);

function ModelCard({ model }: { model: ModelOffers }) {
  const { name, description, display, provider, available, engine, media, offers, highlights } = model;
  const { label, description: hint } = ENGINE_LABELS[engine];
  const hasSeveralEngines = offers.some((offer) => offer.engine !== engine);
  const contract = offers[0]?.contract;
  const summary = contract ? formatInputLimits(contract) : [];
  return (
    <article aria-label={name} className="min-w-0 rounded-md border border-line bg-surface px-4 py-3.5">
      <div className="flex items-start gap-3.5">
        {contract ? <ModelIcon contract={contract} media={media} className="mt-0.5 size-14" /> : null}
        <div className="min-w-0 flex-1">
          <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
            <h3 className="font-semibold">{name}</h3>
            {hasSeveralEngines ? null : (
              <span {...tooltipProps(hint)}>
                <Badge>{label}</Badge>
              </span>
            )}
            {available ? null : <Badge tone="amber">Disabled</Badge>}
          </div>
          {provider || display ? (
            <p className="mt-0.5 text-sm text-ink-3">
              {[provider ? formatMaker(provider) : '', catalogName(model.model)].filter(Boolean).join(' · ')}
            </p>
          ) : null}
          {description === undefined ? null : <p className="mt-0.5 text-sm text-ink-2">{description}</p>}
          {highlights.length > 0 ? <p className="mt-0.5 text-sm text-ink-2">{highlights.join(' · ')}</p> : null}
          {summary.length > 0 ? <p className="mt-0.5 text-sm text-ink-3">{summary.join(' · ')}</p> : null}
        </div>
        {isModelId(model.model) ? (
          <RenameEntryButton id={model.model} originalName={catalogName(model.model)} display={display} />
        ) : null}
      </div>
      <div className="mt-2 mb-1.5 divide-y divide-line">
        {offers.map((offer) => (
          <OfferLine
            key={offer.task}
            offer={offer}
            title={offer.name}
            isAvailable={available && offer.available}
            unavailableLabel={available && !offer.available ? 'disabled' : undefined}
            engine={hasSeveralEngines ? offer.engine : undefined}
          />
        ))}
      </div>
      <AcceptedInputs offers={offers} />
    </article>
  );
}

/** The input fields of offers with their limits. Rendered after the visible parts of the page. */
function AcceptedInputs({ offers }: { offers: readonly Offer[] }) {
  const isRendered = useDeferredValue(true, false);
  return <Disclosure summary="Inputs">{isRendered ? <AcceptedInputTables offers={offers} /> : null}</Disclosure>;
}

function AcceptedInputTables({ offers }: { offers: readonly Offer[] }) {
  return (
    <div className="flex flex-col gap-5">
      {offers.map(({ task, name, contract }) => {
        if (!contract) return null;
        const { rows, rules } = describeInputs(contract);
        return (
          <div key={task}>
            {offers.length > 1 ? <h4 className="mb-1.5 text-sm font-medium">{name}</h4> : null}
            <dl className="grid grid-cols-[fit-content(45%)_minmax(0,1fr)] gap-x-4 gap-y-1.5 text-sm">
              {rows.map(({ label, text }) => (
                <div key={label} className="contents">
                  <dt className="min-w-26 text-ink-3">{label}</dt>
                  <dd className="tabular-nums">{text}</dd>
                </div>
              ))}
            </dl>
            {rules.map((rule) => (
              <p key={rule} className="mt-2 text-sm text-ink-3">
                {rule}
              </p>
            ))}
          </div>
        );
      })}
    </div>
  );
}
