import type { Invitee } from '@rmeet/contract';
import type { AccountRow } from '../../accounts/users/tables.ts';

/** A person who can be invited, by the contract. */
export const presentInvitee = ({ id, name, account, department }: AccountRow): Invitee => ({
  userId: id,
  name,
  account,
  department,
});
