import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Args, contract, WatchState } from '@rmeet/contract';
import { account } from '../../../src/modules/accounts/users/tables.ts';
import { tenant } from '../../../src/modules/accounts/tenants/tables.ts';
import { broadcastViewer } from '../../../src/modules/live/tables.ts';
import { clientOf, codeOf, send, signIn, type Person } from '../support/client.ts';
import { bookLive, openLive, type LiveSettings } from '../support/live.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let alice: Person;
let bob: Person;
let carol: Person;
beforeAll(async () => {
  server = await startTestServer();
  [alice, bob, carol] = await Promise.all([signIn(server, 'alice'), signIn(server, 'bob'), signIn(server, 'carol')]);
});
afterAll(() => server.close());

const idOf = (name: string): string => server.people.get(name)?.id ?? '';
const anyone = () => clientOf(server).watch;
const open = (id: string, body: Args<typeof contract.watch.open>['body'] = {}) =>
  anyone().open({ params: { id }, body });
const openAs = (who: Person, id: string, body: { view?: string; password?: string } = {}) =>
  who.watch.openSignedIn({ params: { id }, body });
const state = (view: string, more: { since?: number; likes?: number } = {}) =>
  anyone().state({ body: { view, ...more } });
const say = (view: string, text: string, kind: 'chat' | 'question' = 'chat') =>
  anyone().say({ body: { view, text, kind } });
const texts = ({ messages }: Pick<WatchState, 'messages'>): string[] => messages.map(({ text }) => text);
const change = (id: string, body: LiveSettings) => alice.broadcasts.change({ params: { id }, body });
/** Servers see a change of another one after two seconds. */
const later = (seconds = 3): void => server.clock.advance({ seconds });
const scheduled = async (live: LiveSettings): Promise<string> => (await bookLive(server, alice, live)).meetId;

describe('a broadcast opens', () => {
  test('for everyone if it is public, and is watched by a signed address while it is on air', async () => {
    const { id, act } = await openLive(server, alice, { access: 'public' });
    const { view, ...before } = await open(id);
    expect(before).toMatchObject({
      broadcast: { id, subject: 'Town hall', state: 'scheduled', hostName: 'Alice' },
      viewers: 0,
      sign: '',
      watermark: null,
      hasReplay: false,
      cdn: null,
    });
    await act('START');
    const { sign, broadcast, cdn } = await state(view);
    expect(cdn).toBeNull();
    expect(broadcast.state).toBe('onAir');
    expect(sign).toMatch(/^l[0-9a-f-]{36}\.\d{10}\.[\w-]{43}$/);
    await act('END');
    expect(await state(view)).toMatchObject({ broadcast: { state: 'ended' }, sign: '' });
  });

  test('for people of the organisation only', async () => {
    const id = await scheduled({ access: 'organisation' });
    expect(await codeOf(open(id))).toBe('WATCH_SIGN_IN');
    expect((await openAs(bob, id)).broadcast.id).toBe(id);
    expect(await codeOf(openAs(await signIn(server, 'dave'), id))).toBe('WATCH_NOT_ALLOWED');
  });

  test('for named people, and those who hold it', async () => {
    const id = await scheduled({ access: 'whiteList', whiteList: [idOf('bob')] });
    expect(await codeOf(open(id))).toBe('WATCH_SIGN_IN');
    expect(await codeOf(openAs(carol, id))).toBe('WATCH_NOT_ALLOWED');
    for (const who of [bob, alice]) expect((await openAs(who, id)).broadcast.id).toBe(id);
  });

  test('with a name if it is marked with the names of its viewers', async () => {
    const id = await scheduled({ access: 'public', watermark: true });
    expect(await codeOf(open(id))).toBe('WATCH_NAME');
    expect((await open(id, { name: 'Dora' })).watermark).toBe('Dora');
    expect((await openAs(bob, id)).watermark).toBe('Bob');
  });

  test('not at all if it is unknown, or its meeting was cancelled', async () => {
    expect(await codeOf(open(crypto.randomUUID()))).toBe('NOT_FOUND');
    const id = await scheduled({ access: 'public' });
    const { view } = await open(id);
    await alice.meetings.cancel({ params: { id }, query: {} });
    later();
    expect(await codeOf(open(id))).toBe('NOT_FOUND');
    expect(await codeOf(state(view))).toBe('WATCH_ENDED');
  });

  test('again for the page that sends its view, which may give a name later', async () => {
    const id = await scheduled({ access: 'public' });
    const { view } = await open(id);
    expect(await codeOf(say(view, 'Hello'))).toBe('WATCH_NAME');
    expect((await open(id, { view, name: 'Dora' })).view).toBe(view);
    expect(await say(view, 'Hello')).toMatchObject({ name: 'Dora', isHost: false });
    expect((await open(id, { view: 'unknown' })).view).not.toBe(view);
  });
});

describe('a password', () => {
  test('is asked of all but those who hold the broadcast', async () => {
    const id = await scheduled({ access: 'password', password: 'town-hall' });
    for (const password of ['', 'wrong']) expect(await codeOf(open(id, { password }))).toBe('WATCH_PASSWORD');
    expect(await codeOf(openAs(bob, id))).toBe('WATCH_PASSWORD');
    for (let times = 0; times < 2; times += 1)
      expect((await open(id, { password: 'town-hall' })).broadcast.id).toBe(id);
    expect((await openAs(bob, id, { password: 'town-hall' })).broadcast.id).toBe(id);
    expect((await openAs(alice, id)).broadcast.id).toBe(id);
  });

  test('cannot be guessed: wrong ones from one network are delayed, the right one, too', async () => {
    const id = await scheduled({ access: 'password', password: 'town-hall' });
    const from = (password: string) => openFrom('203.0.113.7', id, password);
    for (let times = 0; times < 6; times += 1) expect(await from(`wrong-${times}`)).toBe('WATCH_PASSWORD');
    expect(await from('town-hall')).toBe('TOO_MANY_REQUESTS');
    expect(await openFrom('198.51.100.7', id, 'town-hall')).toBe('OK');
    expect(await from('town-hall')).toBe('TOO_MANY_REQUESTS');
    later(400);
    expect(await from('town-hall')).toBe('OK');
  });

  test('that is new ends the views of those who know the old one only', async () => {
    const id = await scheduled({ access: 'password', password: 'town-hall' });
    const { view } = await open(id, { password: 'town-hall' });
    const own = await openAs(alice, id);
    await change(id, { password: 'another' });
    expect(await codeOf(state(view))).toBe('WATCH_ENDED');
    expect(await codeOf(open(id, { view, password: 'town-hall' }))).toBe('WATCH_PASSWORD');
    expect((await state(own.view)).broadcast.id).toBe(id);
  });
});

async function openFrom(address: string, id: string, password: string): Promise<string> {
  return (await send(server, 'POST', `/api/api/v1/live/watch/${id}/open`, { body: { password }, address })).statusCode;
}

describe('a view ends', () => {
  const set = (name: string, enabled: boolean) =>
    server.db.platform((tx) => tx.update(account, { enabled }, eq(account.id, idOf(name))));

  test('when the access is limited, the white list changes, or the account is disabled', async () => {
    const id = await scheduled({ access: 'public' });
    const { view: anonymous } = await open(id);
    const { view: ofBob } = await openAs(bob, id);
    const { view: ofCarol } = await openAs(carol, id);
    await change(id, { access: 'organisation' });
    expect(await codeOf(state(anonymous))).toBe('WATCH_ENDED');
    await change(id, { access: 'whiteList', whiteList: [idOf('carol')] });
    expect(await codeOf(state(ofBob))).toBe('WATCH_ENDED');
    await set('carol', false);
    later();
    expect(await codeOf(state(ofCarol))).toBe('WATCH_ENDED');
    await set('carol', true);
    later();
    expect((await state(ofCarol)).broadcast.id).toBe(id);
  });

  test('when the organisation is disabled', async () => {
    const id = await scheduled({ access: 'public' });
    const { view } = await open(id);
    const enable = (enabled: boolean) =>
      server.db.platform((tx) =>
        tx.update(tenant, { enabled }, eq(tenant.tenantId, server.people.get('alice')?.tenantId ?? '')),
      );
    await enable(false);
    later();
    const codes = [await codeOf(state(view)), await codeOf(open(id))];
    await enable(true);
    later();
    expect(codes).toEqual(['WATCH_ENDED', 'NOT_FOUND']);
  });
});

describe('messages', () => {
  test('reach all viewers after the version that they know; those of the host are marked', async () => {
    const id = await scheduled({ access: 'public' });
    const dora = await open(id, { name: 'Dora' });
    const host = await openAs(alice, id);
    await say(dora.view, 'Good morning');
    await say(host.view, 'Welcome');
    later();
    const first = await state(dora.view, { since: dora.version });
    expect(first.messages.map(({ text, isHost, kind }) => [text, isHost, kind])).toEqual([
      ['Good morning', false, 'chat'],
      ['Welcome', true, 'chat'],
    ]);
    expect((await state(dora.view, { since: first.version })).messages).toEqual([]);
    await say(dora.view, 'When?', 'question');
    later();
    expect(texts(await state(host.view, { since: first.version }))).toEqual(['When?']);
  });

  test('that are held are seen by their author and moderators until one shows them', async () => {
    const id = await scheduled({ access: 'public', chat: 'held' });
    const [dora, eve] = [await open(id, { name: 'Dora' }), await open(id, { name: 'Eve' })];
    const host = await openAs(alice, id);
    const { id: messageId, state: at } = await say(dora.view, 'May I?');
    expect(at).toBe('held');
    expect((await say(host.view, 'Welcome')).state).toBe('shown');
    later();
    expect(texts(await state(dora.view))).toEqual(['May I?', 'Welcome']);
    const before = await state(eve.view);
    expect(texts(before)).toEqual(['Welcome']);
    const moderated = await alice.broadcasts.messages({ params: { id }, query: {} });
    expect(texts(moderated)).toEqual(['May I?', 'Welcome']);
    await alice.broadcasts.moderate({ params: { id, messageId }, body: { state: 'shown', answer: 'Yes' } });
    const shown = await state(eve.view, { since: before.version });
    expect(shown.messages).toMatchObject([{ text: 'May I?', answer: 'Yes', state: 'shown' }]);
    await alice.broadcasts.moderate({ params: { id, messageId }, body: { state: 'deleted' } });
    expect((await state(eve.view, { since: shown.version })).messages).toMatchObject([
      { id: messageId, state: 'deleted', text: '', answer: null },
    ]);
    expect(texts(await state(eve.view))).toEqual(['Welcome']);
    expect(
      (await alice.broadcasts.messages({ params: { id }, query: { since: moderated.version } })).messages,
    ).toMatchObject([{ id: messageId, state: 'deleted' }]);
  });

  test('are not taken from muted viewers, whatever page they open with their account', async () => {
    const id = await scheduled({ access: 'public' });
    const [first, second] = [await openAs(bob, id), await openAs(bob, id)];
    const { id: messageId } = await say(first.view, 'Noise');
    const moderate = (muted: boolean) => alice.broadcasts.moderate({ params: { id, messageId }, body: { muted } });
    expect(await moderate(true)).toMatchObject({ isMuted: true, text: 'Noise' });
    for (const { view } of [first, second]) expect(await codeOf(say(view, 'More noise'))).toBe('WATCH_MUTED');
    expect((await state(second.view)).isMuted).toBe(true);
    await moderate(false);
    expect((await say(second.view, 'Sorry')).text).toBe('Sorry');
  });

  test('of one viewer are spaced by the slow mode, those of the host are not', async () => {
    const id = await scheduled({ access: 'public', slowSeconds: 30 });
    const { view } = await open(id, { name: 'Dora' });
    await say(view, 'One');
    server.clock.advance({ seconds: 10 });
    await expect(say(view, 'Two')).rejects.toThrow('WATCH_SLOW: Please wait 20 s');
    server.clock.advance({ seconds: 20 });
    expect((await say(view, 'Two')).text).toBe('Two');
    const host = await openAs(alice, id);
    for (const text of ['One', 'Two']) expect((await say(host.view, text)).text).toBe(text);
  });

  test('are refused while chat or questions are off', async () => {
    const id = await scheduled({ access: 'public', chat: 'off' });
    const { view } = await open(id, { name: 'Dora' });
    expect(await codeOf(say(view, 'Hello'))).toBe('WATCH_CHAT_OFF');
    expect((await say(view, 'When?', 'question')).kind).toBe('question');
    await change(id, { questions: false });
    expect(await codeOf(say(view, 'When?', 'question'))).toBe('WATCH_CHAT_OFF');
  });

  test('are moderated by those who manage the broadcast', async () => {
    const id = await scheduled({ access: 'public' });
    const { view } = await open(id, { name: 'Dora' });
    const { id: messageId } = await say(view, 'Hello');
    expect(await codeOf(bob.broadcasts.messages({ params: { id }, query: {} }))).toBe('FORBIDDEN');
    const body = { state: 'deleted' as const };
    expect(await codeOf(bob.broadcasts.moderate({ params: { id, messageId }, body }))).toBe('FORBIDDEN');
    const other = await scheduled({ access: 'public' });
    expect(await codeOf(alice.broadcasts.moderate({ params: { id: other, messageId }, body }))).toBe('NOT_FOUND');
  });
});

describe('viewers', () => {
  test('are counted while their pages call, an account once, and with their likes and minutes', async () => {
    const { id, act } = await openLive(server, alice, { access: 'public' });
    await act('START');
    const pages = [await open(id, { name: 'Dora' }), await openAs(bob, id), await openAs(bob, id)];
    const call = async (likes = 0) => {
      for (const { view } of pages) await state(view, { likes });
      await server.rounds.countViewers();
      later();
    };
    await call();
    expect((await state(pages[0]!.view)).viewers).toBe(2);
    await call(2);
    expect(await state(pages[0]!.view)).toMatchObject({ viewers: 2, likes: 6 });
    await anyone().leave({ body: { view: pages[0]!.view } });
    later();
    expect((await state(pages[1]!.view)).viewers).toBe(1);
    const { watched, ...statistics } = await alice.broadcasts.statistics({ params: { id } });
    expect(statistics).toMatchObject({ viewers: 2, peak: 2, likes: 6, messages: 0 });
    expect(statistics.overTime.map(({ viewers }) => viewers)).toContain(2);
    expect(watched).toBeGreaterThanOrEqual(9_000);
    server.clock.advance({ seconds: 60 });
    expect((await alice.broadcasts.detail({ params: { id } })).viewers).toBe(0);
    await act('END');
  });

  test('are exported as CSV in which no spreadsheet finds a formula', async () => {
    const id = await scheduled({ access: 'public' });
    await open(id, { name: '=HYPERLINK("https://example.org")' });
    await openAs(bob, id);
    const { file } = await send(server, 'GET', `/api/api/v1/live/broadcasts/${id}/viewers.csv`, { token: alice.token });
    const lines = (file?.toString('utf8') ?? '').split('\r\n');
    expect(lines[0]).toBe('\uFEFFName,Account,Came (UTC),Last seen (UTC),Minutes watched');
    expect(lines[1]).toMatch(/^"'=HYPERLINK\(""https:\/\/example\.org""\)",,/);
    expect(lines[2]).toMatch(/^Bob,bob,/);
    expect(await codeOf(bob.broadcasts.statistics({ params: { id } }))).toBe('FORBIDDEN');
  });

  test('send secrets that are stored as hashes only', async () => {
    const id = await scheduled({ access: 'public' });
    const { view } = await open(id);
    const rows = await server.db.platform((tx) => tx.find(broadcastViewer, eq(broadcastViewer.broadcastId, id)));
    expect(JSON.stringify(rows)).not.toContain(view);
  });

  test('and what they wrote are forgotten after half a year, the figures are not', async () => {
    const { id, act } = await openLive(server, alice, { access: 'public' });
    await act('START');
    const pages = [await open(id, { name: 'Dora' }), await open(id), await openAs(bob, id), await openAs(bob, id)];
    for (let round = 0; round < 2; round += 1) {
      for (const { view } of pages) await state(view);
      await server.rounds.countViewers();
      later();
    }
    await say(pages[0]!.view, 'Hello');
    await act('END');
    const figures = async () => ({ ...(await alice.broadcasts.statistics({ params: { id } })), messages: 0 });
    const before = await figures();
    expect(before).toMatchObject({ viewers: 3, peak: 3 });
    const names = async () => {
      const where = eq(broadcastViewer.broadcastId, id);
      const rows = await server.db.platform((tx) => tx.find(broadcastViewer, where));
      return rows.map(({ name, accountId }) => `${name} ${accountId === null ? '' : 'account'}`.trim()).toSorted();
    };
    server.clock.advance({ hours: 100 * 24 });
    carol = await signIn(server, 'carol');
    const again = await openAs(carol, id);
    const named = ['', 'Bob account', 'Bob account', 'Carol account', 'Dora'];
    expect(await server.rounds.forgetViewers()).toBe(0);
    expect(await names()).toEqual(named);
    server.clock.advance({ hours: 81 * 24 });
    // Those of the other tests, too.
    expect(await server.rounds.forgetViewers()).toBeGreaterThan(0);
    alice = await signIn(server, 'alice');
    expect(await names()).toEqual(['', '', '', 'Carol account']);
    expect(await figures()).toEqual({ ...before, viewers: 4 });
    expect((await alice.broadcasts.messages({ params: { id }, query: {} })).messages).toEqual([]);
    const csv = await send(server, 'GET', `/api/api/v1/live/broadcasts/${id}/viewers.csv`, { token: alice.token });
    expect(csv.file?.toString('utf8').trim().split('\r\n').length).toBe(2);
    // The page of a viewer who was forgotten is a new one; the other goes on.
    expect(await codeOf(state(pages[0]!.view))).toBe('WATCH_ENDED');
    expect((await state(again.view)).broadcast.id).toBe(id);
    expect(await server.rounds.forgetViewers()).toBe(0);
  });
});
