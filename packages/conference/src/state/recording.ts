import { z } from 'zod';

/** What people ask of a recording. */
export const RECORD_ACTIONS = ['START', 'PAUSE', 'RESUME', 'STOP'] as const;
export type RecordAction = (typeof RECORD_ACTIONS)[number];

/** `STARTING` until the first picture or sound is stored; `NONE` before the first recording of a conference. */
export const RECORD_STATUSES = ['NONE', 'STARTING', 'RECORDING', 'PAUSED', 'STOPPED', 'FAILED'] as const;
export type RecordStatus = (typeof RECORD_STATUSES)[number];

/**
 * Why a recording paused or failed without a command: the disk or the storage is full, the organisation's space is
 * used up, or no recorder can do it. A recording that paused for such a reason resumes by itself when it can.
 */
export const RECORD_TROUBLES = ['diskFull', 'quotaFull', 'noRecorder'] as const;
export type RecordTrouble = (typeof RECORD_TROUBLES)[number];

/** The newest recording of a conference. */
export const conferenceRecording = z.object({
  id: z.uuid(),
  status: z.enum(RECORD_STATUSES).exclude(['NONE']),
  trouble: z.enum(RECORD_TROUBLES).nullable(),
  /** The organisation's space for recordings is nearly used up. */
  isSpaceLow: z.boolean(),
  /** When it was started, ISO 8601. */
  startedAt: z.iso.datetime(),
});
export type ConferenceRecording = z.infer<typeof conferenceRecording>;

/** The status of the conference's newest recording. States that were stored before there were recordings omit it. */
export function recordStatusOf({ recording }: { recording?: ConferenceRecording | null | undefined }): RecordStatus {
  return recording?.status ?? 'NONE';
}

/** Whether something of the conference is recorded, or will be when the recording resumes. */
export function isBeingRecorded(control: { recording?: ConferenceRecording | null | undefined }): boolean {
  return RECORD_ACTIONS_IN[recordStatusOf(control)].includes('STOP');
}

/** The actions that have an effect in a status. */
export const RECORD_ACTIONS_IN: Record<RecordStatus, readonly RecordAction[]> = {
  NONE: ['START'],
  STARTING: ['PAUSE', 'STOP'],
  RECORDING: ['PAUSE', 'STOP'],
  PAUSED: ['RESUME', 'STOP'],
  STOPPED: ['START'],
  FAILED: ['START'],
};
