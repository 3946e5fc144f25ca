import { RECORD_ACTIONS, RECORD_STATUSES, RECORD_TROUBLES } from '@rmeet/conference';
import { z } from 'zod';
import { API_BASE } from '../constants.ts';
import { route } from '../http/route.ts';
import { byEngine, byMeeting, command, meet, meetId, ofEngine, rz } from './command-route.ts';

/** Why a recording cannot be started or continued. */
export const RECORD_ERRORS = [
  'E2EE_UNSUPPORTED',
  'RECORD_NOT_POSSIBLE',
  'RECORDING_OFF',
  'RECORDINGS_FULL',
  'RECORDING_UNAVAILABLE',
] as const;

const action = z.enum(RECORD_ACTIONS);

/** The recording of a running conference. */
export const recordCommands = {
  setConfRecord: command({
    method: 'PUT',
    path: `${API_BASE}/meetings/setConfRecord`,
    summary: 'Starts, pauses, resumes or stops the recording of the running conference.',
    errors: RECORD_ERRORS,
    input: { query: z.object({ meetId: meet, action }) },
    example: { query: { meetId, action: 'START' } },
  }),
  meetingRecord: command({
    method: 'POST',
    path: ofEngine('meetingRecord'),
    summary: 'The same.',
    errors: RECORD_ERRORS,
    input: { params: byEngine, body: z.object({ meetId: meet, action }) },
    example: { params: rz, body: { meetId, action: 'START' } },
  }),
  getRecordStatus: route({
    method: 'GET',
    path: `${API_BASE}/meetings/getRecordStatus`,
    summary:
      'The status of the newest recording of a meeting: of the running conference, else of its last one; NONE ' +
      'before the first.',
    callers: ['user', 'terminal', 'desk'],
    input: { query: byMeeting },
    data: z.object({
      status: z.enum(RECORD_STATUSES),
      recordingId: z.uuid().nullable(),
      trouble: z.enum(RECORD_TROUBLES).nullable(),
      startedAt: z.iso.datetime().nullable(),
    }),
    errors: [],
    example: { query: { meetId }, data: { status: 'NONE', recordingId: null, trouble: null, startedAt: null } },
  }),
};
