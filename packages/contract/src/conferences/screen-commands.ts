import { z } from 'zod';
import { byEngine, command, meet, meetId, ofEngine, rz, term, termId, places, seats } from './command-route.ts';
import { bannerInput, MOST_SEATS, SCREEN_MODELS, WINDOW_POSITIONS } from '@rmeet/conference';
import { API_BASE } from '../constants.ts';

const hasPlaces = (body: { screenModel: string; places: readonly unknown[] }): boolean =>
  body.screenModel !== 'CUSTOM' || body.places.length > 0;
const dualStreamQuery = z.object({ meetId: meet, termId: term, open: z.union([z.stringbool(), z.boolean()]) });

/** What is shown in which place: layouts, seats, content, captions of the chair. */
export const screenCommands = {
  setLayout: command({
    method: 'POST',
    path: ofEngine('setLayout'),
    summary:
      'The layout of all. `polling` is the seat that polls, 0 for none; `places` are the seats of CUSTOM; ' +
      '`allowOwnLayout` lets people have a view of their own.',
    errors: ['SEAT_UNKNOWN'],
    input: {
      params: byEngine,
      body: z
        .object({
          meetId: meet,
          screenModel: z.enum(SCREEN_MODELS),
          polling: z.number().int().min(0).max(MOST_SEATS).optional(),
          places,
          allowOwnLayout: z.boolean().optional(),
        })
        .refine(hasPlaces, { path: ['places'] }),
    },
    example: { params: rz, body: { meetId, screenModel: '9' } },
  }),
  setScreen: command({
    method: 'POST',
    path: ofEngine('setScreen'),
    summary:
      'Who sits where, for `ALL` or one terminal: a termId, POLL, ' +
      'SPEAKER or CONTENT. Seats that are not named fill by themselves.',
    errors: ['TERMINAL_ABSENT', 'SEAT_UNKNOWN'],
    input: { params: byEngine, body: z.object({ meetId: meet, target: term.default('ALL'), seats }) },
    example: { params: rz, body: { meetId, target: 'ALL', seats: [{ seat: 1, source: termId }] } },
  }),
  setTerminalLayoutConfig: command({
    method: 'POST',
    path: ofEngine('setTerminalLayoutConfig'),
    summary: 'A layout for one terminal.',
    errors: ['TERMINAL_ABSENT', 'SEAT_UNKNOWN'],
    input: {
      params: byEngine,
      body: z
        .object({ meetId: meet, termId: term, screenModel: z.enum(SCREEN_MODELS), seats: seats.default([]), places })
        .refine(hasPlaces, { path: ['places'] }),
    },
    example: { params: rz, body: { meetId, termId, screenModel: '4', seats: [] } },
  }),
  stopTerminalLayoutConfig: command({
    method: 'POST',
    path: ofEngine('stopTerminalLayoutConfig'),
    summary: 'The common layout again for one terminal.',
    errors: ['TERMINAL_ABSENT'],
    input: { params: byEngine, body: z.object({ meetId: meet, termId: term }) },
    example: { params: rz, body: { meetId, termId } },
  }),
  setChatLayout: command({
    method: 'POST',
    path: ofEngine('setChatLayout'),
    summary: 'Where chat and content are docked; null as each screen has room.',
    input: { params: byEngine, body: z.object({ meetId: meet, position: z.enum(WINDOW_POSITIONS).nullable() }) },
    example: { params: rz, body: { meetId, position: 'LEFT' } },
  }),
  lockConfContent: command({
    method: 'PUT',
    path: ofEngine('lockConfContent'),
    summary: 'LOCK: only this terminal may share. UNLOCK: who may share otherwise.',
    errors: ['TERMINAL_ABSENT'],
    input: {
      params: byEngine,
      query: z
        .object({ meetId: meet, termId: term.optional(), action: z.enum(['LOCK', 'UNLOCK']) })
        .refine((query) => query.action === 'UNLOCK' || query.termId !== undefined, { path: ['termId'] }),
    },
    example: { params: rz, query: { meetId, termId, action: 'LOCK' } },
  }),
  setDualStream: command({
    method: 'POST',
    path: `${API_BASE}/terminals/setDualStream`,
    summary:
      'The second stream (shared content) of a terminal: off, ' +
      'what it shares is held; on, it may share and is asked to.',
    errors: ['TERMINAL_ABSENT'],
    input: { query: dualStreamQuery },
    example: { query: { meetId, termId, open: 'false' } },
  }),
  readDualStream: command({
    method: 'GET',
    path: `${API_BASE}/terminals/setDualStream`,
    summary: 'The same.',
    errors: ['TERMINAL_ABSENT'],
    input: { query: dualStreamQuery },
    example: { query: { meetId, termId, open: 'false' } },
  }),
  setConfCaptions: command({
    method: 'PUT',
    path: ofEngine('setConfCaptions'),
    summary: 'Captions over the pictures of all; empty text clears them.',
    input: { params: byEngine, query: z.object({ meetId: meet }), body: bannerInput },
    example: { params: rz, query: { meetId }, body: { text: 'The meeting begins at 10.' } },
  }),
  setTermCaptions: command({
    method: 'PUT',
    path: ofEngine('setTermCaptions'),
    summary: 'Captions for one terminal, in the place of those for all; empty text clears them.',
    errors: ['TERMINAL_ABSENT'],
    input: { params: byEngine, query: z.object({ meetId: meet, termId: term }), body: bannerInput },
    example: { params: rz, query: { meetId, termId }, body: { text: 'Please come closer.' } },
  }),
};
