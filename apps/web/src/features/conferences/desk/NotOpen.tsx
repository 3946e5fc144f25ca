import { Link } from 'react-router';
import { Button } from '../../../ui/Button.tsx';
import { MessagePage } from '../../../ui/states.tsx';
import type { PassEnd } from '../../../lib/desk/index.ts';
import { useT } from './texts.tsx';

/** A link that leads nowhere, or whose desk was closed. */
export function NoAccess({ why }: { why: PassEnd }) {
  const t = useT();
  return <MessagePage title={t(`link.${why}`)} hint={t(`link.${why}Hint`)} />;
}

/** There is nothing to control just now. */
export function NotOpen({ why }: { why: 'over' | 'notRunning' | 'refused' }) {
  const t = useT();
  return (
    <MessagePage title={t(`notOpen.${why}`)} hint={t(`notOpen.${why}Hint`)}>
      {why === 'over' ? <Link to="/myMeeting">{t('notOpen.toMeetings')}</Link> : <Button kind="primary" onClick={() => location.reload()}>{t('retry')}</Button>}
    </MessagePage>
  );
}
