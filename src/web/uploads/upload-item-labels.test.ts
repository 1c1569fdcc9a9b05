import { describe, expect, it } from 'vitest';
import {
  formatTimeLeft,
  summarizeUploads,
  uploadSummaryLabel,
  uploadItemLabel,
  uploadProgress,
} from './upload-item-labels.ts';
import type { UploadItem } from './upload-store.ts';

const sending = (change: Partial<UploadItem> = {}): UploadItem => ({
  id: 'a',
  place: null,
  name: 'a.png',
  size_bytes: 4_500_000,
  sent_bytes: 1_200_000,
  bytes_per_second: 800_000,
  state: 'sending',
  hold: null,
  problem: null,
  again: false,
  upload_id: null,
  upload: null,
  ...change,
});
const done = sending({ state: 'done', sent_bytes: 4_500_000, bytes_per_second: null });
const failed = sending({ state: 'failed', problem: 'This file is empty.' });
const held = (hold: UploadItem['hold']) => sending({ state: 'held', hold, bytes_per_second: null });

describe('one file', () => {
  it('says how far it is, how fast it goes and how long it still takes', () => {
    expect(uploadItemLabel(sending())).toBe('1.2 of 4.5 MB · 800 kB/s · a few seconds left');
    expect(uploadItemLabel(sending({ sent_bytes: 20_000 }))).toBe('20 kB of 4.5 MB · 800 kB/s · 10 s left');
    expect(uploadItemLabel(sending({ bytes_per_second: null }))).toBe('1.2 of 4.5 MB');
  });

  it('says why it does not go on', () => {
    expect(uploadItemLabel(held('offline'))).toBe('Waits for the connection, then goes on by itself');
    expect(uploadItemLabel(held('paused'))).toBe('Paused · 1.2 of 4.5 MB');
    expect(uploadItemLabel(failed)).toBe('This file is empty.');
    const problem = 'The disk is full. Try again later.';
    expect(uploadItemLabel({ ...held('postponed'), problem })).toBe(
      'The disk is full. Try again later. The file is still here and will be sent again.',
    );
    expect(uploadItemLabel({ ...failed, problem, again: true })).toBe(
      'The disk is full. Try again later. The file is still here.',
    );
  });

  it('does not know how far it is while the service looks at it', () => {
    expect(uploadProgress(sending({ state: 'checking' }))).toBeNull();
    expect(uploadProgress(sending({ sent_bytes: 900_000 }))).toBe(0.2);
  });

  it.each([
    [3, 'a few seconds left'],
    [38, '40 s left'],
    [58, 'about 1 min left'],
    [700, 'about 12 min left'],
    [7_300, 'about 2 h left'],
  ])('%d seconds: %s', (seconds, words) => expect(formatTimeLeft(seconds)).toBe(words));
});

describe('all of them', () => {
  const words = (...list: UploadItem[]) => uploadSummaryLabel(summarizeUploads(list));

  it('counts in one line', () => {
    expect(words(sending(), sending(), done)).toBe('Sending 2 files');
    expect(words(sending(), failed)).toBe('Sending 1 file · 1 problem');
    expect(words(done)).toBe('1 file uploaded');
    expect(words(done, done, failed, failed)).toBe('2 files uploaded · 2 problems');
    expect(words(failed)).toBe('1 file was not uploaded');
    expect(words(sending({ state: 'lost' }))).toBe('1 file is to be chosen again');
  });

  it('says so where nothing goes on', () => {
    expect(words(held('paused'), held('paused'))).toBe('2 files paused');
    expect(words(held('offline'), done)).toBe('1 file waits for the connection');
    expect(words(held('offline'), sending())).toBe('Sending 2 files');
  });

  it('adds up how far they are, what failed left out', () => {
    const { share, left_bytes, bytes_per_second } = summarizeUploads([sending(), sending(), done, failed]);
    expect(share).toBeCloseTo(6.9 / 13.5);
    expect(left_bytes).toBe(6_600_000);
    expect(bytes_per_second).toBe(1_600_000);
  });
});
