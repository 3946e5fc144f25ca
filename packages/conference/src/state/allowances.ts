import type { ConferenceRole } from '../roles.ts';

/** For whom the chair opens something: all, or only the people who lead the meeting (see `leads`). */
export const SHARE_AUDIENCES = ['all', 'hosts'] as const;
/**
 * `hosts`: others may write to people who lead the meeting only, in private; `nobody`: only people who lead the meeting
 * may write.
 */
export const CHAT_AUDIENCES = ['all', 'hosts', 'nobody'] as const;
type ShareAudience = (typeof SHARE_AUDIENCES)[number];
type ChatAudience = (typeof CHAT_AUDIENCES)[number];

/** What the chair allows people who do not lead the meeting. */
export interface Allowances {
  shareFor: ShareAudience;
  chatFor: ChatAudience;
  reactions: boolean;
  /** Guests may change their own name. */
  selfRename: boolean;
  /** People may send files in the chat, where the organisation allows it. */
  chatFiles: boolean;
}

export const DEFAULT_ALLOWANCES: Allowances = {
  shareFor: 'all',
  chatFor: 'all',
  reactions: true,
  selfRename: true,
  chatFiles: true,
};

/** The allowances of a conference. States that were stored before there were allowances have the defaults. */
export function allowancesOf({
  shareFor = DEFAULT_ALLOWANCES.shareFor,
  chatFor = DEFAULT_ALLOWANCES.chatFor,
  reactions = DEFAULT_ALLOWANCES.reactions,
  selfRename = DEFAULT_ALLOWANCES.selfRename,
  chatFiles = DEFAULT_ALLOWANCES.chatFiles,
}: { [K in keyof Allowances]?: Allowances[K] | undefined }): Allowances {
  return { shareFor, chatFor, reactions, selfRename, chatFiles };
}

/** The part of the control state that says who leads the meeting. */
interface Leadership {
  terminals: Readonly<Record<string, { role: ConferenceRole; contentAsked: boolean }>>;
  chairId: string | null;
  coChairIds: readonly string[];
}

/** Whether a terminal leads the meeting: a host, the chair or a co-chair. No allowance restricts it. */
export function leads({ terminals, chairId, coChairIds }: Leadership, termId: string): boolean {
  return terminals[termId]?.role === 'host' || chairId === termId || coChairIds.includes(termId);
}

/** Why a terminal may not share now, apart from a hold on it alone; null if it may. */
export function shareBarrier(
  control: Leadership & { contentLockId: string | null; shareFor?: ShareAudience | undefined },
  termId: string,
): 'locked' | 'hosts' | null {
  if (control.contentLockId !== null) return control.contentLockId === termId ? null : 'locked';
  // Whom the chair has asked to share may do so.
  const isAsked = control.terminals[termId]?.contentAsked === true;
  return control.shareFor === 'hosts' && !isAsked && !leads(control, termId) ? 'hosts' : null;
}
