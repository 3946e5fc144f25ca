import { decodeContact, type TenantInfo } from '@rmeet/contract';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { api } from '../../../lib/api/index.ts';
import { session, system } from '../../../lib/browser.ts';
import { useTexts } from '../../../lib/i18n/index.ts';
import { ask } from '../../../lib/notify.ts';
import { useProfile } from '../../../lib/profile.ts';
import type { MeetingTexts } from '../format.ts';

/** With one of these permissions, an account can book something. */
const BOOKABLE = [
  'enableNet',
  'enableVideo',
  'enableLocal',
  'enableTel',
  'enableBookLive',
  'enableLiveStreaming',
] as const;
/** For one hour from now; requested only to find out whether there is any resource. */
const MINUTES = 60;

/**
 * The media resources the account may book on, requested when a page opens: forms use it to decide whether there is a
 * choice.
 */
export function useAssignedResources(enabled = true) {
  const id = useProfile()?.id;
  return useQuery({
    queryKey: ['resources', 'assigned', id],
    queryFn: () => api.resources.choose({ query: { startTime: new Date().toISOString(), duration: MINUTES } }),
    enabled: enabled && id !== undefined,
    staleTime: 60_000,
    meta: { quiet: true },
  });
}

/**
 * Whether the account cannot book anything, because it lacks permissions or no media resource of its tenant is assigned
 * to it. The user is informed once per tab, with the contacts to ask.
 */
export function useNoResources(): boolean {
  const t = useTexts('meetings');
  const common = useTexts('common');
  const profile = useProfile();
  const hasNone = useHasNothingToBook();
  const isTold = session.note('notice') === profile?.id;
  const contacts = useQuery({
    queryKey: ['tenantInfo', profile?.id],
    queryFn: () => api.users.tenantInfo({ params: { id: profile?.id ?? '' } }),
    enabled: hasNone && !isTold,
    staleTime: Infinity,
    meta: { quiet: true },
  });

  const text = [t('noResources'), ...(contacts.data ? whomToAsk(contacts.data, t) : [])].join('\n');
  const isReady = hasNone && !isTold && !contacts.isPending && profile !== undefined;
  const id = profile?.id;
  useEffect(() => {
    if (!isReady || id === undefined) return;
    session.setNote('notice', id);
    void ask({ title: common('tip'), text, okText: common('ok') });
  }, [isReady, id, text, common]);

  return hasNone;
}

/** Whether the account lacks every permission to book, or no resource of its tenant is assigned to it. */
function useHasNothingToBook(): boolean {
  const flags = useProfile()?.flags;
  const mayNothing = flags !== undefined && BOOKABLE.every((flag) => flags[flag] === 0);
  const { data } = useAssignedResources(system === 'user' && !mayNothing);
  return system === 'user' && (mayNothing || (data?.hasAny === true && data.resources.length === 0));
}

/** The contacts for permissions and resources, one per line; empty if the tenant names none. */
export function whomToAsk(
  { meetingAdmin, serviceDesk }: Pick<TenantInfo, 'meetingAdmin' | 'serviceDesk'>,
  t: MeetingTexts,
): string[] {
  const line = (key: 'askAdmin' | 'askDesk', { name, phoneNumber }: TenantInfo['meetingAdmin']) => {
    const who = [name, decodeContact(phoneNumber)].filter((part) => part !== '').join(' ');
    return who === '' ? [] : [t(key, { who })];
  };
  return [...line('askAdmin', meetingAdmin), ...line('askDesk', serviceDesk)];
}
