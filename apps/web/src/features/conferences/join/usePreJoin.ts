import { useQuery } from '@tanstack/react-query';
import type { PreJoin } from '@rmeet/contract';
import { api } from '../../../lib/api/index.ts';
import { joinErrorOf, type JoinError } from './join-errors.ts';
import type { GuestMeeting } from './GuestGate.tsx';
import type { JoinInput } from './JoinForm.tsx';

/** The number of people inside is asked for again after this time, ms. */
const AGAIN_AFTER = 30_000;

interface PreJoinQuery extends Pick<JoinInput, 'number' | 'meetId' | 'password'> {
  signedIn: boolean;
  /** False for a guest link, which is resolved by itself. */
  enabled: boolean;
}

/**
 * The meeting of a link, and what the user must enter to join it. Fetched again each time the page is shown: this also
 * detects an expired sign-in, which redirects to the sign-in page and back here.
 */
export function usePreJoin({ number, meetId, password, signedIn, enabled: isWanted }: PreJoinQuery) {
  const enabled = isWanted && /^\d{9}$/.test(number) && (signedIn || password !== '');
  const found = useQuery({
    queryKey: ['pre-join', number, meetId, password, signedIn],
    queryFn: () => fetchMeeting({ number, meetId, password, signedIn }),
    enabled,
    gcTime: 0,
    retry: false,
    // A wrong password is not tried again, because each attempt counts as a guess.
    refetchInterval: ({ state }) => (state.data?.meeting ? AGAIN_AFTER : false),
    refetchOnWindowFocus: ({ state }) => state.error === null,
    meta: { quiet: true },
  });
  return {
    known: found.data,
    isPending: enabled && found.isPending,
    refusal: found.error === null ? null : refusalOf(found.error),
    lookAgain: () => void found.refetch(),
  };
}

/** The meeting of a guest link, with the number of people inside up to date. */
export function useGuestMeeting(guest: GuestMeeting | null): GuestMeeting | null {
  const resource = guest?.resource ?? '';
  const { data: count } = useQuery({
    queryKey: ['guest-inside', resource],
    queryFn: () => api.guests.count({ query: { resource } }),
    enabled: guest !== null,
    initialData: guest?.inside.count,
    staleTime: 0,
    retry: false,
    refetchInterval: ({ state }) => (state.error === null ? AGAIN_AFTER : false),
    meta: { quiet: true },
  });
  return guest === null ? null : { ...guest, inside: { count: count ?? guest.inside.count, names: [] } };
}

async function fetchMeeting({
  number: numericId,
  meetId,
  password,
  signedIn,
}: Omit<PreJoinQuery, 'enabled'>): Promise<PreJoin> {
  const query = { numericId, ...(meetId === null ? {} : { meetId }) };
  if (signedIn) {
    const own = await api.conferences.preJoin({ query });
    if (!own.asksPassword || password === '') return own;
  }
  return api.conferences.lookUp({ body: { ...query, password } });
}

/** A refusal that joining would meet too; null for a failure that may pass. */
function refusalOf(error: Error): JoinError | null {
  const refusal = joinErrorOf(error);
  return refusal.field === 'form' ? null : refusal;
}
