import { conferences, createClient, type Client } from '@rmeet/contract';
import { useEffect, useMemo, useSyncExternalStore } from 'react';
import { useAccess } from '../access.ts';
import { api } from '../api/index.ts';
import { createSend } from '../api/send.ts';
import { deskPasses, session } from '../browser.ts';
import { language } from '../i18n/index.ts';
import { PushSocket } from '../push/index.ts';
import type { DeskPass, PassEnd } from './passes.ts';

export type { DeskPass, PassEnd } from './passes.ts';

/** Access to a meeting's desk: calls and push sockets with the desk's token, or with the account's. */
export interface DeskAccess {
  /** `link`: by a signed link, described by `pass`; `account`: as the signed-in account, if it has the permission. */
  kind: 'link' | 'account';
  pass: DeskPass | null;
  api: Client<typeof conferences>;
  /** A new socket; the caller closes it. */
  openPush(): PushSocket;
}

/** No access: no account is signed in and no link was opened, or the link is no longer valid. */
export interface NoDeskAccess {
  kind: 'none';
  why: 'signedOut' | PassEnd;
}

function byLink(pass: DeskPass): DeskAccess {
  const onUnauthorized = (): void => deskPasses.drop(pass);
  return {
    kind: 'link',
    pass,
    api: createClient(conferences, createSend({ token: () => pass.token, language, onUnauthorized })),
    openPush() {
      const socket = new PushSocket({ auth: { deskToken: pass.token } });
      socket.onStatus((status) => {
        if (status === 'refused') deskPasses.drop(pass);
      });
      return socket;
    },
  };
}

const byAccount = (token: string): DeskAccess => ({
  kind: 'account',
  pass: null,
  api: api.conferences,
  openPush: () => new PushSocket({ auth: { token } }),
});

/**
 * How this tab accesses the desk of a meeting: an opened link takes precedence over the account, because the user came
 * with it. Returns the same object while nothing changes. If the desk is closed because its link was revoked or has
 * expired, the access becomes `none` even if an account is signed in: an open desk does not switch its access by
 * itself.
 */
export function useDeskAccess(meetId: string): DeskAccess | NoDeskAccess {
  const token = useSyncExternalStore(deskPasses.subscribe, () => deskPasses.get(meetId)?.token ?? null);
  const end = useSyncExternalStore(deskPasses.subscribe, () => deskPasses.endOf(meetId));
  const expiresAt = useSyncExternalStore(deskPasses.subscribe, () => deskPasses.get(meetId)?.expiresAt ?? null);
  useEffect(() => {
    if (expiresAt === null) return undefined;
    const timer = setTimeout(deskPasses.lookAgain, Math.max(0, Date.parse(expiresAt) - Date.now()) + 1);
    return () => clearTimeout(timer);
  }, [expiresAt]);
  useAccess();
  const account = session.token;
  return useMemo((): DeskAccess | NoDeskAccess => {
    const pass = token === null ? null : deskPasses.get(meetId);
    if (pass) return byLink(pass);
    if (end === 'closed') return { kind: 'none', why: end };
    return account === null ? { kind: 'none', why: end ?? 'signedOut' } : byAccount(account);
  }, [meetId, token, end, account]);
}
