import { z } from 'zod';
import { byEngine, command, meet, meetId, ofEngine, rz, term, termId, zoneId } from './command-route.ts';
import { API_BASE } from '../constants.ts';
import { route } from '../http/route.ts';

/**
 * The state of a media server: it accepts rooms; it keeps existing rooms only; nothing listens there; it does not
 * answer in time.
 */
export const MCU_STATES = ['up', 'full', 'away', 'silent'] as const;
export type McuState = (typeof MCU_STATES)[number];

/** A media server. `load` is what it reports about itself: about one per participant; null while it does not answer. */
export const mediaServer = z.object({ mcuId: z.string(), state: z.enum(MCU_STATES), load: z.number().nullable() });
/** A media region. `name` is as configured, empty for the server's own. */
export const mediaZone = z.object({
  mcuZoneId: z.string(),
  name: z.string(),
  available: z.boolean(),
  mcus: z.array(mediaServer),
});
export type MediaZone = z.infer<typeof mediaZone>;

/**
 * The traffic on a link, bit/s, as terminals report it; loss in percent, the larger of both directions. Null if nothing
 * was reported.
 */
const flow = { up: z.number().nullable(), down: z.number().nullable(), loss: z.number().nullable() };

/** A conference on media zones: its location, and the traffic to its terminals. */
export const conferenceTopology = z.object({
  meetId: z.uuid(),
  generation: z.number().int(),
  /** Its location; the media server is null if it cannot be determined now. */
  mcuZoneId: z.string(),
  mcuId: z.string().nullable(),
  zones: z.array(mediaZone),
  /** `roundTrip` in ms. */
  terminals: z.array(
    z.object({
      termId: z.string(),
      name: z.string(),
      deviceType: z.number().int(),
      mcuZoneId: z.string(),
      mcuId: z.string().nullable(),
      roundTrip: z.number().nullable(),
      ...flow,
    }),
  ),
  /** Bridges joined as terminals; none can be configured yet. */
  cascades: z.array(z.object({ id: z.string(), name: z.string(), mcuZoneId: z.string(), ...flow })),
});
export type ConferenceTopology = z.infer<typeof conferenceTopology>;

const ofMeeting = { query: z.object({ meetId: meet }) };
const zones: MediaZone[] = [
  { mcuZoneId: 'local', name: '', available: true, mcus: [{ mcuId: 'local-1', state: 'up', load: 12 }] },
];
const exampleTopology: ConferenceTopology = {
  meetId,
  generation: 1,
  mcuZoneId: 'local',
  mcuId: 'local-1',
  zones,
  cascades: [],
  terminals: [
    {
      termId,
      name: 'Alice',
      deviceType: 11,
      mcuZoneId: 'local',
      mcuId: 'local-1',
      roundTrip: 12,
      up: 1_700_000,
      down: 2_400_000,
      loss: 0,
    },
  ],
};
const topology = {
  callers: ['user', 'terminal', 'desk'] as const,
  limit: { by: 'caller', max: 600, seconds: 60 } as const,
  input: ofMeeting,
  data: conferenceTopology,
  errors: ['CONFERENCE_OVER'] as const,
  example: { query: { meetId }, data: exampleTopology },
};

/** Where conferences run, and how they are moved. */
export const topologyRoutes = {
  zonesMcus: route({
    method: 'GET',
    path: `${API_BASE}/cm/zones/mcus`,
    summary: 'Media zones with their media servers, load and state.',
    callers: ['user', 'terminal', 'desk'],
    limit: { by: 'caller', max: 120, seconds: 60 },
    input: {},
    data: z.array(mediaZone),
    errors: [],
    example: { data: zones },
  }),
  meetingPlace: route({
    method: 'GET',
    path: `${API_BASE}/cm/getPcmsMeetingZoneOrMcu`,
    summary: 'Where a meeting runs, or will run: media zone and media server (null: any).',
    callers: ['user', 'terminal', 'desk'],
    input: ofMeeting,
    data: z.object({ meetId: z.uuid(), running: z.boolean(), mcuZoneId: z.string(), mcuId: z.string().nullable() }),
    errors: ['CONFERENCE_OVER'],
    example: { query: { meetId }, data: { meetId, running: true, mcuZoneId: 'local', mcuId: 'local-1' } },
  }),
  manualCascade: route({
    method: 'GET',
    path: `${API_BASE}/meetings/manual-cascade`,
    summary: 'Bridges configured for cascading by hand; none can be configured yet.',
    callers: ['user', 'desk'],
    input: {},
    data: z.array(
      z.object({ id: z.string(), name: z.string(), type: z.enum(['SIP', 'H323', 'LIVEKIT']), ip: z.string() }),
    ),
    errors: [],
    example: { data: [] },
  }),
  confTopo: route({
    method: 'PUT',
    path: `${API_BASE}/meetings/getConfTopo`,
    summary: 'The graph of a running conference: zones, media servers, terminals, cascades, with bitrates and loss.',
    ...topology,
  }),
  readConfTopo: route({
    method: 'GET',
    path: `${API_BASE}/meetings/getConfTopo`,
    summary: 'The same.',
    ...topology,
  }),
  reset: command({
    method: 'PUT',
    path: `${API_BASE}/meetings/resetConf`,
    summary:
      'Rebuilds the conference on the named media servers of its zone (the least loaded of them; any without); ' +
      'terminals come back by themselves.',
    errors: ['MCU_UNKNOWN', 'ZONE_UNAVAILABLE'],
    input: {
      query: z.object({
        meetId: meet,
        mcuIds: z
          .union([z.string(), z.array(z.string())])
          .optional()
          .transform((value) =>
            [value ?? []]
              .flat()
              .flatMap((one) => one.split(','))
              .filter((one) => one !== ''),
          )
          .pipe(z.array(term).max(100)),
      }),
    },
    example: { query: { meetId, mcuIds: 'local-1' } },
  }),
  moveZone: command({
    method: 'PUT',
    path: ofEngine('repari/meet'),
    summary: 'Moves the running conference to another media zone; terminals go over by themselves.',
    errors: ['ZONE_UNKNOWN', 'ZONE_NOT_CURRENT', 'ZONE_UNAVAILABLE'],
    input: {
      params: byEngine,
      query: z
        .object({ meetId: meet, oldMcuZoneId: zoneId, mcuZoneId: zoneId })
        .refine((query) => query.oldMcuZoneId !== query.mcuZoneId, { path: ['mcuZoneId'] }),
    },
    example: { params: rz, query: { meetId, oldMcuZoneId: 'local', mcuZoneId: 'second' } },
  }),
};
