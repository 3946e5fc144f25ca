import { decodeContact, encodeContact, type Locale, type Profile } from '@rmeet/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../lib/api/index.ts';
import { session, system } from '../../lib/browser.ts';
import { encryptPassword } from '../../lib/encrypt.ts';
import { profileQuery } from '../../lib/profile.ts';

const PROFILE = profileQuery.queryKey;
const SESSIONS = ['own-sessions'];

/** What people can change about themselves; contacts are decoded. */
export interface Personal {
  name: string;
  phone: string;
  email: string;
  locale: Locale;
}

export function personalOf({ name, phoneNumber, email, locale }: Profile): Personal {
  return { name, phone: decodeContact(phoneNumber), email: decodeContact(email), locale };
}

/** The signed-in account. The page shows loading errors. */
export function useProfile() {
  return useQuery(profileQuery);
}

export function useSavePersonal() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ name, phone, email, locale }: Personal) =>
      api.users.updateSelf({
        body: {
          name: name.trim(),
          phoneNumber: encodeContact(phone.trim()),
          email: encodeContact(email.trim()),
          locale,
        },
      }),
    onSuccess: (profile) => {
      client.setQueryData(PROFILE, profile);
      const { token, user } = session;
      if (token !== null && user !== null) session.open(token, { ...user, name: profile.name, locale: profile.locale });
    },
    meta: { quiet: true },
  });
}

/** Changes the user's own password; the server ends the account's other sessions. */
export function useChangePassword() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ oldPassword, newPassword }: { oldPassword: string; newPassword: string }) => {
      const { publicKey } = await api.auth.loginMode({ query: {} });
      const [before, after] = await Promise.all([
        encryptPassword(oldPassword, publicKey),
        encryptPassword(newPassword, publicKey),
      ]);
      return api.users.changePassword({ body: { oldPassword: before, newPassword: after } });
    },
    onSuccess: () => client.invalidateQueries({ queryKey: PROFILE }),
    meta: { quiet: true },
  });
}

export function useSessions() {
  return useQuery({ queryKey: SESSIONS, queryFn: () => api.users.sessions(), meta: { quiet: true } });
}

/** Ends sessions one after the other; if one fails, those already ended stay ended. */
export function useEndSessions() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (ids: readonly string[]) => {
      for (const id of ids) await api.users.endSession({ params: { id } });
    },
    onSettled: () => client.invalidateQueries({ queryKey: SESSIONS }),
  });
}

const PROGRAMS = ['own-grants'];

/** Programs that act for users of the organisation; none for operators. Without them the page has no such card. */
export function usePrograms() {
  return useQuery({
    queryKey: PROGRAMS,
    queryFn: () => api.apiRecords.offered(),
    enabled: system !== 'admin',
    meta: { quiet: true },
  });
}

export function useGrantProgram() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (clientId: string) => api.apiRecords.grantOwn({ body: { clientId } }),
    onSettled: () => client.invalidateQueries({ queryKey: PROGRAMS }),
  });
}

export function useEndGrant() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => api.apiRecords.endOwnGrant({ params: { id } }),
    onSettled: () => client.invalidateQueries({ queryKey: PROGRAMS }),
  });
}
