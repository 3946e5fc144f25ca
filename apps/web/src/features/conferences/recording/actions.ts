import {
  hasCapability,
  RECORD_ACTIONS_IN,
  recordStatusOf,
  type ConferenceControl,
  type RecordAction,
} from '@rmeet/conference';
import { ask } from '../../../lib/notify.ts';
import type { CommandRequest } from '../shared/commands.ts';
import type { T } from './texts.ts';

/** The actions that have an effect now; none in a meeting that cannot be recorded. */
export function recordActionsIn(control: ConferenceControl): readonly RecordAction[] {
  return hasCapability(control, 'recording') ? RECORD_ACTIONS_IN[recordStatusOf(control)] : [];
}

/** Gives an action by `send`. The end of a recording is confirmed first. */
export async function giveRecordAction(
  action: RecordAction,
  send: (command: CommandRequest) => unknown,
  t: T,
): Promise<void> {
  const isSure =
    action !== 'STOP' ||
    (await ask({
      title: t('stop.title'),
      text: t('stop.text'),
      okText: t('stop.ok'),
      cancelText: t('stop.cancel'),
    }));
  if (isSure) send({ verb: 'record', action });
}
