import { ownZone } from '../../../lib/rooms/index.ts';
import { LIMITS, type ManualLive } from '@rmeet/contract';
import { lacksPassword, newSetting, settingBody, type SettingDraft } from '../../../ui/broadcast/setting.ts';
import type { api } from '../../../lib/api/index.ts';
import { isRtmpAddress } from '../targets/draft.ts';

/** A broadcast of an outside stream in its form. */
export interface ManualDraft {
  subject: string;
  startTime: string | null;
  duration: number | null;
  source: 'push' | 'play';
  playAddress: string;
  startsItself: boolean;
  /** Of a new one; later they have a dialog of their own. */
  live: SettingDraft;
}

export type ManualField = keyof ManualDraft;
/** The fields that are wrong, by the text that says so. */
type ManualFaults = Partial<
  Record<ManualField, 'subject' | 'startTime' | 'duration' | 'playMissing' | 'playWrong' | 'password'>
>;

const STEP = 15 * 60_000;

/** A new one starts at the next quarter of an hour. */
export function newManual(now: Date): ManualDraft {
  return {
    subject: '',
    startTime: new Date(Math.ceil((now.getTime() + 60_000) / STEP) * STEP).toISOString(),
    duration: 60,
    source: 'push',
    playAddress: '',
    startsItself: true,
    // What is sent from outside is not recorded.
    live: { ...newSetting(), replay: false },
  };
}

export function manualDraftOf({
  subject,
  startTime,
  duration,
  source,
  playAddress,
  startsItself,
}: ManualLive): ManualDraft {
  return {
    subject,
    startTime,
    duration,
    source: source === 'play' ? 'play' : 'push',
    playAddress,
    startsItself,
    live: newSetting(),
  };
}

export function faultsOf({ subject, startTime, duration, source, playAddress, live }: ManualDraft): ManualFaults {
  const address = playAddress.trim();
  return {
    ...(subject.trim() === '' && { subject: 'subject' as const }),
    ...(startTime === null && { startTime: 'startTime' as const }),
    ...((duration === null || duration < LIMITS.durationMin || duration > LIMITS.durationMax) && {
      duration: 'duration' as const,
    }),
    ...(source === 'play' && address === '' && { playAddress: 'playMissing' as const }),
    ...(source === 'play' && address !== '' && !isRtmpAddress(address) && { playAddress: 'playWrong' as const }),
    ...(lacksPassword(live, false) && { live: 'password' as const }),
  };
}

type Common = Omit<Parameters<typeof api.manualLives.change>[0]['body'], 'id'>;

function bodyOf({ subject, startTime, duration, source, playAddress, startsItself }: ManualDraft) {
  return {
    subject: subject.trim(),
    startTime: startTime ?? '',
    duration: duration ?? 0,
    source,
    startsItself,
    ...(source === 'play' && { playAddress: playAddress.trim() }),
  } satisfies Common;
}

/** The request for a new one, of a draft without faults. */
export const createBody = (draft: ManualDraft) => ({
  ...bodyOf(draft),
  timeZone: ownZone(),
  live: settingBody(draft.live),
});

/** What was changed: a start that stays may be over. */
export function changeBody(before: ManualDraft, draft: ManualDraft): Common {
  const [was, now] = [bodyOf(before), bodyOf(draft)];
  return Object.fromEntries(Object.entries(now).filter(([name, value]) => was[name as keyof typeof was] !== value));
}

/** Whether the user has changed something. */
export function isChanged(before: ManualDraft, draft: ManualDraft): boolean {
  return JSON.stringify(before) !== JSON.stringify(draft);
}
