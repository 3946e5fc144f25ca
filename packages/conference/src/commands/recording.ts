import { RECORD_ACTIONS_IN, recordStatusOf } from '../state/recording.ts';
import type { Appliers } from './command.ts';

/** Recordings: what people ask, and what the recorder reports; live broadcasts. */
export const recordingAppliers: Appliers<'record' | 'recordStatus' | 'broadcast'> = {
  record(control, { action, recordingId, at }) {
    const { recording } = control;
    if (!RECORD_ACTIONS_IN[recordStatusOf(control)].includes(action)) return control;
    if (action === 'START')
      return {
        ...control,
        recording: { id: recordingId, status: 'STARTING', trouble: null, isSpaceLow: false, startedAt: at },
      };
    if (!recording || recording.id !== recordingId) return control;
    const status = action === 'PAUSE' ? 'PAUSED' : action === 'RESUME' ? 'STARTING' : 'STOPPED';
    return { ...control, recording: { ...recording, status, trouble: null } };
  },
  /** Reports about an earlier recording, or about one that was stopped meanwhile, change nothing. */
  recordStatus(control, { recordingId, status, trouble, isSpaceLow }) {
    const { recording } = control;
    if (recording?.id !== recordingId || recording.status === 'STOPPED') return control;
    return { ...control, recording: { ...recording, status, trouble, isSpaceLow } };
  },
  broadcast: (control, { broadcast }) =>
    broadcast === null && !control.broadcast ? control : { ...control, broadcast },
};
