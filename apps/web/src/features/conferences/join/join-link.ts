import type { JoinInput } from './JoinForm.tsx';

/** Kept with the address after joining, so that a reload finds again what the address does not show. */
export interface JoinState {
  joined: true;
  password: string;
  /** Secret part of the guest link one came by. */
  guest?: string;
  /** Of somebody who came by a guest link, whose address shows nothing. */
  name?: string;
}

/** What a join link fills in: `number`, `pwd`, `name`, and with `meet` which of the meetings of a series. */
export function linkInput(search: string, state: JoinState | null, rememberedName: string): JoinInput {
  const query = new URLSearchParams(search);
  return {
    number: query.get('number') ?? '',
    meetId: query.get('meet'),
    password: query.get('pwd') ?? state?.password ?? '',
    name: query.get('name') || state?.name || rememberedName,
  };
}

/** Secret part of a guest link (`guest`), from the address or from before a reload; null for every other way in. */
export function guestResource(search: string, state: JoinState | null): string | null {
  return new URLSearchParams(search).get('guest') ?? state?.guest ?? null;
}

/**
 * The address while in the meeting: as the link, without the password; nothing of a guest link, as it is all secret.
 */
export function joinedPath(
  { number, meetId, password, name }: JoinInput,
  withName: boolean,
  guest: string | null,
): { path: string; state: JoinState } {
  if (guest !== null) return { path: '/join', state: { joined: true, password: '', guest, name } };
  const query = new URLSearchParams({
    number,
    ...(meetId === null ? {} : { meet: meetId }),
    ...(withName ? { name } : {}),
  });
  return { path: `/join?${query.toString()}`, state: { joined: true, password } };
}
