import type { contract, Input } from '@rmeet/contract';
import { AppError } from '../../../platform/http/index.ts';
import type { MeetingRow } from '../tables.ts';

/** The fields of one meeting in a booking or an edit. */
export type Body = Omit<Input<typeof contract.meetings.createNetwork>['body'], 'recurrence'>;

/**
 * Checks what each type of meeting requires and excludes. All but local ones have a conference, which guests enter by
 * password or waiting room.
 *
 * @throws AppError LOCAL_WITHOUT_CONFERENCE, ROOM_REQUIRED, PASSWORD_OR_WAITING_ROOM, TERMINALS_VIDEO_ONLY,
 *   PHONE_PARTY_REQUIRED
 */
export function checkType(
  type: MeetingRow['type'],
  {
    password,
    waitingRoom,
    participants,
    roomIds,
    terminalIds,
  }: Pick<Body, 'password' | 'waitingRoom' | 'participants' | 'roomIds' | 'terminalIds'>,
): void {
  const hasPhones = participants.some(({ kind }) => kind === 'phone');
  if (type === 'LOCAL_MEETING') {
    if (password !== '' || waitingRoom || terminalIds.length > 0 || hasPhones)
      throw new AppError('LOCAL_WITHOUT_CONFERENCE');
    if (roomIds.length === 0) throw new AppError('ROOM_REQUIRED');
    return;
  }
  if (password === '' && !waitingRoom) throw new AppError('PASSWORD_OR_WAITING_ROOM');
  if (type !== 'VIDEO_MEETING' && terminalIds.length > 0) throw new AppError('TERMINALS_VIDEO_ONLY');
  if (type === 'PHONE_MEETING' && !hasPhones) throw new AppError('PHONE_PARTY_REQUIRED');
}
