import type { RecordAction } from '@rmeet/conference';
import type { Call } from '../../../../call/index.ts';
import { reportError } from '../../../../lib/api/index.ts';
import { giveRecordAction } from '../../recording/actions.ts';
import { useT } from '../../recording/texts.ts';
import { sendCommand } from '../../shared/commands.ts';
import { useStorePart } from '../../shared/use-store.ts';

/** What starts, pauses, resumes or stops the recording of a call's conference; null for those who may not record. */
export function useRecordAction(call: Call): ((action: RecordAction) => void) | null {
  const t = useT();
  const mayRecord = useStorePart(call.store, ({ conference }) => conference?.me.can.record ?? false);
  if (!mayRecord) return null;
  return (action) =>
    void giveRecordAction(action, (command) => sendCommand(call.api, call.meetId, command), t).catch(reportError);
}
