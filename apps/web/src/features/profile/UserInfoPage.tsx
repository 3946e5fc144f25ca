import { useEffect } from 'react';
import { useTexts } from '../../lib/i18n/index.ts';
import { ErrorState, Loading } from '../../ui/states.tsx';
import { CertificatesCard } from './CertificatesCard.tsx';
import { IdentitiesCard } from './IdentitiesCard.tsx';
import { FactorCard } from './FactorCard.tsx';
import { NotificationsCard } from './NotificationsCard.tsx';
import { PasskeysCard } from './PasskeysCard.tsx';
import { PasswordCard } from './PasswordCard.tsx';
import { PersonalCard } from './PersonalCard.tsx';
import { ProgramsCard } from './ProgramsCard.tsx';
import { useProfile } from './queries.ts';
import { SessionsCard } from './SessionsCard.tsx';
import './profile.css';
import './texts.ts';

/** `/userInfo`: the user's own account, in every app. */
export function UserInfoPage() {
  const t = useTexts('profile');
  const profile = useProfile();
  const title = t('title');
  useEffect(() => {
    document.title = `${title} · Rmeet`;
  }, [title]);

  return (
    <div className="profile">
      <h1>{title}</h1>
      {profile.isPending && <Loading />}
      {profile.isError && !profile.data && <ErrorState retry={() => void profile.refetch()} />}
      {profile.data && (
        <div className="profile-cards">
          <PersonalCard profile={profile.data} />
          <PasswordCard profile={profile.data} />
          {['user', 'tenantAdmin'].includes(profile.data.accountRole) && <IdentitiesCard />}
          <PasskeysCard />
          {['user', 'tenantAdmin'].includes(profile.data.accountRole) && <CertificatesCard />}
          <FactorCard />
          <NotificationsCard />
          <ProgramsCard />
          <SessionsCard />
        </div>
      )}
    </div>
  );
}
