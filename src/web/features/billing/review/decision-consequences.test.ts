import { describe, expect, it } from 'vitest';
import type { Asset, ReceivedFile } from '#contract/resources/generation.ts';
import type { Review, UpstreamJob } from '#contract/resources/review.ts';
import { approvalConsequences, rejectionConsequences, unusableOutputReason } from './decision-consequences.ts';

const generation = { task: 'image.create', model: 'imgmodel-b-2', created_by: { id: 'key_1', name: 'Ana' } } as const;
const file = { type: 'image' } as Asset;
const clip = { type: 'video' } as Asset;
const unread = { filename: 'result-1.heic', reason: 'This is a HEIC image.' } as ReceivedFile;
const job = { engine: 'painter/image.create/imgmodel-b-2', state: 'ended', cost_usd: '0.02' } as UpstreamJob;
const review = (more: Partial<Review> = {}) => ({
  amount_usd: '0.05',
  charge_usd: '0.05',
  output: { assets: [file], data: null },
  upstream: job,
  ...more,
});

describe('approvalConsequences', () => {
  it('states the charge and what is released', () => {
    expect(approvalConsequences(generation, review(), null)[0]).toBe('$0.05 is charged.');
    expect(approvalConsequences(generation, review({ charge_usd: '0.035' }), null)[0]).toBe(
      '$0.035 is charged; $0.015 of the reservation is released.',
    );
    expect(approvalConsequences(generation, review({ charge_usd: '0.00' }), null)[0]).toBe(
      'Nothing is charged; $0.05 of the reservation is released.',
    );
  });

  it('states which files become the result and which are deleted', () => {
    expect(approvalConsequences(generation, review(), null)).toContain('The received file becomes the result.');
    const replaced = approvalConsequences(generation, review({ output: { assets: [file, file], data: null } }), 1);
    expect(replaced).toContain('The uploaded file becomes the result.');
    expect(replaced).toContain('The 2 received files are deleted permanently.');
  });

  it('states that files which can’t be shown stay with the result', () => {
    const output = { assets: [], data: null, files: [unread] };
    expect(approvalConsequences(generation, review({ output }), null).slice(1, -1)).toEqual([
      'The file that can’t be shown stays with the result, for download.',
    ]);
    expect(rejectionConsequences(generation, review({ output }))).toContain(
      'The received file is deleted permanently.',
    );
    expect(unusableOutputReason(generation, { output })).toBeNull();
  });

  it('states that a running job is canceled', () => {
    const canceled = 'The job still running at “painter” is canceled.';
    expect(approvalConsequences(generation, review({ upstream: { ...job, state: 'accepted' } }), null)).toContain(
      canceled,
    );
    expect(approvalConsequences(generation, review(), null)).not.toContain(canceled);
  });
});

describe('rejectionConsequences', () => {
  it('states the release, the deletion and the provider’s charge', () => {
    expect(rejectionConsequences(generation, review()).slice(0, 3)).toEqual([
      'Nothing is charged; the reserved $0.05 is released.',
      'The received file is deleted permanently.',
      'The provider still charges you $0.02.',
    ]);
    expect(rejectionConsequences(generation, review({ upstream: { ...job, cost_usd: null } }))).toContain(
      'The provider may still charge you for it.',
    );
  });
});

describe('unusableOutputReason', () => {
  const of = (assets: Asset[], data: Review['output']['data'] = null) => ({ output: { assets, data } });
  it.each([
    ['image.create', of([file, file]), null],
    ['image.create', of([]), 'No file was received.'],
    ['image.create', of([clip]), 'The received file is not an image, so it can’t be the result.'],
    ['video.trim', of([clip, clip]), '2 files were received; this task produces one.'],
    ['social.search', of([], { videos: [] }), null],
    [
      'social.search',
      of([]),
      'The provider returned no data, so there is no result to approve. You can only reject it.',
    ],
  ] as const)('%s', (task, received, reason) => expect(unusableOutputReason({ task }, received)).toBe(reason));
});
