import { describe, expect, it } from 'vitest';
import {
  formatTimeLeft,
  summarizeUploads,
  uploadSummaryLabel,
  uploadItemLabel,
  uploadProgress,
} from './upload-item-labels.ts';
import type { UploadItem } from './upload-store.ts';

const uploadItem = (change: Partial<UploadItem> = {}): UploadItem => ({
  id: 'a',
  destination: null,
  name: 'a.png',
  size_bytes: 4_500_000,
  sentBytes: 1_200_000,
  bytesPerSecond: 800_000,
  state: 'sending',
  suspend_reason: null,
  problem: null,
  can_retry: false,
  upload_id: null,
  upload: null,
  ...change,
});
const done = uploadItem({ state: 'done', sentBytes: 4_500_000, bytesPerSecond: null });
const failed = uploadItem({ state: 'failed', problem: 'This file is empty.' });
const suspended = (suspend_reason: UploadItem['suspend_reason']) =>
  uploadItem({ state: 'suspended', suspend_reason, bytesPerSecond: null });

describe('uploadItemLabel', () => {
  it('shows progress, speed and time left', () => {
    expect(uploadItemLabel(uploadItem())).toBe('1.2 of 4.5 MB · 800 kB/s · a few seconds left');
    expect(uploadItemLabel(uploadItem({ sentBytes: 20_000 }))).toBe('20 kB of 4.5 MB · 800 kB/s · 10 s left');
    expect(uploadItemLabel(uploadItem({ bytesPerSecond: null }))).toBe('1.2 of 4.5 MB');
  });

  it('says why an upload does not progress', () => {
    expect(uploadItemLabel(suspended('offline'))).toBe('Waiting for a connection. Resumes automatically.');
    expect(uploadItemLabel(suspended('paused'))).toBe('Paused · 1.2 of 4.5 MB');
    expect(uploadItemLabel(failed)).toBe('This file is empty.');
    const problem = 'The disk is full. Try again later.';
    expect(uploadItemLabel({ ...suspended('postponed'), problem })).toBe(
      'The disk is full. Try again later. The file is still here. Retrying automatically.',
    );
    expect(uploadItemLabel({ ...failed, problem, can_retry: true })).toBe(
      'The disk is full. Try again later. The file is still here.',
    );
  });

  it('has no progress while the service validates the file', () => {
    expect(uploadProgress(uploadItem({ state: 'checking' }))).toBeNull();
    expect(uploadProgress(uploadItem({ sentBytes: 900_000 }))).toBe(0.2);
  });

  it.each([
    [3, 'a few seconds left'],
    [38, '40 s left'],
    [58, 'about 1 min left'],
    [700, 'about 12 min left'],
    [7_300, 'about 2 h left'],
  ])('%d seconds: %s', (seconds, text) => expect(formatTimeLeft(seconds)).toBe(text));
});

describe('uploadSummaryLabel', () => {
  const label = (...list: UploadItem[]) => uploadSummaryLabel(summarizeUploads(list));

  it('counts uploads in one line', () => {
    expect(label(uploadItem(), uploadItem(), done)).toBe('Uploading 2 files');
    expect(label(uploadItem(), failed)).toBe('Uploading 1 file · 1 problem');
    expect(label(done)).toBe('1 file uploaded');
    expect(label(done, done, failed, failed)).toBe('2 files uploaded · 2 problems');
    expect(label(failed)).toBe('1 upload failed');
    expect(label(uploadItem({ state: 'lost' }))).toBe('Choose 1 file again');
  });

  it('says why all uploads are suspended', () => {
    expect(label(suspended('paused'), suspended('paused'))).toBe('2 files paused');
    expect(label(suspended('offline'), done)).toBe('1 file waiting for a connection');
    expect(label(suspended('offline'), uploadItem())).toBe('Uploading 2 files');
  });

  it('sums the progress without failed uploads', () => {
    const { progress, leftBytes, bytesPerSecond } = summarizeUploads([uploadItem(), uploadItem(), done, failed]);
    expect(progress).toBeCloseTo(6.9 / 13.5);
    expect(leftBytes).toBe(6_600_000);
    expect(bytesPerSecond).toBe(1_600_000);
  });
});
