import { MAX_CLIENT_COMMENT_LENGTH, MAX_CLIENT_NAME_LENGTH, SHARE_CODE_LENGTH } from '#contract/limits.ts';
import type { ClientVerdict } from '#contract/statuses.ts';
import type { ShareRequest } from '#contract/resources/share.ts';
import { VERDICTS } from '#server/studio/library/shares/answer-share.ts';
import { escapeHtml } from './escape-html.ts';

/** What was typed when something was not accepted, and why. */
interface EntryProblem {
  field: 'name' | 'code';
  message: string;
  name: string;
}

export interface ShareAsk {
  request: ShareRequest;
  /** Where its forms go. */
  path: string;
  /** The part of a long collection that is shown. */
  page: number;
  hasCode: boolean;
  /** null: this visitor has not given a name. */
  clientName: string | null;
  /** Files that ask for an answer on this part of the page, by their place in it, and which of them have one. */
  asking: readonly { at: number; isAnswered: boolean }[];
  problem: EntryProblem | null;
}

/** What the client said about one file. */
export interface AskedItem {
  sealed: string;
  verdict: ClientVerdict | null;
  comment: string;
  /** Why the comment was not accepted. */
  problem: string | null;
}

const INTROS = {
  picks: 'Pick the files that you like. You can add a note to each.',
  approval: 'Approve each file, or say what should change.',
  comments: 'Write what you think of each file.',
} as const satisfies Record<ShareRequest, string>;

const BUTTONS = {
  picked: 'Pick',
  approved: 'Approve',
  changes_requested: 'Request changes',
  commented: 'Send comment',
} as const satisfies Record<ClientVerdict, string>;

const NOTE_LABELS = {
  picks: 'Your note (optional)',
  approval: 'Your note (needed to request changes)',
  comments: 'Your comment',
} as const satisfies Record<ShareRequest, string>;

const NOTE_SUMMARIES = {
  picks: 'Add a note',
  approval: 'Add a note, or say what should change',
  comments: 'Your comment',
} as const satisfies Record<ShareRequest, string>;

const STATES = {
  picked: '♥ You picked this',
  approved: '✓ You approved this',
  changes_requested: '↻ You asked for changes',
  commented: '✎ You commented on this',
} as const satisfies Record<ClientVerdict, string>;

const hidden = (name: string, value: string | number): string =>
  `<input type="hidden" name="${name}" value="${escapeHtml(String(value))}">`;
const button = (value: string, label: string, style = ''): string =>
  `<button name="do" value="${value}"${style && ` class="${style}"`}>${label}</button>`;

/** Asks who answers, or says who does. */
export function renderEntry({ request, path, page, hasCode, clientName, asking, problem }: ShareAsk): string {
  const start = `<section class="ask" aria-label="Your answers"><p>${INTROS[request]}</p><form method="post" action="${escapeHtml(path)}">${hidden('page', page)}`;
  if (clientName !== null)
    return `${start}<p>Answering as <b dir="auto">${escapeHtml(clientName)}</b></p>${button('leave', 'Not you?', 'plain')}</form>${renderProgress(asking)}</section>`;
  const field = (name: EntryProblem['field'], label: string, attributes: string): string => {
    const message = problem?.field === name ? problem.message : null;
    const described = message === null ? '' : ` aria-invalid="true" aria-describedby="${name}-problem" autofocus`;
    return `<p class="field"><label for="${name}">${label}</label><input id="${name}" name="${name}" required ${attributes}${described}>${renderProblem(`${name}-problem`, message)}</p>`;
  };
  return [
    start,
    field(
      'name',
      'Your name',
      `autocomplete="name" maxlength="${MAX_CLIENT_NAME_LENGTH}" value="${escapeHtml(problem?.name ?? '')}"`,
    ),
    hasCode ? field('code', 'Code', `autocomplete="off" maxlength="${SHARE_CODE_LENGTH.max}"`) : '',
    button('enter', 'Start', 'main'),
    '</form></section>',
  ].join('');
}

/** “3 of 4 answered”, with a link to the first that is not. */
function renderProgress(asking: ShareAsk['asking']): string {
  const next = asking.find(({ isAnswered }) => !isAnswered);
  const done = asking.filter(({ isAnswered }) => isAnswered).length;
  const link = next === undefined || done === 0 ? '' : ` <a href="#f${next.at}">Go to the next</a>`;
  return `<p class="progress" role="status">${done} of ${asking.length} answered${next === undefined ? '. Thank you!' : ''}${link}</p>`;
}

/** Links to the files before and after, which a page without script has to list. */
function renderSteps(asking: ShareAsk['asking'], at: number): string {
  const place = asking.findIndex((each) => each.at === at);
  if (place === -1 || asking.length < 2) return '';
  const link = (step: -1 | 1, label: string): string => {
    const target = asking[place + step];
    return target === undefined ? '<span></span>' : `<a href="#f${target.at}">${label}</a>`;
  };
  return `<div class="steps">${link(-1, '← Previous')}<span>${place + 1} of ${asking.length}</span>${link(1, 'Next →')}</div>`;
}

const renderProblem = (id: string, message: string | null): string =>
  message === null ? '' : `<span class="problem" id="${id}" role="alert">${escapeHtml(message)}</span>`;

/** What a client said about a version that a newer one has replaced. */
export const renderOldAnswer = ({ verdict, comment }: AskedItem): string =>
  verdict === null
    ? ''
    : `<div class="answer"><p class="state ${verdict}">${STATES[verdict]}</p>${comment === '' ? '' : `<p dir="auto" class="note">${escapeHtml(comment)}</p>`}</div>`;

/** The form below one file. */
export function renderAnswerForm(ask: ShareAsk, item: AskedItem, { at, name }: { at: number; name: string }): string {
  const { sealed, verdict, comment, problem } = item;
  const id = `note-${at}`;
  const label = NOTE_LABELS[ask.request];
  const described = problem === null ? '' : ` aria-invalid="true" aria-describedby="${id}-problem" autofocus`;
  const note = `<label for="${id}">${label}</label><textarea id="${id}" name="comment" rows="3" maxlength="${MAX_CLIENT_COMMENT_LENGTH}" dir="auto"${described}>\n${escapeHtml(comment)}</textarea>${renderProblem(`${id}-problem`, problem)}`;
  const isOpen = comment !== '' || problem !== null;
  const isComment = ask.request === 'comments';
  // Choosing the same again only saves the note, so it belongs below it.
  const save = verdict === null ? '' : button(verdict, isComment ? 'Save comment' : 'Save note', 'save');
  const choices = VERDICTS[ask.request]
    .filter((each) => each !== verdict)
    .map((each) => button(each, BUTTONS[each], each));
  return [
    `<form class="answer" id="f${at}" method="post" action="${escapeHtml(ask.path)}" aria-label="Your answer about ${escapeHtml(name)}">`,
    hidden('page', ask.page) + hidden('at', at) + hidden('item', sealed),
    verdict === null ? '' : `<p class="state ${verdict}">${STATES[verdict]}</p>`,
    isComment
      ? note + save
      : `<details${isOpen ? ' open' : ''}><summary>${NOTE_SUMMARIES[ask.request]}</summary>${note}${save}</details>`,
    `<div class="buttons">${choices.join('')}${verdict === null ? '' : button('withdraw', 'Take back', 'plain')}</div>${renderSteps(ask.asking, at)}</form>`,
  ].join('');
}
