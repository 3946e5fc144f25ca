import { useTexts } from '../../lib/i18n/index.ts';
import { toast } from '../../lib/notify.ts';
import { AdminPage } from '../../ui/admin/AdminPage.tsx';
import { EmptyState, ErrorState, Loading } from '../../ui/states.tsx';
import { AuthorityCard } from './AuthorityCard.tsx';
import { Bindings } from './Bindings.tsx';
import { FileButton } from './FileButton.tsx';
import { useAuthorities, useAuthorityActions } from './queries.ts';
import { Rules } from './Rules.tsx';
import './texts.ts';
import './certificates.css';

/** The authorities whose certificates sign the tenant's people in, whom they sign in, and bound certificates. */
export function CertificatesPage() {
  const t = useTexts('certificates');
  const list = useAuthorities();
  const { add } = useAuthorityActions();
  const { data } = list;
  const mayChange = data?.can.update === true;
  return (
    <AdminPage
      title={t('title')}
      actions={
        mayChange && (
          <FileButton
            kind="primary"
            accept=".pem,.crt,.cer,.der"
            label={t('add')}
            busy={add.isPending}
            testId="authority-add"
            onChoose={(file) => add.mutate(file, { onSuccess: () => toast('success', () => t('added')) })}
          >
            {t('add')}
          </FileButton>
        )
      }
    >
      <p className="certificates-lead">{t('lead')}</p>
      {list.isPending && <Loading />}
      {list.isError && !data && <ErrorState retry={() => void list.refetch()} />}
      {data?.can.update === false && <p className="certificates-lead">{t('readOnly')}</p>}
      {data && !data.isOffered && data.records.length > 0 && <p className="certificates-warning">{t('notOffered')}</p>}
      {data && data.records.length === 0 && <EmptyState picture="list" title={t('empty')} hint={t('emptyHint')} />}
      {data && data.records.length > 0 && (
        <>
          <ul className="certificates" aria-label={t('authorities')}>
            {data.records.map((one) => (
              <AuthorityCard key={one.id} authority={one} mayChange={mayChange} />
            ))}
          </ul>
          <Rules key={JSON.stringify(data.rules)} rules={data.rules} mayChange={mayChange} />
          <Bindings />
        </>
      )}
    </AdminPage>
  );
}
