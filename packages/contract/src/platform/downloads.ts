import { z } from 'zod';
import { API_BASE } from '../constants.ts';
import { route } from '../http/route.ts';

export const downloads = {
  ticket: route({
    method: 'POST',
    path: `${API_BASE}/download-tickets`,
    summary:
      'A ticket for one download: 60 s, used once, bound to the path ' +
      'and the caller. Sent as `?ticket=` in place of the header token.',
    callers: ['user', 'operator', 'terminal'],
    limit: { by: 'caller', max: 60, seconds: 60 },
    input: { body: z.object({ path: z.string().startsWith('/api/').max(1_000) }) },
    data: z.object({ ticket: z.string(), expiresAt: z.iso.datetime() }),
    errors: [],
    example: {
      body: { path: `${API_BASE}/meetings/export` },
      data: { ticket: 'n3Zc', expiresAt: '2026-11-20T09:01:00.000Z' },
    },
  }),
};
