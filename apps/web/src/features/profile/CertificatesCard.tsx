import type { BoundCertificate, CertAnswer } from '@rmeet/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { api } from '../../lib/api/index.ts';
import { useTexts } from '../../lib/i18n/index.ts';
import { ask, toast } from '../../lib/notify.ts';
import { formatDay, formatTime } from '../../lib/time.ts';
import { Button } from '../../ui/Button.tsx';
import { CertificateForm } from '../../ui/certificate/CertificateForm.tsx';
import { PageDialog } from '../../ui/PageDialog.tsx';

const KEY = ['own-certificates'];

/** The certificates that sign in to the account. Nothing is shown if there is none and the organisation uses none. */
export function CertificatesCard() {
  const t = useTexts('profile');
  const titleId = useId();
  const client = useQueryClient();
  const [isOpen, setIsOpen] = useState(false);
  const { data } = useQuery({ queryKey: KEY, queryFn: () => api.certs.own(), meta: { quiet: true } });
  const ending = useEnding();
  if (!data || (data.bound.length === 0 && !data.isOffered)) return null;
  const bind = async (answer: CertAnswer): Promise<void> => {
    client.setQueryData(KEY, await api.certs.bind({ body: answer }));
    setIsOpen(false);
    toast('success', () => t('certificates.bound'));
  };
  return (
    <section className="profile-card" aria-labelledby={titleId} data-testid="own-certificates">
      <h2 id={titleId}>{t('certificates.title')}</h2>
      <p className="profile-lead">{t('certificates.lead')}</p>
      {data.bound.length === 0 && <p className="profile-lead">{t('certificates.none')}</p>}
      <ul className="profile-sessions">
        {data.bound.map((one) => (
          <CertificateRow key={one.id} certificate={one} {...ending} />
        ))}
      </ul>
      {data.isOffered && (
        <div className="profile-buttons">
          <Button data-testid="certificate-bind" onClick={() => setIsOpen(true)}>
            {t('certificates.bind')}
          </Button>
        </div>
      )}
      {isOpen && (
        <PageDialog title={t('certificates.bind')} testId="certificate-dialog" onClose={() => setIsOpen(false)}>
          <CertificateForm
            purpose="bind"
            about=""
            submit={t('certificates.submit')}
            begin={() => api.certs.startBind()}
            finish={bind}
          />
        </PageDialog>
      )}
    </section>
  );
}

function useEnding() {
  const t = useTexts('profile');
  const common = useTexts('common');
  const client = useQueryClient();
  const ending = useMutation({
    mutationFn: (id: string) => api.certs.unbind({ params: { id } }),
    onSuccess: (after) => {
      client.setQueryData(KEY, after);
      toast('success', () => t('certificates.ended'));
    },
  });
  const end = async ({ id, subject }: BoundCertificate): Promise<void> => {
    const sure = await ask({
      title: t('certificates.endTitle'),
      text: t('certificates.endText', { subject }),
      okText: t('certificates.end'),
      cancelText: common('cancel'),
      danger: true,
    });
    if (sure) ending.mutate(id);
  };
  return { busy: ending.isPending, onEnd: (certificate: BoundCertificate) => void end(certificate) };
}

interface CertificateRowProps {
  certificate: BoundCertificate;
  busy: boolean;
  onEnd: (certificate: BoundCertificate) => void;
}

function CertificateRow({ certificate, busy, onEnd }: CertificateRowProps) {
  const t = useTexts('profile');
  const { subject, issuer, expiresAt, lastUsedAt } = certificate;
  return (
    <li data-testid="certificate-row">
      <div>
        <p className="profile-device">{subject}</p>
        <p className="profile-session-facts">
          <span>{t('certificates.issuer', { issuer })}</span>
          <span>{t('certificates.until', { day: formatDay(expiresAt) })}</span>
          <span>
            {lastUsedAt === null ? t('certificates.never') : t('certificates.used', { time: formatTime(lastUsedAt) })}
          </span>
        </p>
      </div>
      <Button
        busy={busy}
        aria-label={t('certificates.endNamed', { subject })}
        data-testid="certificate-end"
        onClick={() => onEnd(certificate)}
      >
        {t('certificates.end')}
      </Button>
    </li>
  );
}
