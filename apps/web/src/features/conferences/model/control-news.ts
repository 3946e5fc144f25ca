import type { ConferenceControl } from '@rmeet/contract';
import type { T } from '../texts.ts';

/** Whether somebody held mute may end that themselves; who controls the conference always may. */
export function maySelfUnmute({ allowSelfUnmute, terminals }: ConferenceControl, termId: string, mayControl: boolean): boolean {
  return allowSelfUnmute || mayControl || terminals[termId]?.unmuteAsked === true;
}

/** What is done to one terminal, as far as it must be told. */
function standingOf(control: ConferenceControl, termId: string) {
  const entry = control.terminals[termId];
  return {
    muted: entry?.muted ?? false,
    cameraOff: entry?.cameraOff ?? false,
    onAir: control.mode === 'SPEAKER' && control.speakerId === termId,
    chair: control.chairId === termId,
    coChair: control.coChairIds.includes(termId),
    name: entry?.name,
  };
}

/** What somebody must hear of a change of the control: all that was done to them, who chairs, whether it is locked. */
export function controlNews(before: ConferenceControl, after: ConferenceControl, termId: string, t: T): string[] {
  const [was, is] = [standingOf(before, termId), standingOf(after, termId)];
  const news: string[] = [];
  const turned = (part: Exclude<keyof typeof was, 'name'>, on: string, off: string): void => {
    if (was[part] !== is[part]) news.push(is[part] ? on : off);
  };
  turned('muted', t('told.muted'), t('told.unmuted'));
  turned('cameraOff', t('told.cameraOff'), t('told.cameraOn'));
  turned('onAir', t('told.onAir'), t('told.offAir'));
  turned('chair', t('told.chair'), t('told.notChair'));
  // Whoever takes the chair is no co-chair any more, which is no loss.
  if (!is.chair) turned('coChair', t('told.coChair'), t('told.notCoChair'));
  if (is.name !== undefined && was.name !== undefined && is.name !== was.name) news.push(t('told.renamed', { name: is.name }));
  if (after.chairId !== before.chairId && after.chairId !== null && !is.chair) {
    news.push(t('told.whoChairs', { name: after.terminals[after.chairId]?.name ?? '' }));
  }
  if (before.locked !== after.locked) news.push(t(after.locked ? 'told.locked' : 'told.unlocked'));
  return news;
}
