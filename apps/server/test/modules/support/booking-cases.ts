import { randomUUID } from 'node:crypto';
import { meetingFile, participantGroup } from '../../../src/modules/meetings/tables.ts';
import { newId } from '../../../src/platform/db/index.ts';
import {
  all,
  byRight,
  meetingBody,
  upcoming,
  type CallArgs,
  type Case,
  type Expected,
  type Setting,
} from './case-setting.ts';
import { fresh } from './fresh.ts';
import { accountOf, type AccountName } from './world.ts';

/** A file of a meeting; its bytes are stored only if the test needs them. */
async function newFile({ server, north }: Setting, meetingId: string): Promise<string> {
  const id = newId();
  const storageKey = `uploads/${randomUUID()}`;
  await server.storage.put(storageKey, Buffer.from('Agenda'));
  await server.db.tenant(north, (tx) =>
    tx.insert(meetingFile, {
      id,
      meetingId,
      name: 'agenda.txt',
      size: 6,
      storageKey,
      position: 0,
      createdAt: server.clock.now(),
    }),
  );
  return id;
}

/** A group of the caller; for a caller of another tenant, a group of another person. */
async function newGroup({ server, north }: Setting, caller: AccountName): Promise<string> {
  const owner = server.people.get(accountOf(caller));
  const mine = owner?.tenantId === north ? owner : server.people.get('alice');
  const id = newId();
  await server.db.tenant(north, (tx) =>
    tx.insert(participantGroup, { id, ownerId: mine?.id ?? '', name: `Group ${id}`, createdAt: server.clock.now() }),
  );
  return id;
}

const bob = ({ server }: Setting) => [server.people.get('bob')?.id ?? ''];
const onGroup =
  (body?: (setting: Setting) => object) =>
  async (setting: Setting, caller: string): Promise<CallArgs> => ({
    params: { id: await newGroup(setting, caller as AccountName) },
    ...(body ? { body: body(setting) } : {}),
  });

/** The calls of the booking routes; part of cases.ts. */
export function bookingCases(): Record<string, Case> {
  const ofNorth: Expected = { foreignAdmin: 'NOT_FOUND', foreignUser: 'NOT_FOUND', others: 'OK' };
  const withBob: Expected = { foreignAdmin: 'PARTICIPANT_UNKNOWN', foreignUser: 'PARTICIPANT_UNKNOWN', others: 'OK' };
  return {
    'meetings.createVideo': {
      expected: { foreignAdmin: 'TERMINAL_UNKNOWN', foreignUser: 'TERMINAL_UNKNOWN', others: 'OK' },
      args: async (setting) => ({
        body: { ...meetingBody(setting), terminalIds: [await fresh.terminal(setting.server, setting.north)] },
      }),
    },
    'meetings.createTelephone': {
      expected: all,
      args: (setting) => ({
        body: { ...meetingBody(setting), participants: [{ kind: 'phone', name: 'Clinic', phone: '010 6512 3456' }] },
      }),
    },
    'meetings.createLocal': {
      expected: { foreignAdmin: 'ROOM_UNKNOWN', foreignUser: 'ROOM_UNKNOWN', others: 'OK' },
      args: async (setting) => ({
        body: { ...meetingBody(setting), password: '', roomIds: [await fresh.room(setting.server, setting.north)] },
      }),
    },
    'meetings.updateWithFile': {
      expected: byRight('cancel'),
      args: async (setting) => {
        const { params } = await upcoming(setting);
        return {
          params,
          body: { ...meetingBody(setting), version: 1, keepFileIds: [await newFile(setting, params.id)] },
        };
      },
    },
    'meetings.cancelWithFile': { expected: byRight('cancel'), args: upcoming },
    'booking.templates': { expected: all, args: () => ({}) },
    'booking.participantLimit': {
      expected: ofNorth,
      args: async ({ server, north }) => ({ params: { a: 'VIDEO_MEETING', b: await fresh.resource(server, north) } }),
    },
    'booking.allowUpdate': {
      expected: byRight('cancel'),
      args: async (setting) => ({ ...(await upcoming(setting)), query: { duration: 45 } }),
    },
    'booking.departments': { expected: all, args: () => ({}) },
    'booking.groups': { expected: all, args: () => ({}) },
    'booking.createGroup': {
      expected: withBob,
      args: (setting) => ({ body: { name: `Group ${newId()}`, userIds: bob(setting) } }),
    },
    'booking.updateGroup': {
      expected: ofNorth,
      args: onGroup((setting) => ({ name: `Group ${newId()}`, userIds: bob(setting), version: 1 })),
    },
    'booking.removeGroup': { expected: ofNorth, args: onGroup() },
    'booking.busy': {
      expected: all,
      args: (setting) => ({
        body: {
          userIds: bob(setting),
          from: setting.server.clock.in(-60),
          until: setting.server.clock.in(60),
          except: setting.world.meeting.meetId,
        },
      }),
    },
    'meetingFiles.download': {
      expected: byRight('see'),
      args: async (setting) => ({ params: { id: await newFile(setting, setting.world.meeting.meetId) } }),
    },
  };
}
