import type { Meeting, NoticeRecipient } from '@rmeet/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../lib/api/index.ts';
import { useTexts } from '../../../lib/i18n/index.ts';
import { ask, toast } from '../../../lib/notify.ts';
import { useNow } from '../../../lib/useNow.ts';
import { Button } from '../../../ui/Button.tsx';
import './texts.ts';
import './notices.css';

/** Polling interval while a notice is being sent; deliveries are not pushed. */
const LOOK_AGAIN = 5_000;

/** How everyone was notified of a meeting, and sending it again, for users who manage the meeting. */
export function MeetingNotices({ meeting: { meetId, subject, status, startTime, duration } }: { meeting: Meeting }) {
  const t = useTexts('recipients');
  const client = useQueryClient();
  const key = ['meetings', 'notices', meetId];
  const found = useQuery({
    queryKey: key,
    queryFn: () => api.notices.ofMeeting({ params: { id: meetId } }),
    refetchInterval: ({ state }) => (state.data?.some((one) => one.status === 'SENDING') === true ? LOOK_AGAIN : false),
    meta: { quiet: true },
  });
  const resend = useMutation({
    mutationFn: () => api.notices.resend({ params: { id: meetId } }),
    onSuccess: (recipients) => {
      client.setQueryData(key, recipients);
      toast('success', () => t('resent'));
    },
  });
  const now = useNow();
  const recipients = found.data ?? [];
  const isOver = status === 'OFFLINE' || Date.parse(startTime) + duration * 60_000 < now;
  const confirm = async () => {
    const sure = await ask({
      title: t('resend'),
      text: t('resendText', { subject, count: recipients.length }),
      okText: t('resendOk'),
      cancelText: t('resendNot'),
    });
    if (sure) resend.mutate();
  };

  return (
    <section className="meeting-notices-section" aria-labelledby={`notices-${meetId}`} data-testid="meeting-notices">
      <h3 id={`notices-${meetId}`}>{t('title')}</h3>
      {found.isPending && <p className="meeting-detail-none">{t('loading')}</p>}
      {found.isError && !found.data && (
        <p className="meeting-detail-none" role="alert">
          {t('failed')}{' '}
          <Button kind="quiet" onClick={() => void found.refetch()}>
            {t('retry')}
          </Button>
        </p>
      )}
      {found.isSuccess && recipients.length === 0 && <p className="meeting-detail-none">{t('none')}</p>}
      <ul className="meeting-notices">
        {recipients.map((one) => (
          <Recipient key={`${one.kind} ${one.userId ?? one.contact}`} recipient={one} />
        ))}
      </ul>
      {recipients.length > 0 && !isOver && (
        <Button busy={resend.isPending} data-testid="notice-resend" onClick={() => void confirm()}>
          {t('resend')}
        </Button>
      )}
    </section>
  );
}

function Recipient({ recipient: { name, contact, status, deliveries } }: { recipient: NoticeRecipient }) {
  const t = useTexts('recipients');
  return (
    <li data-testid="notice-recipient">
      <span className="meeting-notice-who">
        {name === '' ? contact : name}
        {name !== '' && contact !== '' && <small>{contact}</small>}
      </span>
      <span className="meeting-notice-status" data-status={status} data-testid="notice-status">
        {t(`status.${status}`)}
      </span>
      <ul>
        {deliveries.map((one) => (
          <li key={one.channel} data-status={one.status}>
            {t('delivery', {
              channel: t(`channel.${one.channel}`),
              kind: t(`kind.${one.kind}`),
              status: t(`status.${one.status}`),
            })}
            {one.status === 'SENDING' && one.attempts > 0 && ` · ${t('attempts', { count: one.attempts })}`}
            {one.failure !== null && <strong>{t(`failure.${one.failure}`)}</strong>}
          </li>
        ))}
      </ul>
    </li>
  );
}
