import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { isApiError } from '../../../lib/api/index.ts';
import { currentPath, session } from '../../../lib/browser.ts';
import type { DeskAccess, PassEnd } from '../../../lib/desk/index.ts';
import { loginPath } from '../../../lib/paths.ts';
import { Loading, MessagePage } from '../../../ui/states.tsx';
import { useT } from './texts.tsx';

/** Shown for an invalid link, or when the link's desk was closed. */
export function NoAccess({ why }: { why: PassEnd }) {
  const t = useT();
  return (
    <MessagePage title={t(`link.${why}`)} hint={t(`link.${why}Hint`)}>
      <WayOn />
    </MessagePage>
  );
}

interface NotOpenProps {
  /** `missing`: the URL names no meeting; `refused`: the meeting does not exist or is not visible to the caller. */
  why: 'over' | 'notRunning' | 'refused' | 'missing' | 'signedOut';
  /** Opened by a link: the user may have no account to continue with. */
  byLink?: boolean;
  /** The meeting whose details a signed-in account can open. */
  meetId?: string;
}

/** Shown if there is nothing to control: the reason, and links to continue. */
export function NotOpen({ why, byLink = false, meetId }: NotOpenProps) {
  const t = useT();
  const hint = byLink && why === 'over' ? 'notOpen.overByLink' : (`notOpen.${why}Hint` as const);
  return (
    <MessagePage title={t(`notOpen.${why}`)} hint={t(hint)}>
      <WayOn meetId={byLink ? undefined : meetId} />
    </MessagePage>
  );
}

/**
 * An open desk or wall without a conference. It keeps listening: if the meeting is still to come, the desk opens by
 * itself.
 */
export function NotRunning({ access, meetId }: { access: DeskAccess; meetId: string }) {
  const asked = useQuery({
    queryKey: ['desk-standing', meetId, access.kind],
    queryFn: async () => {
      try {
        await access.api.state({ params: { meetId } });
        return false;
      } catch (error) {
        if (isApiError(error, 'CONFERENCE_OVER')) return true;
        if (isApiError(error, 'MEETING_NOT_STARTED')) return false;
        throw error;
      }
    },
    staleTime: 0,
    // The page explains itself even if this query fails.
    meta: { quiet: true },
  });
  if (asked.isPending) return <Loading />;
  return <NotOpen why={asked.data === true ? 'over' : 'notRunning'} byLink={access.kind === 'link'} meetId={meetId} />;
}

function WayOn({ meetId }: { meetId?: string | undefined }) {
  const t = useT();
  if (session.token === null)
    return (
      <>
        <Link to={loginPath(currentPath())} data-testid="way-sign-in">
          {t('notOpen.signIn')}
        </Link>
        <Link className="state-other" to="/join" data-testid="way-number">
          {t('wayOn.byNumber')}
        </Link>
      </>
    );
  return (
    <>
      <Link to="/myMeeting" data-testid="way-meetings">
        {t('notOpen.toMeetings')}
      </Link>
      {meetId !== undefined && (
        <Link className="state-other" to={`/myMeeting?open=${meetId}`} data-testid="way-details">
          {t('notOpen.details')}
        </Link>
      )}
    </>
  );
}
