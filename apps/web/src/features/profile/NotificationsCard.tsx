import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useId } from 'react';
import { ApiError, reportError } from '../../lib/api/index.ts';
import { system } from '../../lib/browser.ts';
import { useTexts } from '../../lib/i18n/index.ts';
import { toast } from '../../lib/notify.ts';
import { turnOffWebPush, turnOnWebPush, webPushState, type WebPushState } from '../../lib/webPush.ts';
import { Button } from '../../ui/Button.tsx';

const STATE = ['web-push-state'];

/** Turns notifications by Web Push on and off for this browser. The user app only, which has the service worker. */
export function NotificationsCard() {
  const t = useTexts('profile');
  const titleId = useId();
  const client = useQueryClient();
  const { data: state } = useQuery({ queryKey: STATE, queryFn: webPushState, enabled: system === 'user' });
  const change = useMutation({
    mutationFn: (before: WebPushState) => (before === 'on' ? turnOffWebPush() : turnOnWebPush()),
    onSuccess: (after) => client.setQueryData(STATE, after),
    onError: (error) => {
      if (error instanceof ApiError) reportError(error);
      else toast('error', () => t('notifications.unreachable'));
    },
    meta: { quiet: true },
  });
  if (state === undefined) return null;
  const isSwitchable = state === 'on' || state === 'off';
  return (
    <section className="profile-card" aria-labelledby={titleId} data-testid="notifications" data-state={state}>
      <h2 id={titleId}>{t('notifications.title')}</h2>
      <p className="profile-lead">{t('notifications.lead')}</p>
      <p className="profile-lead" role="status">
        {t(`notifications.${state}`)}
      </p>
      {isSwitchable && (
        <div className="profile-buttons">
          <Button
            kind={state === 'on' ? 'plain' : 'primary'}
            busy={change.isPending}
            data-testid="notifications-switch"
            onClick={() => change.mutate(state)}
          >
            {t(state === 'on' ? 'notifications.turnOff' : 'notifications.turnOn')}
          </Button>
        </div>
      )}
    </section>
  );
}
