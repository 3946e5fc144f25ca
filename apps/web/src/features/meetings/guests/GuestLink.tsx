import type { GuestToken, Meeting } from '@rmeet/contract';
import { useId } from 'react';
import { copyText } from '../../../lib/clipboard.ts';
import { useTexts } from '../../../lib/i18n/index.ts';
import { ask, toast } from '../../../lib/notify.ts';
import { Button } from '../../../ui/Button.tsx';
import { ErrorState } from '../../../ui/states.tsx';
import { linkForHost } from '../detail/MeetingKey.tsx';
import { formatTime } from '../format.ts';
import { GuestPeople } from './GuestPeople.tsx';
import { useGuestLink, useGuestLinkChange } from './queries.ts';
import './guests.css';

/**
 * The guest link of a meeting, for users who manage it: create, copy while it is known, renew, revoke; and the guests
 * who used it.
 */
export function GuestLink({ meeting }: { meeting: Meeting }) {
  const t = useTexts('meetings');
  const id = useId();
  const { meetId, can } = meeting;
  const found = useGuestLink(meetId);
  const change = useGuestLinkChange(meetId);
  const token = found.data ?? null;
  // Only the answer to a change contains the link itself.
  const url = change.data === undefined || change.data === null ? null : linkForHost(meeting, change.data.url);

  return (
    <section aria-labelledby={id} className="guest-link" data-testid="guest-link">
      <h3 id={id}>{t('guests.title')}</h3>
      <p className="guest-link-lead">{t('guests.lead')}</p>
      {found.isError && found.data === undefined && (
        <ErrorState title={t('guests.failed')} retry={() => void found.refetch()} />
      )}
      {found.isSuccess && token === null && !can.join && <p>{t('guests.none')}</p>}
      {token && <TokenFacts token={token} isNew={url !== null} />}
      {token && url !== null && (
        <output className="guest-link-url" aria-label={t('guests.url')} data-testid="guest-url">
          {url}
        </output>
      )}
      {found.isSuccess && can.join && <LinkButtons token={token} url={url} change={change} />}
      <GuestPeople meetingId={meetId} hasLink={token !== null} />
    </section>
  );
}

function TokenFacts({
  token: { expiresAt, createdAt, createdBy, count },
  isNew,
}: {
  token: GuestToken;
  isNew: boolean;
}) {
  const t = useTexts('meetings');
  return (
    <>
      <ul className="guest-link-facts">
        <li>{t('guests.until', { time: formatTime(expiresAt) })}</li>
        <li data-testid="guest-count">{t('guests.count', { count })}</li>
        <li>{t('guests.by', { name: createdBy, time: formatTime(createdAt) })}</li>
      </ul>
      <p className="guest-link-lead" role="status">
        {t(isNew ? 'guests.once' : 'guests.hiddenLink')}
      </p>
    </>
  );
}

interface LinkButtonsProps {
  token: GuestToken | null;
  url: string | null;
  change: ReturnType<typeof useGuestLinkChange>;
}

/** Buttons to create, copy, renew and revoke the link. */
function LinkButtons({ token, url, change }: LinkButtonsProps) {
  const t = useTexts('meetings');
  const common = useTexts('common');
  const renew = async () => {
    if (
      await ask({
        title: t('guests.renewTitle'),
        text: t('guests.renewText'),
        okText: t('guests.renew'),
        cancelText: common('cancel'),
      })
    )
      change.mutate('renew');
  };
  const end = async () => {
    const sure = await ask({
      title: t('guests.endTitle'),
      text: t('guests.endText'),
      okText: t('guests.end'),
      cancelText: common('cancel'),
      danger: true,
    });
    if (sure) change.mutate('end', { onSuccess: () => toast('success', () => t('guests.ended')) });
  };

  return (
    <div className="meeting-detail-copy">
      {token === null && (
        <Button busy={change.isPending} data-testid="guest-create" onClick={() => change.mutate('create')}>
          {t('guests.create')}
        </Button>
      )}
      {token && url !== null && (
        <Button kind="primary" data-testid="guest-copy" onClick={() => void copyText(url, () => t('guests.copied'))}>
          {t('guests.copy')}
        </Button>
      )}
      {token && (
        <>
          <Button busy={change.isPending} data-testid="guest-renew" onClick={() => void renew()}>
            {t('guests.renew')}
          </Button>
          <Button kind="quiet" busy={change.isPending} data-testid="guest-end" onClick={() => void end()}>
            {t('guests.end')}
          </Button>
        </>
      )}
    </div>
  );
}
