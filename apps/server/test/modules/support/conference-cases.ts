import { newId } from '../../../src/platform/db/index.ts';
import {
  all,
  byRight,
  engineFollowed,
  meetId,
  named,
  type CallArgs,
  type Case,
  type Expected,
  type Setting,
} from './case-setting.ts';
import { clientOf } from './client.ts';
import { fresh } from './fresh.ts';
import { proceedingCases } from './proceeding-cases.ts';

const rz = { res: 'rz' };
/** A message of the host to all; resolves with its id. */
async function messageOfHost(setting: Setting): Promise<string> {
  const id = newId();
  const speaker = clientOf(setting.server, setting.world.tokens.hostTerminal).conferences;
  await speaker.chat({ params: meetId(setting), body: { id, text: 'Hello' } });
  return id;
}
/** A file that the host has sent to all; resolves with its id. */
export async function fileOfHost(setting: Setting): Promise<string> {
  const speaker = clientOf(setting.server, setting.world.tokens.hostTerminal).conferences;
  const files = [new File(['Agenda'], 'agenda.txt')];
  const sent = await speaker.chat({ params: meetId(setting), body: { id: newId(), text: '' }, files });
  return sent.file?.id ?? '';
}
const guests = ({ world }: Setting) => ({ termIds: [world.guestTermId] });
const newLink = ({ cast, world }: Setting) =>
  cast.host.conferences.manageUrl({ params: { a: world.meeting.meetId, b: 'viewer' }, query: {} });

/** The same, but callers with the right get an error code. */
const asIf = (code: string, expected: Expected): Expected =>
  Object.fromEntries(
    Object.entries(expected).map(([who, answer]) => [who, answer === 'OK' ? code : answer]),
  ) as unknown as Expected;

/** The calls of the routes of running conferences. */
export function conferenceCases(): Record<string, Case> {
  /** A command to the world's conference, with its id in the query or in the body. */
  const asked =
    (more: object = {}) =>
    (setting: Setting): CallArgs => ({ params: rz, query: { ...meetId(setting), ...more } });
  const told =
    (more: object = {}) =>
    (setting: Setting): CallArgs => ({ params: rz, body: { ...meetId(setting), ...more } });
  /** The same about the present guest. */
  const askedOfGuest =
    (more: object = {}) =>
    (setting: Setting): CallArgs =>
      asked({ termId: setting.world.guestTermId, ...more })(setting);
  const toldOfGuest =
    (more: object = {}) =>
    (setting: Setting): CallArgs =>
      told({ termId: setting.world.guestTermId, ...more })(setting);
  const onConference =
    (body?: (setting: Setting) => object) =>
    (setting: Setting): CallArgs => ({ params: meetId(setting), ...(body ? { body: body(setting) } : {}) });
  /** The desk features that the status wall lacks. */
  const beyondWall: Expected = { ...byRight('desk'), statusWall: 'FORBIDDEN' };

  return {
    ...proceedingCases(),
    'conferences.join': {
      expected: {
        member: 'OK',
        host: 'OK',
        granted: 'OK',
        tenantAdmin: 'OK',
        stranger: 'MEETING_PASSWORD_REQUIRED',
        delegate: 'MEETING_PASSWORD_REQUIRED',
        foreignUser: 'MEETING_PASSWORD_REQUIRED',
        foreignAdmin: 'MEETING_PASSWORD_REQUIRED',
        others: 'NAME_REQUIRED',
      },
      args: ({ world }) => ({ body: { numericId: world.meeting.numericId } }),
    },
    'conferences.preJoin': {
      expected: all,
      args: ({ world }) => ({ query: { numericId: world.meeting.numericId, meetId: world.meeting.meetId } }),
    },
    'conferences.lookUp': {
      expected: {
        member: 'OK',
        host: 'OK',
        granted: 'OK',
        tenantAdmin: 'OK',
        others: 'MEETING_PASSWORD_REQUIRED',
      },
      args: ({ world }) => ({ body: { numericId: world.meeting.numericId, meetId: world.meeting.meetId } }),
    },
    'conferences.checkConnection': { expected: all, args: () => ({}) },
    'conferences.enter': { expected: byRight('leave'), args: (setting) => ({ params: meetId(setting) }) },
    'conferences.migrate': { expected: byRight('ownMedia'), args: onConference() },
    'conferences.leave': {
      expected: byRight('leave'),
      ownWorld: true,
      args: (setting) => ({ params: meetId(setting) }),
    },
    'conferences.end': { expected: byRight('end'), ownWorld: true, args: (setting) => ({ params: meetId(setting) }) },
    'conferences.admit': {
      expected: byRight('admit'),
      ownWorld: true,
      args: (setting) => ({ params: meetId(setting), body: { termIds: [setting.world.waitingTermId], admit: true } }),
    },
    'conferences.hand': {
      expected: byRight('raiseHand'),
      args: (setting) => ({ params: meetId(setting), body: { raised: true } }),
    },
    'conferences.chat': {
      expected: byRight('chat'),
      args: async (setting) => {
        const replyTo = await messageOfHost(setting);
        return { params: meetId(setting), body: { id: newId(), text: 'Hello', replyTo } };
      },
    },
    'conferences.deleteMessage': {
      expected: byRight('deleteMessages'),
      args: async (setting) => ({ params: { ...meetId(setting), id: await messageOfHost(setting) } }),
    },
    'conferences.chatFile': {
      expected: byRight('see'),
      args: async (setting) => ({ params: { ...meetId(setting), id: await fileOfHost(setting) } }),
    },
    'conferences.react': {
      expected: byRight('react'),
      args: (setting) => ({ params: meetId(setting), body: { reaction: 'heart' } }),
    },
    'conferences.renameSelf': {
      expected: byRight('renameSelf'),
      args: (setting) => ({ params: meetId(setting), body: { name: named('Guest') } }),
    },

    'conferences.command': {
      expected: byRight('control'),
      args: onConference((setting) => ({ verb: 'mute', ...guests(setting), muted: true })),
    },
    'conferences.muteAll': { expected: byRight('control'), args: told() },
    'conferences.unMuteAll': { expected: byRight('control'), args: told() },
    'conferences.termMute': { expected: byRight('control'), args: toldOfGuest({ mute: true }) },
    'conferences.screenVideo': { expected: byRight('control'), args: toldOfGuest({ open: false }) },
    'conferences.setVolumeTerminal': {
      expected: byRight('control'),
      args: ({ world }) => ({
        params: rz,
        body: { conferId: world.meeting.meetId, termId: world.guestTermId, volume: 60 },
      }),
    },
    'conferences.limitVideo': {
      expected: byRight('control'),
      args: (setting) => told({ ...guests(setting), maxHeight: 360 })(setting),
    },
    'conferences.callAll': { expected: byRight('control'), args: told() },
    'conferences.changeStatus': {
      expected: byRight('control'),
      ownWorld: true,
      args: toldOfGuest({ status: 'HANGUP' }),
    },
    'conferences.delTerm': {
      expected: byRight('control'),
      ownWorld: true,
      args: ({ world }) => ({ params: { ...rz, id: world.meeting.meetId }, query: { termId: world.guestTermId } }),
    },
    'conferences.delTermBatch': {
      expected: byRight('control'),
      ownWorld: true,
      args: ({ world }) => ({ params: { ...rz, id: world.meeting.meetId }, query: { termIds: [world.guestTermId] } }),
    },
    'conferences.setConfMode': { expected: byRight('control'), args: askedOfGuest({ videoSet: 'SPEAKER' }) },
    'conferences.setConfLock': { expected: byRight('lock'), args: asked({ conflock: '0' }) },
    'conferences.setConfRecord': { expected: byRight('record'), ownWorld: true, args: asked({ action: 'START' }) },
    'conferences.meetingRecord': { expected: byRight('record'), ownWorld: true, args: told({ action: 'START' }) },
    'conferences.getRecordStatus': { expected: byRight('see'), args: asked() },
    'conferences.setConfChairman': { expected: byRight('handOverChair'), ownWorld: true, args: askedOfGuest() },
    'conferences.setConfSpeaker': { expected: byRight('control'), args: askedOfGuest() },
    'conferences.updateTermialName': { expected: byRight('control'), args: askedOfGuest({ termName: 'Renamed' }) },
    'conferences.muteStatus': { expected: byRight('see'), args: asked() },
    'conferences.terminalStatus': {
      expected: byRight('desk'),
      args: ({ world }) => ({ params: { ...rz, id: world.meeting.meetId } }),
    },
    // A terminal may know its own sent and received media.
    'conferences.getMediaStreamInfo': { expected: { ...byRight('desk'), guestTerminal: 'OK' }, args: askedOfGuest() },
    'conferences.readMediaStreamInfo': { expected: { ...byRight('desk'), guestTerminal: 'OK' }, args: askedOfGuest() },
    'conferences.termTop': {
      expected: byRight('control'),
      args: (setting) => ({ query: { ...meetId(setting), termId: setting.world.guestTermId, flag: '1' } }),
    },
    'conferences.termSort': {
      expected: byRight('control'),
      args: (setting) => ({ query: meetId(setting), body: guests(setting) }),
    },
    'conferences.extend': {
      expected: byRight('control'),
      args: ({ world }) => ({ params: { id: world.meeting.meetId }, query: { delay: '1' } }),
    },
    'conferences.grantAuth': {
      expected: byRight('grant'),
      args: async (setting) => ({
        query: meetId(setting),
        body: { userIds: [await fresh.account(setting.server, setting.north)] },
      }),
    },
    'conferences.coChairs': {
      expected: byRight('handOverChair'),
      ownWorld: true,
      args: onConference((setting) => ({ ...guests(setting), appoint: true })),
    },
    'conferences.entry': { expected: byRight('control'), args: onConference(() => ({ muteOnEntry: false })) },
    'conferences.askUnmute': { expected: byRight('control'), args: onConference(guests) },
    'conferences.sendBack': { expected: byRight('control'), ownWorld: true, args: onConference(guests) },
    'conferences.undo': {
      expected: byRight('control'),
      args: async (setting) => {
        const command = await setting.cast.host.conferences.updateTermialName(
          askedOfGuest({ termName: named('Guest') })(setting) as never,
        );
        return { params: meetId(setting), body: { commandId: await engineFollowed(setting, command) } };
      },
    },
    'conferences.selfUnmute': { expected: byRight('ownMedia'), args: onConference() },
    'conferences.knock': {
      expected: byRight('messageChair'),
      ownWorld: true,
      args: onConference(() => ({ text: 'It is me.' })),
    },
    'conferences.inviting': {
      // These two are guests: only accounts of the organisation invite.
      expected: { ...byRight('control'), chairTerminal: 'FORBIDDEN', coChairTerminal: 'FORBIDDEN' },
      args: onConference(),
    },
    'conferences.rings': { expected: all, args: () => ({}) },
    'conferences.answerRing': {
      expected: { member: 'OK', others: 'NOT_FOUND' },
      ownWorld: true,
      args: async (setting) => {
        await setting.cast.host.conferences.callAll(told()(setting) as never);
        return { params: meetId(setting) };
      },
    },
    'conferences.zonesMcus': {
      expected: { guestTerminal: 'FORBIDDEN', waitingTerminal: 'FORBIDDEN', others: 'OK' },
      args: () => ({}),
    },
    'conferences.meetingPlace': { expected: byRight('see'), args: (setting) => ({ query: meetId(setting) }) },
    'conferences.manualCascade': { expected: all, args: () => ({}) },
    'conferences.confTopo': { expected: byRight('desk'), args: (setting) => ({ query: meetId(setting) }) },
    'conferences.readConfTopo': { expected: byRight('desk'), args: (setting) => ({ query: meetId(setting) }) },
    'conferences.reset': {
      expected: byRight('control'),
      ownWorld: true,
      args: (setting) => ({ query: meetId(setting) }),
    },
    // The test's engine has one zone: callers with the right get the error that there is no other.
    'conferences.moveZone': {
      expected: asIf('ZONE_UNKNOWN', byRight('control')),
      args: asked({ oldMcuZoneId: 'local', mcuZoneId: 'second' }),
    },
    'conferences.state': { expected: byRight('desk'), args: onConference() },
    'conferences.events': { expected: beyondWall, args: onConference() },
    'conferences.watch': { expected: beyondWall, args: onConference() },
    'conferences.manageUrl': {
      expected: byRight('handOverChair'),
      args: ({ world }) => ({ params: { a: world.meeting.meetId, b: 'chair' } }),
    },
    'conferences.monitorUrl': {
      expected: byRight('control'),
      args: ({ world }) => ({ query: { numericId: world.meeting.numericId } }),
    },
    'conferences.links': { expected: byRight('control'), args: onConference() },
    'conferences.revokeLink': {
      expected: byRight('control'),
      args: async (setting) => ({ params: { ...meetId(setting), id: (await newLink(setting)).id } }),
    },
    'conferences.openDesk': {
      expected: all,
      args: async (setting) => ({
        body: { sign: new URLSearchParams((await newLink(setting)).url.split('?')[1]).get('token') },
      }),
    },
  };
}
