import type { SsoChoice, SsoIdentity } from '@rmeet/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useId } from 'react';
import { api } from '../../lib/api/index.ts';
import { useTexts } from '../../lib/i18n/index.ts';
import { ask, toast } from '../../lib/notify.ts';
import { goToProvider } from '../../lib/sso.ts';
import { formatTime } from '../../lib/time.ts';
import { Button } from '../../ui/Button.tsx';

const KEY = ['sso-identities'];

/** The identities that sign in to the account. Nothing is shown where the organisation has no identity providers. */
export function IdentitiesCard() {
  const t = useTexts('profile');
  const titleId = useId();
  const { data } = useQuery({ queryKey: KEY, queryFn: () => api.sso.identities(), meta: { quiet: true } });
  const linking = useMutation({
    mutationFn: (providerId: string) => goToProvider({ purpose: 'link', providerId, redirect: '/userInfo' }),
  });
  const unlinking = useUnlink();
  if (!data || data.linked.length + data.offered.length === 0) return null;
  const isOnlyWay = !data.hasOtherWay && data.linked.length === 1;
  return (
    <section className="profile-card profile-card-wide" aria-labelledby={titleId} data-testid="identities">
      <h2 id={titleId}>{t('identities.title')}</h2>
      <p className="profile-lead">{t('identities.lead')}</p>
      {data.linked.length === 0 && <p className="profile-lead">{t('identities.none')}</p>}
      <ul className="profile-sessions">
        {data.linked.map((one) => (
          <IdentityRow key={one.id} identity={one} isOnlyWay={isOnlyWay} {...unlinking} />
        ))}
      </ul>
      {data.offered.length > 0 && (
        <div className="profile-buttons">
          {data.offered.map(({ id, name }: SsoChoice) => (
            <Button
              key={id}
              busy={(linking.isPending || linking.isSuccess) && linking.variables === id}
              data-testid="identity-link"
              onClick={() => linking.mutate(id)}
            >
              {t('identities.link', { name })}
            </Button>
          ))}
        </div>
      )}
    </section>
  );
}

function useUnlink() {
  const t = useTexts('profile');
  const common = useTexts('common');
  const client = useQueryClient();
  const unlinking = useMutation({
    mutationFn: (id: string) => api.sso.unlink({ params: { id } }),
    onSuccess: (after) => {
      client.setQueryData(KEY, after);
      toast('success', () => t('identities.unlinked'));
    },
  });
  const unlink = async ({ id, label, provider: { name } }: SsoIdentity): Promise<void> => {
    const sure = await ask({
      title: t('identities.unlinkTitle'),
      text: t('identities.unlinkText', { name, who: label }),
      okText: t('identities.unlink'),
      cancelText: common('cancel'),
      danger: true,
    });
    if (sure) unlinking.mutate(id);
  };
  return { busy: unlinking.isPending, onUnlink: (identity: SsoIdentity) => void unlink(identity) };
}

interface IdentityRowProps {
  identity: SsoIdentity;
  /** It cannot be unlinked. */
  isOnlyWay: boolean;
  busy: boolean;
  onUnlink: (identity: SsoIdentity) => void;
}

function IdentityRow({ identity, isOnlyWay, busy, onUnlink }: IdentityRowProps) {
  const t = useTexts('profile');
  const { provider, label, since, lastUsedAt } = identity;
  return (
    <li data-testid="identity-row">
      <div>
        <p className="profile-device">{provider.name}</p>
        <p className="profile-session-facts">
          <span>{label}</span>
          <span>{t('identities.since', { time: formatTime(since) })}</span>
          <span>
            {lastUsedAt === null ? t('identities.never') : t('identities.used', { time: formatTime(lastUsedAt) })}
          </span>
        </p>
        {isOnlyWay && <p className="profile-session-facts">{t('identities.onlyWay')}</p>}
      </div>
      {!isOnlyWay && (
        <Button
          busy={busy}
          aria-label={t('identities.unlinkNamed', { name: provider.name })}
          data-testid="identity-unlink"
          onClick={() => onUnlink(identity)}
        >
          {t('identities.unlink')}
        </Button>
      )}
    </li>
  );
}
