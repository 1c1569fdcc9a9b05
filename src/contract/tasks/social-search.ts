import { defineTask } from '../task.ts';
import { allowedValuesRule } from './fields.ts';

export const PLATFORMS = ['social_a', 'social_b_reels', 'social_c_shorts'] as const;
export type Platform = (typeof PLATFORMS)[number];

/** Spec: Task contracts: social.search */
export const socialSearch = defineTask({
  id: 'social.search',
  name: 'Search social media',
  description: 'Find short videos and photo posts on a topic, for ideas and references.',
  media_type: 'video',
  purpose: 'find_ideas',
  input: {
    fields: [
      {
        kind: 'text',
        name: 'query',
        label: 'Search for',
        group: 'main',
        required: true,
        min_length: 1,
        max_length: 500,
        multiline: false,
        placeholder: 'street food at night',
      },
      {
        kind: 'choice',
        name: 'platform',
        label: 'Platform',
        help: 'Social A shows US results.',
        group: 'main',
        options: PLATFORMS,
        preselected: 'social_a',
        option_labels: {
          social_a: 'Social A',
          social_b_reels: 'Social B Reels',
          social_c_shorts: 'Social C Shorts',
        },
      },
      {
        kind: 'choice',
        name: 'media_type',
        label: 'Post type',
        help: 'Carousels are posts with several images.',
        group: 'shape',
        default: 'video',
        options: ['video', 'carousel'],
        option_labels: { video: 'Video', carousel: 'Carousel' },
      },
      {
        kind: 'choice',
        name: 'sort',
        label: 'Sort by',
        group: 'shape',
        default: 'relevance',
        options: ['relevance', 'recent', 'popular'],
        option_labels: { relevance: 'Relevance', recent: 'Newest', popular: 'Most popular' },
      },
      {
        kind: 'integer',
        name: 'limit',
        label: 'Number of results',
        group: 'shape',
        default: 20,
        min: 1,
        max: 50,
      },
      {
        kind: 'integer',
        name: 'min_views',
        label: 'Minimum views',
        group: 'more',
        default: null,
        nullable: true,
        min: 0,
        max: null,
        empty_label: 'Any',
      },
      {
        kind: 'number',
        name: 'max_duration_seconds',
        label: 'Maximum length',
        group: 'more',
        default: null,
        nullable: true,
        min: 0,
        exclusive_min: true,
        max: 600,
        unit: 's',
        empty_label: 'Any',
      },
      {
        kind: 'datetime',
        name: 'published_after',
        label: 'Published after',
        group: 'more',
        default: null,
        nullable: true,
      },
    ],
    rules: [
      allowedValuesRule(
        'platform',
        ['social_b_reels', 'social_c_shorts'],
        'media_type',
        ['video'],
        'Carousels are available on Social A only.',
      ),
    ],
  },
  output: { min_assets: 0, max_assets: 0, data: 'search' },
});
