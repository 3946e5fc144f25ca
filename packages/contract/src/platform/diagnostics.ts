import { z } from 'zod';
import { route } from '../http/route.ts';

/** What the platform's staff hands to support. None of it has a password, key, token, mail address or
 * telephone number. */
const reads = { callers: ['operator'], permission: 'diagnostics:read', download: true } as const;

/** Most lines of a log that one call returns. */
export const LOG_LINES = 2_000;

export const diagnostics = {
  log: route({
    method: 'GET',
    path: '/api/logs/server.log',
    ...reads,
    summary: 'The last lines of the log of the server process that answers, as a text file, without secrets.',
    input: { query: z.object({ lines: z.coerce.number().int().min(1).max(LOG_LINES).default(LOG_LINES) }) },
    data: z.null(),
    errors: ['TICKET_INVALID'],
    example: { query: {}, data: null },
  }),
  summary: route({
    method: 'GET',
    path: '/api/diagnostics/summary.txt',
    ...reads,
    summary: 'Versions, settings without secrets, sizes of the database and the state of the media engine, as text.',
    input: {},
    data: z.null(),
    errors: ['TICKET_INVALID'],
    example: { data: null },
  }),
  bundle: route({
    method: 'GET',
    path: '/api/diagnostics/bundle.zip',
    ...reads,
    summary: 'The summary and the log in one archive, for support.',
    limit: { by: 'caller', max: 6, seconds: 60 },
    input: {},
    data: z.null(),
    errors: ['TICKET_INVALID'],
    example: { data: null },
  }),
};
