import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { setRunningTimeout } from './running-timeout.ts';

let stalledMs = 0;
const now = () => stalledMs + performance.now();
beforeEach(() => {
  stalledMs = 0;
  vi.useFakeTimers();
});
afterEach(() => vi.useRealTimers());

it('acts once, when its time has passed', () => {
  const act = vi.fn();
  setRunningTimeout(10_000, act, now);
  vi.advanceTimersByTime(9_500);
  expect(act).not.toHaveBeenCalled();
  vi.advanceTimersByTime(10_000);
  expect(act).toHaveBeenCalledOnce();
});

it('counts a stall of the process as one second', () => {
  const act = vi.fn();
  setRunningTimeout(10_000, act, now);
  vi.advanceTimersByTime(5_000);
  stalledMs = 60_000;
  vi.advanceTimersByTime(3_500);
  expect(act).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1_000);
  expect(act).toHaveBeenCalledOnce();
});

it('leaves a short wait some time after a stall', () => {
  const act = vi.fn();
  setRunningTimeout(800, act, now);
  stalledMs = 60_000;
  vi.advanceTimersByTime(400);
  expect(act).not.toHaveBeenCalled();
  vi.advanceTimersByTime(400);
  expect(act).toHaveBeenCalledOnce();
});

it('can be canceled', () => {
  const act = vi.fn();
  setRunningTimeout(1_000, act, now)();
  vi.advanceTimersByTime(5_000);
  expect(act).not.toHaveBeenCalled();
});
