import type { contract, Data } from '@rmeet/contract';
import { useQuery } from '@tanstack/react-query';
import { useEffect, type ReactNode } from 'react';
import { Link } from 'react-router';
import { api, isApiError, retryWhileBusy } from '../../../lib/api/index.ts';
import { claimGuestKey } from '../../../lib/meetingKeys.ts';
import { LanguageSwitch } from '../../../ui/LanguageSwitch.tsx';
import { Logo } from '../../../ui/Logo.tsx';
import { ErrorState, Loading } from '../../../ui/states.tsx';
import { useT } from '../texts.ts';

/** The meeting of a guest link, and the secret part of the link. */
export type GuestMeeting = Data<typeof contract.guests.queryMeetDetail> & { resource: string };

interface GuestGateProps {
  resource: string;
  /** Rendered once the link is resolved; camera and microphone are not requested before. */
  children: (guest: GuestMeeting) => ReactNode;
}

/** Resolves a guest link, and shows an error if it is invalid. */
export function GuestGate({ resource, children }: GuestGateProps) {
  const found = useQuery({
    queryKey: ['guest-meeting', resource],
    queryFn: async ({ signal }) => {
      const meeting = await retryWhileBusy(() => api.guests.queryMeetDetail({ query: { resource } }), signal);
      claimGuestKey(meeting.numericId);
      return { ...meeting, resource };
    },
    // The meeting shown before joining does not change during the call.
    staleTime: Infinity,
    meta: { quiet: true },
  });
  if (found.data) return children(found.data);
  if (found.isPending) return <Loading />;
  return isApiError(found.error, 'GUEST_LINK_INVALID', 'INVALID_INPUT') ? (
    <LinkInvalid />
  ) : (
    <ErrorState retry={() => void found.refetch()} />
  );
}

/** Shown for a guest link that was revoked, renewed or has expired. */
export function LinkInvalid() {
  const t = useT();
  useEffect(() => {
    document.title = t('guest.invalid');
  }, [t]);
  return (
    <div className="join">
      <header className="join-header">
        <Logo open />
        <LanguageSwitch />
      </header>
      <main className="join-main join-main-narrow">
        <section className="join-card" role="alert" data-testid="guest-link-invalid">
          <h1>{t('guest.invalid')}</h1>
          <p className="join-lead">{t('guest.invalidHint')}</p>
          <Link className="button button-primary" to="/join">
            {t('guest.byNumber')}
          </Link>
        </section>
      </main>
    </div>
  );
}
