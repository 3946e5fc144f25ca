import { eq } from 'drizzle-orm';
import { NO_CONTROL, withChanges, type ConferenceControl } from '@rmeet/conference';
import type { ConferenceState, ControlStep, Meeting, MeetingBody } from '@rmeet/contract';
import {
  conference,
  conferenceCommand,
  type CommandRow,
  type ConferenceRow,
} from '../../../src/modules/conferences/tables.ts';
import { clientOf, type Person } from './client.ts';
import { book } from './meetings.ts';
import { connect, type TestSocket } from './push.ts';
import type { TestServer } from './server.ts';

/** The `{res}` of calls to our own engine. */
export const rz = { res: 'rz' };

/** A terminal of a test: present or waiting. */
export interface Inside {
  termId: string;
  token: string;
  state: 'admitted' | 'waiting';
  calls: Person['conferences'];
}

export interface TestConference {
  meeting: Meeting;
  meetId: string;
  params: { meetId: string };
  join(
    who: Person,
    extra?: { name?: string; password?: string; deviceId?: string; deviceType?: number; resource?: string },
  ): Promise<Inside>;
  /** A person without an account, by number and password. */
  guest(name: string, deviceId?: string, deviceType?: number): Promise<Inside>;
  /** A push socket of a terminal, with its snapshot; closed by `close`. */
  watch(terminal: Inside): Promise<{ socket: TestSocket; state: ConferenceState }>;
  desk(part: 'chair' | 'viewer', host: Person): Promise<Person>;
  /** What is stored. */
  row(): Promise<ConferenceRow>;
  control(): Promise<ConferenceControl>;
  log(): Promise<CommandRow[]>;
  close(): Promise<void>;
}

/** A meeting that can be joined now, with what tests need of its conference. */
export async function openConference(
  server: TestServer,
  host: Person,
  body: Partial<MeetingBody> = {},
): Promise<TestConference> {
  const meeting = await book(server, host, { startTime: server.clock.in(0), ...body });
  const { meetId } = meeting;
  const sockets: TestSocket[] = [];

  async function join(
    who: Person,
    { resource, ...extra }: Parameters<TestConference['join']>[1] = {},
  ): Promise<Inside> {
    const door = resource === undefined ? { numericId: meeting.numericId } : { resource };
    const { termId, sessionToken, state } = await who.conferences.join({ body: { ...door, ...extra } });
    return { termId, token: sessionToken, state, calls: clientOf(server, sessionToken).conferences };
  }
  async function row(): Promise<ConferenceRow> {
    const found = await server.db.platform((tx) => tx.findOne(conference, eq(conference.meetingId, meetId)));
    if (!found) throw new Error('The conference has not begun.');
    return found;
  }
  return {
    meeting,
    meetId,
    params: { meetId },
    join,
    row,
    guest: (name, deviceId, deviceType) =>
      join(clientOf(server), {
        name,
        password: '4821',
        ...(deviceId === undefined ? {} : { deviceId }),
        ...(deviceType === undefined ? {} : { deviceType }),
      }),
    async watch({ token }) {
      const socket = await connect(server, { sessionToken: token }, `meeting:${meetId}`);
      sockets.push(socket);
      const message = await socket.message((one) => 'snapshot' in one);
      return { socket, state: (message as { snapshot: ConferenceState }).snapshot };
    },
    async desk(part, maker) {
      const { url } = await maker.conferences.manageUrl({ params: { a: meetId, b: part }, query: {} });
      const sign = new URLSearchParams(url.split('?')[1]).get('token') ?? '';
      return clientOf(server, (await clientOf(server).conferences.openDesk({ body: { sign } })).token);
    },
    control: async () => (await row()).control,
    async log() {
      const { id } = await row();
      return (
        await server.db.platform((tx) => tx.find(conferenceCommand, eq(conferenceCommand.conferenceId, id)))
      ).toSorted((a, b) => a.version - b.version);
    },
    async close() {
      await Promise.all(sockets.map((socket) => socket.close()));
    },
  };
}

/** The control state rebuilt from the stored commands. */
export function replayed(log: readonly CommandRow[]): ConferenceControl {
  return log.reduce((control, { changes, version }) => withChanges(control, changes, version), NO_CONTROL);
}

/** The step of the newest command of a verb that the socket received. */
export async function stepOf(socket: TestSocket, verb: string): Promise<ControlStep> {
  const isStep = (message: object): boolean =>
    'event' in message && (message.event as { step?: ControlStep }).step?.verb === verb;
  await socket.message(isStep);
  const found = socket.messages.findLast(isStep) as { event: { step: ControlStep } } | undefined;
  if (!found) throw new Error(`No ${verb} was told.`);
  return found.event.step;
}
