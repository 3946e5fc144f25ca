import type { JoinInput } from '../join/JoinForm.tsx';

/** Kept with the address after joining, so that a reload finds the password again without showing it. */
export interface JoinState {
  joined: true;
  password: string;
}

/** What a join link fills in: `number`, `pwd` and `name`. */
export function linkInput(search: string, state: JoinState | null, rememberedName: string): JoinInput {
  const query = new URLSearchParams(search);
  return {
    number: query.get('number') ?? '',
    password: query.get('pwd') ?? state?.password ?? '',
    name: query.get('name') || rememberedName,
  };
}

/** The address while in the meeting: as the link, without the password. */
export function joinedPath({ number, password, name }: JoinInput, withName: boolean): { path: string; state: JoinState } {
  const query = new URLSearchParams({ number, ...(withName ? { name } : {}) });
  return { path: `/join?${query.toString()}`, state: { joined: true, password } };
}
