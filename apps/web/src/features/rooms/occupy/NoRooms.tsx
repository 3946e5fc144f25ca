import { decodeContact, type TenantInfo } from '@rmeet/contract';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../../lib/api/index.ts';
import { useTexts } from '../../../lib/i18n/index.ts';
import { useProfile } from '../../../lib/profile.ts';
import { EmptyState } from '../../../ui/states.tsx';

/** Shown if the tenant has no rooms, with the contacts to ask. */
export function NoRooms() {
  const t = useTexts('occupy');
  const profile = useProfile();
  const contacts = useQuery({
    queryKey: ['tenantInfo', profile?.id],
    queryFn: () => api.users.tenantInfo({ params: { id: profile?.id ?? '' } }),
    enabled: profile !== undefined,
    staleTime: Infinity,
    meta: { quiet: true },
  });
  const line = (key: 'admin' | 'desk', contact: TenantInfo['meetingAdmin'] | undefined) => {
    const who = contact
      ? [contact.name, decodeContact(contact.phoneNumber)].filter((part) => part !== '').join(' ')
      : '';
    return who === '' ? null : <p className="state-hint">{t(`empty.${key}`, { who })}</p>;
  };
  return (
    <EmptyState title={t('empty.title')} hint={t('empty.hint')}>
      {line('admin', contacts.data?.meetingAdmin)}
      {line('desk', contacts.data?.serviceDesk)}
    </EmptyState>
  );
}
