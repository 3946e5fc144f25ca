import { allowancesOf, leads, type ConferenceControl } from '@rmeet/conference';
import { isOnAir } from '../../../../call/index.ts';
import type { T } from '../../texts.ts';
import { rollProgress } from '../../shared/proceedings.ts';

/** Whether a user muted by the chair may unmute themselves; a user who controls the conference always may. */
export function maySelfUnmute(
  { allowSelfUnmute, terminals }: ConferenceControl,
  termId: string,
  mayControl: boolean,
): boolean {
  return allowSelfUnmute || mayControl || terminals[termId]?.unmuteAsked === true;
}

/** The part of one terminal's state whose changes are announced to it. */
function standingOf(control: ConferenceControl, termId: string) {
  const entry = control.terminals[termId];
  return {
    muted: entry?.muted ?? false,
    cameraOff: entry?.cameraOff ?? false,
    onAir: isOnAir(control, termId),
    chair: control.chairId === termId,
    coChair: control.coChairIds.includes(termId),
    name: entry?.name,
  };
}

/**
 * What a user must be told about a change of the control: every change of their own state, the chair, the lock, the
 * proceedings. The chair and the lock that the user changed (`byMe`) are confirmed where they gave the command.
 */
export function controlNews(
  before: ConferenceControl,
  after: ConferenceControl,
  { termId, byMe }: { termId: string; byMe: boolean },
  t: T,
): string[] {
  const [was, is] = [standingOf(before, termId), standingOf(after, termId)];
  const news: string[] = [];
  const turned = (part: Exclude<keyof typeof was, 'name' | 'chair'>, on: string, off: string): void => {
    if (was[part] !== is[part]) news.push(is[part] ? on : off);
  };
  // Users who are muted are told by a notice with the way out (see useHeldMicrophone).
  if (was.muted && !is.muted) news.push(t('told.unmuted'));
  turned('cameraOff', t('told.cameraOff'), t('told.cameraOn'));
  turned('onAir', t('told.onAir'), t('told.offAir'));
  if (!byMe && was.chair !== is.chair) news.push(t(is.chair ? 'told.chair' : 'told.notChair'));
  // A user who takes the chair stops being co-chair; that is not announced as a loss.
  if (!is.chair) turned('coChair', t('told.coChair'), t('told.notCoChair'));
  if (is.name !== undefined && was.name !== undefined && is.name !== was.name)
    news.push(t('told.renamed', { name: is.name }));
  return [
    ...news,
    ...(byMe ? [] : meetingNews(before, after, termId, t)),
    ...contentNews(before, after, termId, t),
    ...allowanceNews(before, after, termId, t),
    ...proceedingNews(before, after, termId, t),
  ];
}

/** Who else chairs the meeting, and whether it is locked. */
function meetingNews(before: ConferenceControl, after: ConferenceControl, termId: string, t: T): string[] {
  const news: string[] = [];
  const { chairId } = after;
  if (chairId !== before.chairId && chairId !== null && chairId !== termId)
    news.push(t('told.whoChairs', { name: after.terminals[chairId]?.name ?? '' }));
  if (before.locked !== after.locked) news.push(t(after.locked ? 'told.locked' : 'told.unlocked'));
  return news;
}

/** What people who do not lead the meeting may do; others are not told. */
function allowanceNews(before: ConferenceControl, after: ConferenceControl, termId: string, t: T): string[] {
  if (leads(after, termId)) return [];
  const [was, is] = [allowancesOf(before), allowancesOf(after)];
  const news: string[] = [];
  if (was.shareFor !== is.shareFor) news.push(t(`hostTold.share.${is.shareFor}`));
  if (was.chatFor !== is.chatFor) news.push(t(`hostTold.chat.${is.chatFor}`));
  if (was.chatFiles !== is.chatFiles) news.push(t(`chatFiles.told.${is.chatFiles ? 'on' : 'off'}`));
  return news;
}

/** Who may share. The end of the user's own sharing is a separate notice (see the call). */
function contentNews(before: ConferenceControl, after: ConferenceControl, termId: string, t: T): string[] {
  const lock = after.contentLockId;
  if (lock !== before.contentLockId) {
    if (lock === termId) return [t('told.contentYours')];
    return [
      lock === null ? t('told.contentUnlocked') : t('told.contentLocked', { name: after.terminals[lock]?.name ?? '' }),
    ];
  }
  const [was, is] = [before.terminals[termId]?.contentOff === true, after.terminals[termId]?.contentOff === true];
  return was === is ? [] : [t(is ? 'told.contentOff' : 'told.contentOn')];
}

/** Turns, the roll call, the end of a vote, the layout the user was in. */
function proceedingNews(before: ConferenceControl, after: ConferenceControl, termId: string, t: T): string[] {
  const news: string[] = [];
  const isPolled = ({ polling }: ConferenceControl): boolean => polling?.turn?.termId === termId;
  const isNext = ({ polling }: ConferenceControl): boolean => polling?.next === termId;
  if (isPolled(after) && !isPolled(before) && !isOnAir(after, termId)) news.push(t('told.polled'));
  if (isNext(after) && !isNext(before)) news.push(t('told.next'));
  if (before.rollCall?.endedAt === null && after.rollCall && after.rollCall.endedAt !== null)
    news.push(t('told.rollCallOver', rollProgress(after.rollCall)));
  if (before.vote?.closedAt === null && after.vote === null) news.push(t('told.voteDismissed'));
  if (before.allowOwnLayout !== after.allowOwnLayout)
    news.push(t(after.allowOwnLayout ? 'told.ownLayout' : 'told.noOwnLayout'));
  return news;
}
