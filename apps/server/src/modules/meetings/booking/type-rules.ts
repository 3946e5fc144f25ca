import type { contract, Input } from '@rmeet/contract';
import { AppError } from '../../../platform/http/index.ts';
import { isHeld } from '../status.ts';
import type { MeetingRow } from '../tables.ts';

/** The fields of one meeting in a booking or an edit. */
export type Body = Omit<Input<typeof contract.meetings.createNetwork>['body'], 'recurrence'>;

/**
 * The body for a meeting without a conference, the broadcast of an outside stream: what only a conference has is left
 * out, so that no edit adds it. Its waiting room stands for the password that it does not have.
 */
export const withoutConference = <T extends Body>(body: T): T => ({
  ...body,
  password: '',
  waitingRoom: true,
  e2ee: false,
  autoRecord: false,
  participants: [],
  roomIds: [],
  terminalIds: [],
  resourceId: null,
});

/** The types whose participants all use browsers, which have the key. */
const ENCRYPTABLE: ReadonlySet<MeetingRow['type']> = new Set(['NETWORK_MEETING', 'VIDEO_MEETING']);

/** @throws AppError E2EE_UNSUPPORTED */
function mustBeEncryptable(type: MeetingRow['type'], hasDevices: boolean): void {
  if (hasDevices || !ENCRYPTABLE.has(type)) throw new AppError('E2EE_UNSUPPORTED');
}

/**
 * Checks what each type of meeting requires and excludes. All but local ones have a conference, which guests enter by
 * password or waiting room.
 *
 * @throws AppError LOCAL_WITHOUT_CONFERENCE, ROOM_REQUIRED, PASSWORD_OR_WAITING_ROOM, TERMINALS_VIDEO_ONLY,
 *   PHONE_PARTY_REQUIRED, E2EE_UNSUPPORTED
 */
export function checkType(
  type: MeetingRow['type'],
  {
    password,
    waitingRoom,
    participants,
    roomIds,
    terminalIds,
    e2ee,
    autoRecord,
  }: Pick<Body, 'password' | 'waitingRoom' | 'participants' | 'roomIds' | 'terminalIds' | 'e2ee' | 'autoRecord'>,
): void {
  const hasPhones = participants.some(({ kind }) => kind === 'phone');
  const hasDevices = hasPhones || terminalIds.length > 0;
  if (e2ee) mustBeEncryptable(type, hasDevices || autoRecord);
  if (type === 'LOCAL_MEETING') {
    checkLocal({ hasConference: [password !== '', waitingRoom, hasDevices, autoRecord].includes(true), roomIds });
    return;
  }
  if (password === '' && !waitingRoom) throw new AppError('PASSWORD_OR_WAITING_ROOM');
  if (type !== 'VIDEO_MEETING' && terminalIds.length > 0) throw new AppError('TERMINALS_VIDEO_ONLY');
  if (type === 'PHONE_MEETING' && !hasPhones) throw new AppError('PHONE_PARTY_REQUIRED');
}

/** @throws AppError LOCAL_WITHOUT_CONFERENCE, ROOM_REQUIRED */
function checkLocal({ hasConference, roomIds }: { hasConference: boolean; roomIds: readonly string[] }): void {
  if (hasConference) throw new AppError('LOCAL_WITHOUT_CONFERENCE');
  if (roomIds.length === 0) throw new AppError('ROOM_REQUIRED');
}

/** @throws AppError MEETING_RUNNING if an edit would turn encryption on or off while a conference runs */
export function checkEncryption(before: readonly Pick<MeetingRow, 'e2ee' | 'status'>[], e2ee: boolean): void {
  if (before.some((row) => row.e2ee !== e2ee && isHeld(row))) throw new AppError('MEETING_RUNNING');
}
