import { useMutation } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Link, Navigate } from 'react-router';
import { useTexts } from '../../lib/i18n/index.ts';
import { signOut } from '../../lib/signOut.ts';
import { ErrorState, Loading, MessagePage } from '../../ui/states.tsx';

/** Ends the session and shows a message, as the client shell requires; `onward`: goes to the sign-in page instead. */
export function LogoutPage({ onward = false }: { onward?: boolean }) {
  const t = useTexts('common');
  const { mutate: end, status, data: isLeaving } = useMutation({ mutationFn: signOut, meta: { quiet: true } });
  useEffect(() => end(), [end]);

  if (status === 'error') return <ErrorState title={t('signedOut.failed')} retry={() => end()} />;
  if (status !== 'success' || isLeaving) return <Loading />;
  if (onward) return <Navigate replace to="/login" />;
  return (
    <MessagePage title={t('signedOut.title')} hint={t('signedOut.hint')}>
      <Link to="/login" data-testid="signed-out-login">
        {t('errors.signInAgainButton')}
      </Link>
    </MessagePage>
  );
}
