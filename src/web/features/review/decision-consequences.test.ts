import { describe, expect, it } from 'vitest';
import type { Asset } from '#contract/resources/generation.ts';
import type { Review, UpstreamJob } from '#contract/resources/review.ts';
import { approvalConsequences, rejectionConsequences, unusableOutputReason } from './decision-consequences.ts';

const asked = { task: 'image.create', model: 'imgmodel-b-2', created_by: { id: 'key_1', name: 'Ana' } } as const;
const file = { type: 'image' } as Asset;
const clip = { type: 'video' } as Asset;
const job = { engine: 'painter/image.create/imgmodel-b-2', state: 'ended', cost_usd: '0.02' } as UpstreamJob;
const review = (more: Partial<Review> = {}) => ({
  amount_usd: '0.05',
  charge_usd: '0.05',
  output: { assets: [file], data: null },
  upstream: job,
  ...more,
});

describe('what approving does', () => {
  it('says what is charged and what comes back', () => {
    expect(approvalConsequences(asked, review(), null)[0]).toBe('$0.05 is charged.');
    expect(approvalConsequences(asked, review({ charge_usd: '0.035' }), null)[0]).toBe(
      '$0.035 is charged; $0.015 of the reservation is released.',
    );
    expect(approvalConsequences(asked, review({ charge_usd: '0.00' }), null)[0]).toBe(
      'Nothing is charged; $0.05 of the reservation is released.',
    );
  });

  it('says which files become the result, and which go', () => {
    expect(approvalConsequences(asked, review(), null)).toContain('The held file becomes the result.');
    const replaced = approvalConsequences(asked, review({ output: { assets: [file, file], data: null } }), 1);
    expect(replaced).toContain('The uploaded file becomes the result.');
    expect(replaced).toContain('The 2 held files are deleted permanently.');
  });

  it('says that a job still at work is stopped', () => {
    const stopped = 'The job still running at “painter” is canceled.';
    expect(approvalConsequences(asked, review({ upstream: { ...job, state: 'accepted' } }), null)).toContain(stopped);
    expect(approvalConsequences(asked, review(), null)).not.toContain(stopped);
  });
});

describe('what rejecting does', () => {
  it('gives the money back, deletes what is held, and says what stays to be paid', () => {
    expect(rejectionConsequences(asked, review()).slice(0, 3)).toEqual([
      'Nothing is charged; the reserved $0.05 is released.',
      'The held file is deleted permanently.',
      'The provider still charges you $0.02.',
    ]);
    expect(rejectionConsequences(asked, review({ upstream: { ...job, cost_usd: null } }))).toContain(
      'The provider may still charge you for it.',
    );
  });
});

describe('why what is held can’t be the result', () => {
  const of = (assets: Asset[], data: Review['output']['data'] = null) => ({ output: { assets, data } });
  it.each([
    ['image.create', of([file, file]), null],
    ['image.create', of([]), 'There is no held file.'],
    ['image.create', of([clip]), 'The held file is not a picture, so it can’t be the result.'],
    ['video.trim', of([clip, clip]), 'There are 2 held files; this task has one.'],
    ['social.search', of([], { videos: [] }), null],
    ['social.search', of([]), 'The provider returned no data, which the result needs. This can only be rejected.'],
  ] as const)('%s', (task, held, reason) => expect(unusableOutputReason({ task }, held)).toBe(reason));
});
