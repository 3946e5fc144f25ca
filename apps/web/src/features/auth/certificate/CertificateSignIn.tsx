import type { CertAnswer, FactorDemand } from '@rmeet/contract';
import { api } from '../../../lib/api/index.ts';
import { deviceId, keepLastSignIn, session } from '../../../lib/browser.ts';
import { useTexts } from '../../../lib/i18n/index.ts';
import { CertificateForm } from '../../../ui/certificate/CertificateForm.tsx';
import { demandOf } from '../demand.ts';

interface CertificateSignInProps {
  tenantUri: string | undefined;
  onSignedIn: () => void;
  onFactor: (demand: FactorDemand) => void;
}

/** Signs in by a certificate. */
export function CertificateSignIn({ tenantUri, onSignedIn, onFactor }: CertificateSignInProps) {
  const t = useTexts('auth');
  const finish = async (answer: CertAnswer): Promise<void> => {
    try {
      const { token, user } = await api.certs.verifyToToken({ body: { ...answer, deviceId: deviceId() } });
      session.open(token, user);
      keepLastSignIn(user);
      onSignedIn();
    } catch (error) {
      const demand = demandOf(error);
      if (!demand) throw error;
      onFactor(demand);
    }
  };
  return (
    <CertificateForm
      purpose="signIn"
      about={tenantUri ?? ''}
      submit={t('submit')}
      begin={() => api.certs.getCodeData({ query: tenantUri === undefined ? {} : { tenantUri } })}
      finish={finish}
    />
  );
}
