import { Link } from '@tanstack/react-router';
import { Eye, Heart, MessageCircle, SearchX, Share2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { createPageLink } from '#web/api/create-page-link.ts';
import type { Generation } from '#contract/resources/generation.ts';
import { EmptyState } from '#web/ui/display/empty-state.tsx';
import { lazily } from '#web/ui/formats.ts';
import { Money } from '#web/api/money.tsx';
import { RelativeTime } from '#web/ui/display/relative-time.tsx';
import { PostActions } from './post-actions.tsx';
import { PostPoster } from './post-poster.tsx';
import { type SocialPost, type OutputData, readPosts } from './read-output-data.ts';
import { suggestSearches } from './search-suggestions.ts';

const compactFormat = lazily(() => new Intl.NumberFormat('en', { notation: 'compact' }));

export interface SearchResultsProps {
  data: OutputData;
  generationId?: string;
  usage?: Generation['usage'];
}

/** A wall of posts, each with what can be made of it. */
export function SearchResults({ data, generationId, usage }: SearchResultsProps) {
  const posts = readPosts(data);
  if (posts.length === 0)
    return <NoResults query={data?.['query']} generationId={generationId ?? null} usage={usage} />;
  return (
    <ul
      aria-label={`${posts.length} ${posts.length === 1 ? 'post' : 'posts'} found`}
      className="columns-[10.5rem] gap-3"
    >
      {posts.map((post, at) => (
        <Post key={post.id} post={post}>
          <PostActions post={post} at={at} generationId={generationId ?? null} />
        </Post>
      ))}
    </ul>
  );
}

function Post({ post, children }: { post: SocialPost; children: ReactNode }) {
  const { caption, creator, hashtags, published_at, views, likes, comments, shares } = post;
  return (
    <li className="mb-3 flex min-w-0 break-inside-avoid flex-col overflow-hidden rounded-md border border-line bg-surface">
      <PostPoster post={post} />
      <div className="flex min-w-0 flex-col gap-1 px-2.5 pt-2 pb-1.5">
        <p dir="auto" className="line-clamp-3 text-sm wrap-anywhere">
          {caption ?? 'No caption'}
        </p>
        {hashtags.length > 0 ? (
          <p className="truncate text-xs text-ink-3">{hashtags.map((tag) => `#${tag.replace(/^#/, '')}`).join(' ')}</p>
        ) : null}
        <p className="flex items-baseline gap-2 text-xs text-ink-3">
          <span dir="auto" className="min-w-0 truncate">
            {creator}
          </span>
          {published_at ? <RelativeTime at={published_at} className="flex-none" /> : null}
        </p>
        <p className="flex min-w-0 flex-wrap gap-x-2.5 text-xs text-ink-3 tabular-nums">
          <Count icon={<Eye aria-hidden="true" className="size-3.5" />} label="views" count={views} />
          <Count icon={<Heart aria-hidden="true" className="size-3.5" />} label="likes" count={likes} />
          <Count icon={<MessageCircle aria-hidden="true" className="size-3.5" />} label="comments" count={comments} />
          <Count icon={<Share2 aria-hidden="true" className="size-3.5" />} label="shares" count={shares} />
        </p>
        <div className="-mx-1.5">{children}</div>
      </div>
    </li>
  );
}

interface NoResultsProps {
  query: unknown;
  generationId: string | null;
  usage: SearchResultsProps['usage'];
}

function NoResults({ query, generationId, usage }: NoResultsProps) {
  const suggestions = typeof query === 'string' && generationId ? suggestSearches(query) : [];
  return (
    <EmptyState
      icon={<SearchX aria-hidden="true" />}
      title="No results"
      actions={
        suggestions.length > 0 && generationId ? (
          <ul aria-label="Try instead" className="flex flex-wrap justify-center gap-1.5">
            {suggestions.map((text) => (
              <li key={text}>
                <Link
                  {...createPageLink('social.search')}
                  search={{ from: generationId, query: text }}
                  className="inline-flex h-8 items-center rounded-full border border-line-strong bg-surface px-3 text-sm font-medium hover:bg-hover pointer-coarse:h-11"
                >
                  {text}
                </Link>
              </li>
            ))}
          </ul>
        ) : null
      }
    >
      {suggestions.length > 0
        ? 'Try other words, or loosen the filters. These fill in the form and search nothing yet.'
        : 'Try fewer words or other filters.'}
      {usage?.billing_status === 'settled' ? (
        <span className="mt-2 block text-ink-3">
          This search cost <Money amount_usd={usage.amount_usd} className="text-ink-2" />. A search is priced by its
          number of results, whether or not it finds any.
        </span>
      ) : null}
    </EmptyState>
  );
}

function Count({ icon, label, count }: { icon: ReactNode; label: string; count: number | null }) {
  if (count === null) return null;
  return (
    <span className="flex items-center gap-1">
      {icon}
      {compactFormat().format(count)} <span className="sr-only">{label}</span>
    </span>
  );
}
