import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { AssistantAnswer } from '@rmeet/contract';
import { isCloseMessage } from '../src/features/assistant/button/closeMessage.ts';
import {
  cornerOf,
  EDGE,
  FIRST_PLACE,
  placeAt,
  SIZE,
  storedPlace,
  storePlace,
} from '../src/features/assistant/button/place.ts';
import { createTooltip } from '../src/features/assistant/button/tooltip.ts';
import { afterEvent, EMPTY, turnsOf } from '../src/features/assistant/assistantPage/conversation.ts';
import { faultsIn } from '../src/features/assistant/assistantSettings/draft.ts';

describe('the tooltip of the button', () => {
  let shown: boolean[] = [];
  beforeEach(() => {
    vi.useFakeTimers();
    shown = [];
  });
  afterEach(() => {
    vi.useRealTimers();
  });
  const start = () => createTooltip((isShown) => shown.push(isShown));

  test('appears after 3 s, and hides 5 s after the pointer has left', () => {
    const tooltip = start();
    tooltip.enter();
    vi.advanceTimersByTime(2_999);
    expect(shown).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(shown).toEqual([true]);
    tooltip.leave();
    vi.advanceTimersByTime(4_999);
    expect(shown).toEqual([true]);
    vi.advanceTimersByTime(1);
    expect(shown).toEqual([true, false]);
  });

  test('does not appear if the pointer leaves before, and stays if it returns in time', () => {
    const tooltip = start();
    tooltip.enter();
    vi.advanceTimersByTime(1_000);
    tooltip.leave();
    vi.advanceTimersByTime(10_000);
    expect(shown).toEqual([]);
    tooltip.enter();
    vi.advanceTimersByTime(3_000);
    tooltip.leave();
    vi.advanceTimersByTime(4_000);
    tooltip.enter();
    vi.advanceTimersByTime(60_000);
    expect(shown).toEqual([true]);
  });

  test('hides at once while the button is dragged', () => {
    const tooltip = start();
    tooltip.enter();
    vi.advanceTimersByTime(3_000);
    tooltip.hide();
    vi.advanceTimersByTime(60_000);
    expect(shown).toEqual([true, false]);
  });
});

describe('the place of the button', () => {
  const area = { width: 1_280, height: 720 };

  test('is inside the page, wherever it is dragged, and at every size of the page', () => {
    for (const corner of [
      { left: -500, top: 9_000 },
      { left: 5_000, top: -1 },
      { left: 600, top: 300 },
    ]) {
      const place = placeAt(corner, area);
      for (const size of [area, { width: 320, height: 568 }, { width: 40, height: 40 }]) {
        const { left, top } = cornerOf(place, size);
        expect(left).toBeGreaterThanOrEqual(EDGE);
        expect(top).toBeGreaterThanOrEqual(EDGE);
        expect(left + SIZE).toBeLessThanOrEqual(Math.max(size.width - EDGE, SIZE + EDGE));
      }
    }
    expect(cornerOf(placeAt({ left: 600, top: 300 }, area), area)).toEqual({ left: 600, top: 300 });
  });

  test('is kept in the browser, and is the first one if something else is stored', () => {
    const kept = new Map<string, string>();
    const store = {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => void kept.set(key, value),
    };
    expect(storedPlace(store)).toEqual(FIRST_PLACE);
    storePlace(store, { x: 0.25, y: 0.5 });
    expect(storedPlace(store)).toEqual({ x: 0.25, y: 0.5 });
    for (const value of ['', '{', '[]', '{"x":"1","y":null}', 'null']) {
      kept.set('assistantPlace', value);
      expect(storedPlace(store)).toEqual(FIRST_PLACE);
    }
  });
});

describe('a message closes the drawer', () => {
  const frame = { window: {}, origin: 'https://meet.example.org' };
  const close = { type: 'event', text: 'close' };
  const from = (source: unknown, origin: string, data: unknown) =>
    isCloseMessage({ source, origin, data } as MessageEvent, frame);

  test('if it is of the frame, from its origin, and says so', () => {
    expect(from(frame.window, frame.origin, close)).toBe(true);
  });

  test.each([
    ['another window', {}, frame.origin, close],
    ['another origin, in the same frame', frame.window, 'https://evil.example.org', close],
    ['no window', null, frame.origin, close],
    ['another text', frame.window, frame.origin, { type: 'event', text: 'open' }],
    ['another type', frame.window, frame.origin, { type: 'close', text: 'close' }],
    ['a text instead of an object', frame.window, frame.origin, 'close'],
    ['nothing', frame.window, frame.origin, null],
  ])('but not of %s', (_what, source, origin, data) => {
    expect(from(source, origin, data)).toBe(false);
  });

  test('and never before the frame has a window', () => {
    const none = { window: null, origin: frame.origin };
    expect(isCloseMessage({ source: null, origin: frame.origin, data: close } as MessageEvent, none)).toBe(false);
  });
});

describe('the conversation', () => {
  const answer = (text: string, title = 'Admit people'): AssistantAnswer => ({
    by: 'manual',
    text,
    passages: [{ page: 'host', passage: 'admit', pageTitle: 'Host', title, text: 'Press Admit.', address: '/help' }],
    files: [],
    facts: [],
    proposals: [],
    modelFailed: false,
  });

  test('sends the last answered turns along, and what was tried to the service desk', () => {
    let talk = EMPTY;
    for (let id = 1; id <= 8; id += 1) {
      talk = afterEvent(talk, { kind: 'asked', id, question: `Question ${id}` });
      talk = afterEvent(talk, {
        kind: 'answered',
        id,
        answer: answer(id === 8 ? '' : `Answer ${id}`, `Title ${id % 3}`),
      });
    }
    talk = afterEvent(talk, { kind: 'asked', id: 9, question: 'Open' });
    expect(turnsOf(talk).map(({ question }) => question)).toEqual([3, 4, 5, 6, 7, 8].map((id) => `Question ${id}`));
    expect(turnsOf(talk).at(-1)?.answer).toBe('Press Admit.');
    expect(talk.tried).toEqual(['Title 1', 'Title 2', 'Title 0']);
    talk = afterEvent(talk, { kind: 'failed', id: 9, trouble: 'No answer' });
    expect(talk.turns.at(-1)).toMatchObject({ answer: null, trouble: 'No answer' });
  });
});

describe('the settings', () => {
  const draft = {
    answers: 'manual',
    deskMail: '',
    modelUrl: '',
    modelName: '',
    modelKey: '',
    pageUrl: '',
    pageSecret: '',
  } as const;

  test.each([
    ['nothing', {}, false, {}],
    ['a desk without a domain', { deskMail: 'desk' }, false, { deskMail: 'mail' }],
    ['a model without address and name', { answers: 'model' }, false, { modelUrl: 'url', modelName: 'name' }],
    ['another scheme', { answers: 'model', modelUrl: 'ftp://a', modelName: 'a' }, false, { modelUrl: 'url' }],
    ['a key with a space', { modelKey: 'a b' }, false, { modelKey: 'letters' }],
    ['a page without address and secret', { answers: 'page' }, false, { pageUrl: 'url', pageSecret: 'secret' }],
    ['a page with a stored secret', { answers: 'page', pageUrl: 'https://a' }, true, {}],
    ['a short secret', { pageSecret: 'short' }, true, { pageSecret: 'secret' }],
  ] as const)('with %s', (_what, part, hasSecret, faults) => {
    expect(faultsIn({ ...draft, ...part }, hasSecret)).toEqual(faults);
  });
});
