import { describe, expect, test } from 'vitest';
import { decide, type Decision, type Situation } from '../src/entries/guard/decide.ts';

const SIGNED_OUT: Situation = {
  system: 'user',
  token: null,
  hasUser: true,
  isForeign: false,
  ticketToken: null,
  version: null,
  hasRoles: false,
  isClientKnown: false,
  userAgent: 'Chromium',
  inFrame: false,
  deskMeetIds: [],
};
const SIGNED_IN: Situation = { ...SIGNED_OUT, token: 'a-token' };
const KNOWN: Situation = { ...SIGNED_IN, hasRoles: true };
const SHELL: Situation = { ...KNOWN, userAgent: 'Mozilla/5.0 RmeetClient/3.1' };

function at(address: string, situation: Situation): Decision {
  const [path = '', query] = address.split('?');
  return decide({ path, query: new URLSearchParams(query) }, situation);
}

describe('without a token', () => {
  test.each([
    'login',
    'join',
    'loading',
    'terminalstatus',
    'singleLogout',
    'singleLogin',
    'sso',
    'meetingControl',
    'clientDownload',
    '404',
    'logout',
  ])('/%s passes', (path) => {
    expect(at(`/${path}`, SIGNED_OUT)).toEqual({ kind: 'pass' });
  });

  test('all else goes to login with a redirect', () => {
    expect(at('/myMeeting?scope=past', SIGNED_OUT)).toEqual({
      kind: 'go',
      to: '/login?redirect=%2FmyMeeting%3Fscope%3Dpast',
    });
    expect(at('/users', SIGNED_OUT)).toEqual({ kind: 'go', to: '/login?redirect=%2Fusers' });
    expect(at('/', SIGNED_OUT)).toEqual({ kind: 'go', to: '/login' });
  });
});

describe('with a token', () => {
  test.each(['/login', '/loading', '/Login/'])('%s goes to root', (path) => {
    expect(at(path, KNOWN)).toEqual({ kind: 'go', to: '/' });
  });

  test('login follows the redirect of the link, inside the app only', () => {
    expect(at('/login?redirect=%2Fusers', KNOWN)).toEqual({ kind: 'go', to: '/users' });
    expect(at('/login?redirect=https://elsewhere.example', KNOWN)).toEqual({ kind: 'go', to: '/' });
  });

  test('login stays when it is a logout', () => {
    expect(at('/login?logout=1', KNOWN)).toEqual({ kind: 'pass' });
  });

  test('/singleLogin passes, whatever it carries', () => {
    expect(at('/singleLogin?token=other', SIGNED_IN)).toEqual({ kind: 'pass' });
  });

  test('missing roles are loaded before any page of the layout is shown', () => {
    expect(at('/users?keyword=a', SIGNED_IN)).toEqual({
      kind: 'load',
      failed: '/login?redirect=%2Fusers%3Fkeyword%3Da',
    });
    expect(at('/users', KNOWN)).toEqual({ kind: 'pass' });
  });

  test('/404 causes no redirect if the user cannot be loaded', () => {
    expect(at('/404', SIGNED_IN)).toEqual({ kind: 'load', failed: '/login' });
  });
});

describe('a token in the address', () => {
  test.each(['/login', '/myMeeting', '/loading'])(
    'of %s is adopted with source and version, and removed from the address',
    (path) => {
      expect(at(`${path}?token=t1&source=client&version=340&scope=past`, SIGNED_OUT)).toEqual({
        kind: 'adopt',
        token: 't1',
        notes: { source: 'client', version: '340' },
        to: `${path}?scope=past`,
      });
    },
  );

  test('of another page is ignored', () => {
    expect(at('/users?token=t1', KNOWN)).toEqual({ kind: 'pass' });
  });

  test('of /meetingControl is a ticket, which is exchanged; only meetId stays', () => {
    expect(at('/meetingControl?token=s1&meetId=m1&source=client', SIGNED_OUT)).toEqual({
      kind: 'exchange',
      sign: 's1',
      to: '/meetingControl?meetId=m1',
    });
    expect(at('/meetingControl?token=s1&meetId=m1', KNOWN)).toMatchObject({ kind: 'exchange' });
  });

  test('of /terminalstatus is the secret of a link, whatever the ticket flag', () => {
    expect(at('/terminalstatus?token=s1&meetId=m1', SIGNED_OUT)).toEqual({
      kind: 'exchange',
      sign: 's1',
      to: '/terminalstatus?meetId=m1',
    });
    expect(at('/terminalstatus?token=s1&meetId=m1', { ...KNOWN, ticketToken: '1' })).toMatchObject({
      kind: 'exchange',
    });
  });

  test('of /meetingControl is a token if the ticket flag is set', () => {
    const adopted = { kind: 'adopt', token: 't1', to: '/meetingControl?meetId=m1' };
    expect(at('/meetingControl?token=t1&meetId=m1', { ...SIGNED_OUT, ticketToken: '1' })).toMatchObject(adopted);
    expect(at('/meetingControl?token=t1&meetId=m1&ticketToken=1', SIGNED_OUT)).toMatchObject(adopted);
  });
});

describe('a desk that a link has opened in this tab', () => {
  const OPENED: Situation = { ...SIGNED_OUT, deskMeetIds: ['m1'] };

  test.each(['/meetingControl', '/terminalstatus'])(
    '%s of its meeting passes, for any account and on any page',
    (path) => {
      for (const situation of [OPENED, { ...OPENED, token: 'stale' }, { ...OPENED, token: 't', isForeign: true }]) {
        expect(at(`${path}?meetId=m1`, situation)).toEqual({ kind: 'pass' });
      }
    },
  );

  test('of another meeting is treated like any page', () => {
    expect(at('/meetingControl?meetId=m2', { ...OPENED, token: 't' })).toEqual({
      kind: 'load',
      failed: '/login?redirect=%2FmeetingControl%3FmeetId%3Dm2',
    });
  });

  test('opens no other page', () => {
    expect(at('/myMeeting?meetId=m1', OPENED)).toMatchObject({ kind: 'go' });
  });

  test('is replaced by the secret of another link', () => {
    expect(at('/meetingControl?meetId=m1&token=s2', OPENED)).toMatchObject({ kind: 'exchange', sign: 's2' });
  });
});

describe('the param `params`', () => {
  const withParams = (value: unknown) =>
    at(`/users?params=${encodeURIComponent(JSON.stringify(value))}&keyword=a`, KNOWN);

  test('passes on permissions and token', () => {
    expect(withParams({ localStorage: { permissions: ['sys:network'], token: 't1' } })).toEqual({
      kind: 'keepParams',
      params: { permissions: '["sys:network"]', token: 't1' },
      to: '/users?keyword=a',
    });
  });

  test.each([
    null,
    7,
    'text',
    {},
    { localStorage: null },
    { localStorage: { token: 't1' } },
    { localStorage: { permissions: 'all', token: 't1' } },
    { localStorage: { permissions: [1], token: 't1' } },
    { localStorage: { permissions: [], token: '<script>' } },
    { localStorage: { permissions: [], token: '' } },
  ])('is dropped when it holds %j', (value) => {
    expect(withParams(value)).toEqual({ kind: 'keepParams', params: null, to: '/users?keyword=a' });
  });

  test('is dropped when it is no JSON', () => {
    expect(at('/users?params={', KNOWN)).toEqual({ kind: 'keepParams', params: null, to: '/users' });
  });
});

describe('a sign-in made at another login URL', () => {
  test('is dropped, and the login page follows', () => {
    expect(at('/users', { ...KNOWN, isForeign: true })).toEqual({ kind: 'forget', to: '/login' });
    expect(at('/join', { ...KNOWN, isForeign: true, system: 'admin' })).toEqual({ kind: 'forget', to: '/login' });
  });

  test('is kept under /manage', () => {
    expect(at('/users', { ...KNOWN, isForeign: true, system: 'manage' })).toEqual({ kind: 'pass' });
  });
});

describe('the client shell', () => {
  test.each([null, '331', '0', 'new', ''])('of version %j is queried', (version) => {
    expect(at('/myMeeting', { ...SHELL, version })).toEqual({ kind: 'askClient' });
  });

  test.each(['332', '400'])('of version %s is not queried', (version) => {
    expect(at('/myMeeting', { ...SHELL, version })).toEqual({ kind: 'pass' });
  });

  test('is not queried in a frame, twice, before the sign-in, or in the other apps', () => {
    expect(at('/myMeeting', { ...SHELL, inFrame: true })).toEqual({ kind: 'pass' });
    expect(at('/myMeeting', { ...SHELL, isClientKnown: true })).toEqual({ kind: 'pass' });
    expect(at('/login', { ...SHELL, token: null })).toEqual({ kind: 'pass' });
    expect(at('/myMeeting', { ...SHELL, system: 'manage' })).toEqual({ kind: 'pass' });
    expect(at('/myMeeting', { ...KNOWN, userAgent: 'Chromium' })).toEqual({ kind: 'pass' });
  });
});
