import type { ConferenceRecording } from '@rmeet/conference';
import type { T } from './texts.ts';

type Recording = ConferenceRecording | null;
type Activity = 'off' | 'on' | 'paused';

/** What people notice: a recording that starts counts as running, so that all know before the first part. */
function activityOf(recording: Recording | undefined): Activity {
  switch (recording?.status) {
    case 'STARTING':
    case 'RECORDING':
      return 'on';
    case 'PAUSED':
      return 'paused';
    default:
      return 'off';
  }
}

/** A start or an end, which has a sound. */
export function turnOf(before: Recording | undefined, after: Recording): 'start' | 'stop' | null {
  const [was, is] = [activityOf(before), activityOf(after)];
  if (before === undefined || (was === 'off') === (is === 'off')) return null;
  return is === 'off' ? 'stop' : 'start';
}

/**
 * What to tell about a change, in sentences: `before` is undefined for a person who has just come in. Those who may
 * record are also told why, what to do, and that space runs out.
 */
export function recordingNews(
  before: Recording | undefined,
  after: Recording,
  { mayRecord, t }: { mayRecord: boolean; t: T },
): string[] {
  const news: string[] = [];
  const [was, is] = [activityOf(before), activityOf(after)];
  if (was !== is || (before?.trouble ?? null) !== (after?.trouble ?? null))
    news.push(...activityNews(before, after, mayRecord, t));
  if (mayRecord && after?.isSpaceLow === true && before?.isSpaceLow !== true && is !== 'off') news.push(t('spaceLow'));
  return news;
}

function activityNews(before: Recording | undefined, after: Recording, mayRecord: boolean, t: T): string[] {
  const [was, is] = [activityOf(before), activityOf(after)];
  const trouble = after?.trouble ?? null;
  if (is === 'on') return was === 'on' ? [] : [t(was === 'paused' ? 'told.resumed' : 'told.started')];
  const isFailure = after?.status === 'FAILED';
  if (is === 'off' && (was === 'off' || !isFailure))
    return before === undefined || was === 'off' ? [] : [t('told.stopped')];
  const what = isFailure ? 'failed' : 'paused';
  return [
    mayRecord && trouble !== null ? t(`told.${what}Because`, { reason: t(`trouble.${trouble}`) }) : t(`told.${what}`),
  ];
}
