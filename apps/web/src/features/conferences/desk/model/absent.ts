import type { DeskInvitee, DeskState } from '@rmeet/contract';

/** Invited people who are not inside. */
export function absentees({ invitees, terminals }: Pick<DeskState, 'invitees' | 'terminals'>): readonly DeskInvitee[] {
  const inside = new Set(terminals.flatMap(({ userId }) => userId ?? []));
  return inside.size === 0 ? invitees : invitees.filter(({ userId }) => userId === null || !inside.has(userId));
}
