import type { Invitee } from '@rmeet/contract';
import type { AccountRow } from '../../accounts/users/tables.ts';

/** Somebody who can be invited, as the contract shows them. */
export const presentInvitee = ({ id, name, account, department }: AccountRow): Invitee => ({
  userId: id,
  name,
  account,
  department,
});
