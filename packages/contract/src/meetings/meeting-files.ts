import { z } from 'zod';
import { API_BASE } from '../constants.ts';
import { exampleMeetingId } from './meeting-types.ts';
import { route } from '../http/route.ts';

/** Files of meetings. They are uploaded with bookings: meetings.createLocal, meetings.updateWithFile. */
export const meetingFiles = {
  download: route({
    method: 'GET',
    path: `${API_BASE}/meetingFile/file/download/:id`,
    callers: ['user'],
    download: true,
    summary: 'A file of a meeting, for those who may see the meeting.',
    input: { params: z.object({ id: z.uuid() }) },
    data: z.null(),
    errors: ['TICKET_INVALID'],
    example: { params: { id: exampleMeetingId }, data: null },
  }),
};
