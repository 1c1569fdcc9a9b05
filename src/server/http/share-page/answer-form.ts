import { CLIENT_VERDICTS } from '#contract/statuses.ts';
import { createRateLimiter, type RateLimiter } from '#server/accounts/rate-limits/rate-limiter.ts';
import { networkPrefix } from '#server/http/rate-limit.ts';
import type { Deps } from '#server/platform/deps.ts';
import { AnswerProblem, answerShare, enterShare } from '#server/studio/library/shares/answer-share.ts';
import type { OpenPage } from './open-page.ts';

/** Decision: Client answers */
const CODES = { points: 10, window_seconds: 900 };
const CODES_PER_SHARE = { points: 100, window_seconds: 3_600 };
/** Above the limit of the share, of a network: an attacker may have many /64, and who knows the code needs one try. */
const CODES_ABOVE = { points: 2, window_seconds: 900 };
const IPV6_GROUPS_ABOVE = 3;
const ANSWERS = { points: 60, window_seconds: 60 };

type AnswerForm = (page: OpenPage, address: string, form: URLSearchParams) => Promise<AnswerResult>;

/** `cookie`: null removes it, undefined keeps it. */
interface AnswerResult {
  cookie?: string | null;
}

/** Carries out what a form of a share page asks for. @throws {AnswerProblem} */
export function createAnswerForm(deps: Deps): AnswerForm {
  const createLimit = (name: string, limit: { points: number; window_seconds: number }) =>
    createRateLimiter(deps, { name, ...limit, is_exact: true });
  const countTry = async (limiter: RateLimiter, key: string, field: AnswerProblem['field']) => {
    const blockedMs = await limiter.consume(key);
    if (blockedMs === null) return;
    const minutes = Math.ceil(blockedMs / 60_000);
    const wait = minutes === 1 ? 'a minute' : `${minutes} minutes`;
    throw new AnswerProblem(field, `Too many tries. Wait ${wait}, then try again. Nothing was saved.`);
  };
  const codes = createLimit('share_code', CODES);
  const codesOfShare = createLimit('share_codes', CODES_PER_SHARE);
  const codesAbove = createLimit('share_codes_above', CODES_ABOVE);
  const answers = createLimit('share_answer', ANSWERS);

  /** Never refuses everybody: a few networks could lock out who knows the code. */
  const countCode = async (shareId: string, address: string): Promise<void> => {
    await countTry(codes, `${shareId} ${networkPrefix(address)}`, 'code');
    if ((await codesOfShare.consume(shareId)) === null) return;
    await countTry(codesAbove, `${shareId} ${networkPrefix(address, IPV6_GROUPS_ABOVE)}`, 'code');
  };

  return async ({ share, client }, address, form) => {
    const read = (name: string) => form.get(name) ?? '';
    const act = read('do');
    if (share.row.asks_for === null)
      throw new AnswerProblem(null, 'This page does not ask for answers. Nothing was saved.');
    if (act === 'leave') return { cookie: null };
    if (act === 'enter') {
      if (share.row.code_hash !== null) await countCode(share.row.id, address);
      return { cookie: await enterShare(deps, share, { name: read('name'), code: read('code') }) };
    }
    const verdict = CLIENT_VERDICTS.find((each) => each === act) ?? null;
    if (verdict === null && act !== 'withdraw') throw new AnswerProblem(null, 'Choose an answer. Nothing was saved.');
    await countTry(answers, `${share.row.id} ${networkPrefix(address)}`, null);
    if (client === null) throw new AnswerProblem('name', 'Enter your name first. Your answer was not saved.');
    await answerShare(deps, share, client, { sealed: read('item'), verdict, text: read('comment') });
    return {};
  };
}
