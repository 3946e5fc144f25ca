import type { JoinInput } from './JoinForm.tsx';

/** History state after joining, so that a reload restores what the URL does not contain. */
export interface JoinState {
  joined: true;
  password: string;
  /** Secret part of the guest link used. */
  guest?: string;
  /** Set for guests with a guest link, whose URL contains nothing. */
  name?: string;
}

/** The values of a join link: `number`, `pwd`, `name`, and with `meet` the meeting of a series. */
export function linkInput(search: string, state: JoinState | null, rememberedName: string): JoinInput {
  const query = new URLSearchParams(search);
  return {
    number: query.get('number') ?? '',
    meetId: query.get('meet'),
    password: query.get('pwd') ?? state?.password ?? '',
    name: query.get('name') || state?.name || rememberedName,
    key: '',
  };
}

/** Secret part of a guest link (`guest`), from the URL or from before a reload; null for every other way to join. */
export function guestResource(search: string, state: JoinState | null): string | null {
  return new URLSearchParams(search).get('guest') ?? state?.guest ?? null;
}

/**
 * The URL during the meeting: as the link, without the password; empty for a guest link, because all of it is secret.
 */
export function joinedPath(
  { number, meetId, password, name }: Omit<JoinInput, 'key'>,
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
